// A picture in another form as a PNG, which is the only one that can hold a card. The browser draws it.

/** Makes a PNG of a picture, or null where the browser cannot draw it. */
export async function asPngPicture(bytes: Uint8Array): Promise<Uint8Array | null> {
  if (typeof createImageBitmap !== 'function') return null;
  try {
    // The browser looks at the bytes, whatever type is said.
    const drawn = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = document.createElement('canvas');
    canvas.width = drawn.width;
    canvas.height = drawn.height;
    canvas.getContext('2d')?.drawImage(drawn, 0, 0);
    drawn.close();
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    return blob && new Uint8Array(await blob.arrayBuffer());
  } catch {
    return null;
  }
}
