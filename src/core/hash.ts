// A short fingerprint of a text. Not for secrets: it only tells whether two texts are the same. It needs no
// secure context, so it works on pages that a phone opens over plain http.

/** 64 bits of a text as 16 hex digits: two independent FNV-like lanes, each mixed at the end. */
export function hashText(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b = (b << 13) | (b >>> 19);
  }
  return hex(mix(a)) + hex(mix(b ^ text.length));
}

function mix(lane: number): number {
  let value = lane ^ (lane >>> 16);
  value = Math.imul(value, 0x7feb352d);
  value ^= value >>> 15;
  value = Math.imul(value, 0x846ca68b);
  return value ^ (value >>> 16);
}

const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0');
