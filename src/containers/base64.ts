// Base64 by table. `atob` and `btoa` go through strings with one character a byte, which costs a card of
// several MiB too much on a phone, and `atob` refuses what every app accepts (line breaks are fine, `-` is not).

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PAD = 61;
const SKIP = 255;
const STOP = 254;

const ENCODE = /* @__PURE__ */ new TextEncoder().encode(LETTERS);
const DECODE = /* @__PURE__ */ makeDecode();

function makeDecode(): Uint8Array {
  const table = new Uint8Array(256).fill(SKIP);
  for (let i = 0; i < 64; i++) table[LETTERS.charCodeAt(i)] = i;
  table['-'.charCodeAt(0)] = 62;
  table['_'.charCodeAt(0)] = 63;
  table[PAD] = STOP;
  return table;
}

/** Bytes as standard base64 with padding and without line breaks. */
export function encodeBase64(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let to = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const a = bytes[i] as number;
    const b = bytes[i + 1] ?? 0;
    const c = bytes[i + 2] ?? 0;
    out[to++] = ENCODE[a >> 2] as number;
    out[to++] = ENCODE[((a & 3) << 4) | (b >> 4)] as number;
    out[to++] = i + 1 < bytes.length ? (ENCODE[((b & 15) << 2) | (c >> 6)] as number) : PAD;
    out[to++] = i + 2 < bytes.length ? (ENCODE[c & 63] as number) : PAD;
  }
  return new TextDecoder('utf-8').decode(out);
}

/**
 * The bytes behind base64 text (given as its ASCII bytes). Both alphabets are read, characters outside them
 * are skipped and the text ends at the first `=`, as with Node's `Buffer`, which SillyTavern reads cards with:
 * what it opens, we open. Never throws; nonsense yields nonsense, which is then no JSON.
 */
export function decodeBase64(text: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let to = 0;
  let held = 0;
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    const value = DECODE[text[i] as number] as number;
    if (value === SKIP) continue;
    if (value === STOP) break;
    held = (held << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out[to++] = held >> bits;
      held &= (1 << bits) - 1;
    }
  }
  return out.subarray(0, to);
}
