// Reads the card out of a stored PNG without our own container code, so that a test never checks that code with itself.

const SIGNATURE_LENGTH = 8;

export function readCardFromPng(png: Buffer): unknown {
  const texts = new Map<string, string>();
  let at = SIGNATURE_LENGTH;
  while (at + 12 <= png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'tEXt') {
      const end = data.indexOf(0);
      const keyword = data.toString('latin1', 0, end).toLowerCase();
      if (!texts.has(keyword)) texts.set(keyword, data.toString('latin1', end + 1));
    }
    at += 12 + length;
  }
  const text = texts.get('ccv3') ?? texts.get('chara');
  if (text === undefined) throw new Error('this PNG carries no card');
  return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
}
