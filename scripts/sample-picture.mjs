// The picture of the sample card: a harbour at dusk, computed, so that nobody else's art is needed.
import { deflateSync } from 'node:zlib';

const WIDTH = 400;
const HEIGHT = 600;
const HORIZON = 372;
const SUN = { x: 262, y: 318, radius: 46 };

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(bytes) {
  let c = -1;
  for (const byte of bytes) c = (CRC_TABLE[(c ^ byte) & 255] ?? 0) ^ (c >>> 8);
  return (c ^ -1) >>> 0;
}

const mix = (a, b, t) => a.map((value, i) => value + (b[i] - value) * Math.min(1, Math.max(0, t)));

const SKY = [
  [0, [38, 44, 88]],
  [0.45, [112, 84, 138]],
  [0.75, [224, 132, 120]],
  [1, [250, 198, 140]],
];

function sky(y) {
  const t = y / HORIZON;
  const next = SKY.findIndex(([at]) => at >= t);
  if (next <= 0) return SKY[0][1];
  const [from, above] = SKY[next - 1];
  const [to, below] = SKY[next];
  return mix(above, below, (t - from) / (to - from));
}

const hills = (x) => HORIZON - 16 - 20 * Math.sin(x / 71 + 0.6) - 9 * Math.sin(x / 23);

/** The lighthouse: a tapering tower with two bands, a lamp room and a cap. */
function lighthouse(x, y) {
  const middle = 112;
  const off = Math.abs(x - middle);
  if (y >= 176 && y < 190 && off < (y - 172) * 1.1) return [44, 36, 58];
  if (y >= 190 && y < 212 && off < 13) return off < 9 ? [255, 236, 170] : [44, 36, 58];
  if (y >= 212 && y < 219 && off < 22) return [44, 36, 58];
  if (y >= 219 && y < 420 && off < 15 + (y - 219) * 0.075) {
    const banded = (y > 258 && y < 296) || (y > 336 && y < 374);
    const base = banded ? [176, 62, 66] : [236, 222, 214];
    return mix(base, [52, 40, 66], (x - middle + 26) / 62);
  }
  return undefined;
}

function quay(x, y) {
  const top = 418 + Math.max(0, x - 150) * 0.42;
  if (x > 232 || y < top) return undefined;
  return mix([62, 52, 74], [26, 24, 44], (y - top) / 150);
}

function boat(x, y) {
  const hullTop = 470;
  const half = 62 - (y - hullTop) * 1.15;
  if (y >= hullTop && y < hullTop + 26 && Math.abs(x - 292) < half)
    return y < hullTop + 5 ? [236, 222, 214] : [44, 78, 98];
  if (Math.abs(x - 284) < 1.6 && y > 378 && y < hullTop) return [44, 36, 58];
  if (y > 386 && y < 462 && x > 287 && x - 287 < (y - 386) * 0.62) return [232, 190, 150];
  return undefined;
}

function water(x, y) {
  const t = (y - HORIZON) / (HEIGHT - HORIZON);
  let colour = mix([214, 138, 128], [30, 40, 80], Math.sqrt(t));
  const wave = Math.sin(y * (0.9 - 0.45 * t) + 2.4 * Math.sin(x / (26 + 60 * t)));
  const path = Math.exp(-(((x - SUN.x) / (26 + 70 * t)) ** 2));
  if (wave > 0.35) colour = mix(colour, [255, 214, 160], (wave - 0.35) * (0.1 + 0.9 * path));
  return colour;
}

function beam(x, y, colour) {
  const reach = x - 126;
  if (reach <= 0) return colour;
  const spread = 3 + reach * 0.11;
  const off = Math.abs(y - (200 - reach * 0.08)) / spread;
  return off < 1 ? mix(colour, [255, 240, 190], 0.34 * (1 - off) * Math.exp(-reach / 190)) : colour;
}

function pixel(x, y) {
  const solid = boat(x, y) ?? lighthouse(x, y) ?? quay(x, y);
  if (solid) return solid;
  if (y >= HORIZON) return water(x, y);
  let colour = sky(y);
  const far = Math.hypot(x - SUN.x, y - SUN.y);
  colour = mix(colour, [255, 226, 170], 0.55 * Math.exp(-Math.max(0, far - SUN.radius) / 60));
  if (far < SUN.radius) colour = [255, 240, 206];
  if (y > hills(x)) colour = mix([120, 82, 122], [92, 66, 108], (y - hills(x)) / 40);
  return beam(x, y, colour);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Two by two samples a pixel, so that edges are smooth. */
function colourAt(x, y) {
  const sum = [0, 0, 0];
  for (const dx of [0.25, 0.75]) {
    for (const dy of [0.25, 0.75]) {
      const sample = pixel(x + dx, y + dy);
      for (let i = 0; i < 3; i++) sum[i] += sample[i] / 4;
    }
  }
  return sum.map(Math.round);
}

export function pngOfHarbour() {
  const rows = [];
  let above = new Uint8Array(WIDTH * 3);
  for (let y = 0; y < HEIGHT; y++) {
    const row = new Uint8Array(WIDTH * 3);
    for (let x = 0; x < WIDTH; x++) row.set(colourAt(x, y), x * 3);
    const filtered = Buffer.alloc(WIDTH * 3 + 1, 2); // PNG filter 2: the difference to the row above
    for (let i = 0; i < row.length; i++) filtered[i + 1] = (row[i] - above[i]) & 255;
    rows.push(filtered);
    above = row;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.concat(rows), { level: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
