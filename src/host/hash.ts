// A hash that tells whether a JSON value is still the one that was read. Not for secrets: `crypto.subtle` needs
// a secure context, and SillyTavern on a phone is often plain http.

/**
 * A stable hash of a JSON value: the order of keys does not count, a key that is undefined counts as absent, and
 * a number counts as JSON writes it. Two values with the same hash are, for our purposes, the same.
 *
 * @param value any JSON value
 * @returns 16 hexadecimal digits
 */
export function hashJson(value: unknown): string {
  const lanes: Lanes = { fnv: 0x811c9dc5, rotated: 0x9747b28c, length: 0 };
  feed(lanes, value);
  return [lanes.fnv, lanes.rotated].map((lane) => hex(finish(lane ^ lanes.length))).join('');
}

/** Two independent 32-bit lanes: FNV-1a, and multiply-rotate as in Murmur. */
interface Lanes {
  fnv: number;
  rotated: number;
  length: number;
}

function add(lanes: Lanes, text: string): void {
  let { fnv, rotated } = lanes;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    fnv = Math.imul(fnv ^ (unit & 0xff), 0x01000193);
    fnv = Math.imul(fnv ^ (unit >>> 8), 0x01000193);
    let mixed = Math.imul(unit, 0xcc9e2d51);
    mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
    rotated ^= mixed;
    rotated = (Math.imul((rotated << 13) | (rotated >>> 19), 5) + 0xe6546b64) | 0;
  }
  lanes.fnv = fnv;
  lanes.rotated = rotated;
  lanes.length += text.length;
}

function finish(lane: number): number {
  let mixed = lane;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hex(lane: number): string {
  return lane.toString(16).padStart(8, '0');
}

// Every string is preceded by its length, so that no two different values feed the same text.
function feed(lanes: Lanes, value: unknown): void {
  if (typeof value === 'string') {
    add(lanes, `"${value.length}:`);
    add(lanes, value);
  } else if (Array.isArray(value)) {
    add(lanes, `[${value.length}`);
    for (const item of value) feed(lanes, item);
  } else if (typeof value === 'object' && value !== null) {
    add(lanes, '{');
    const object = value as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(object).sort()) {
      if (object[key] === undefined) continue;
      feed(lanes, key);
      feed(lanes, object[key]);
    }
    add(lanes, '}');
  } else {
    add(lanes, JSON.stringify(value) ?? 'null');
  }
}
