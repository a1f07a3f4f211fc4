// A picture in another form as a PNG, which is the only one that can hold a card. The browser draws it.

import type { ContainerRead } from '../../containers/container.ts';
import { t } from '../../host/context.ts';

/** A container whose picture is a PNG, where it had another one beside its card that the browser can draw. */
export async function drawnPicture(container: ContainerRead): Promise<ContainerRead> {
  const { picture, otherPicture, zip } = container;
  if (picture !== undefined || otherPicture === undefined || zip !== undefined) return container;
  const drawn = await asPngPicture(otherPicture);
  return drawn === null ? container : { ...container, picture: drawn };
}

/** Whether a container still has a picture that no card can hold, after `drawnPicture`. */
export const isPictureLeft = ({ picture, otherPicture, zip }: ContainerRead): boolean =>
  picture === undefined && otherPicture !== undefined && zip === undefined;

/** What is said then. */
export const pictureLeft = (name: string): string =>
  t`The picture of “${name}” is none that this browser can draw, so it did not come along.`;

/** Makes a PNG of a picture, or null where the browser cannot draw it. */
async function asPngPicture(bytes: Uint8Array): Promise<Uint8Array | null> {
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
