// Pairs of a key and a text, the same ones for every run: keys that Agnai can say exactly, and texts in which they stand,
// nearly stand, or do not.

/** A key, the switch for whole words, and a line of a chat. */
export interface KeyPair {
  readonly key: string;
  readonly wholeWords: boolean;
  readonly text: string;
}

/** Random numbers from 0 to below 1, from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const EDGES = [...'abcdABCD0159'];
const INNER = [
  ...'abcdABCD0159',
  ' ',
  ' ',
  '-',
  "'",
  '/',
  ',',
  '!',
  '#',
  '@',
  'é',
  'ñ',
  '龍',
  'ж',
  '🙂',
  '&',
  '"',
];
const AROUND = [
  ...'abcdABCD0159',
  ' ',
  ' ',
  ' ',
  '_',
  '.',
  ',',
  '!',
  '?',
  '*',
  '(',
  ')',
  '-',
  'é',
  '龍',
  'ж',
  '\n',
  ':',
];

/** Pairs of the exact classes: edges are ASCII letters or digits, and nothing that Agnai deletes stands inside. */
export function exactPairs(seed: number, count: number): readonly KeyPair[] {
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? '';
  const some = (list: readonly string[], most: number): string =>
    Array.from({ length: below(most + 1) }, () => pick(list)).join('');
  const turned = (text: string): string =>
    [...text]
      .map((char) =>
        below(4) === 0 ? (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()) : char,
      )
      .join('');
  return Array.from({ length: count }, (): KeyPair => {
    const key = below(6) === 0 ? pick(EDGES) : pick(EDGES) + some(INNER, 4) + pick(EDGES);
    const held = below(5) === 0 ? key.slice(0, -1) : below(6) === 0 ? some(INNER, 4) : turned(key);
    return { key, wholeWords: below(2) === 0, text: `Ann: ${some(AROUND, 4)}${held}${some(AROUND, 4)}` };
  });
}
