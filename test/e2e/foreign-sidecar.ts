// What another app itself held when it wrote a file (the sidecars in test/fixtures/foreign), as a world file must say it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorldEntry } from './harness.ts';

const FOREIGN = join(import.meta.dirname, '../fixtures/foreign');

type KeyOfApp =
  | string
  | { readonly regex: string; readonly flags?: string }
  | { readonly keyword: string; readonly wildcards?: boolean };

interface EntryOfApp {
  readonly title: string;
  readonly content: string;
  readonly keys: readonly KeyOfApp[];
  readonly secondaryKeys: readonly KeyOfApp[];
  readonly logic: unknown;
  readonly enabled: boolean;
  /** Marinara: its own switch, without that of its folder. */
  readonly enabledFlag?: boolean;
  readonly constant: boolean;
  /** RisuAI: a decorator makes it fire always. */
  readonly forcedOn?: boolean;
  readonly position?: string;
}

interface Sidecar {
  readonly app: string;
  readonly character?: { readonly name: string };
  readonly books: readonly { readonly name?: string; readonly entries: readonly EntryOfApp[] }[];
  readonly lostInFormat?: readonly string[];
}

/** The path of a foreign file. */
export const foreignPath = (name: string): string => join(FOREIGN, name.split('-')[0] ?? '', name);

/** Its sidecar. */
export const sidecarOf = (name: string): Sidecar =>
  JSON.parse(readFileSync(`${foreignPath(name)}.expect.json`, 'utf8')) as Sidecar;

/** The entries that the app held, book after book. A folder of RisuAI's is none. */
export const entriesHeld = (name: string): readonly EntryOfApp[] =>
  sidecarOf(name).books.flatMap(({ entries }) => entries.filter(({ keys }) => keys !== undefined));

const PLACES: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^at depth (\d+).* role system/, [4, 0]],
  [/^at depth (\d+).* role user/, [4, 1]],
  [/^at depth (\d+).* role assistant/, [4, 2]],
  [/^before (the )?character/, [0]],
  [/^after (the )?(character|description)/, [1]],
  [/author's note top/, [2]],
  [/author's note bottom/, [3]],
  [/example messages top/, [5]],
  [/example messages bottom/, [6]],
  [/^outlet/, [7]],
  // What an app has no place for in SillyTavern stands where a book's entries stand by default.
  [/^default lorebook slot|^one memory block/, [1]],
];

/** Where SillyTavern must put an entry: position, and depth and role where they count; null when no place is the same. */
function placeHeld(words: string): readonly number[] | null {
  for (const [pattern, [position = 0, role = 0]] of PLACES) {
    const found = pattern.exec(words);
    if (found !== null) return position === 4 ? [4, Number(found[1]), role] : [position];
  }
  return null;
}

const placeOf = ({ position, depth, role }: WorldEntry): readonly unknown[] =>
  position === 4 ? [4, depth, role ?? 0] : [position];

const LOGIC: readonly (readonly [RegExp, number])[] = [
  [/^not all secondary keys/, 1],
  [/^no secondary key/, 2],
  [/^all secondary keys/, 3],
  [/^any secondary key/, 0],
];

// A key that is no plain text is a pattern in SillyTavern; which one, the tests of the formats say.
const keyOf = (key: string): string => (/^\/.*\/[a-z]*$/s.test(key) ? 'PATTERN' : key);
const keyHeld = (key: KeyOfApp): string => {
  if (typeof key === 'string') return keyOf(key);
  if ('regex' in key) return 'PATTERN';
  return /[*?|]/.test(key.keyword) ? 'PATTERN' : key.keyword;
};

// Agnai has no switch for it, but a keyword that is found in any text.
const isAlwaysFound = (key: KeyOfApp): boolean =>
  typeof key !== 'string' && 'keyword' in key && /^\*+$/.test(key.keyword);

const lines = (title: string, keys: readonly string[]): string => `${title}: ${keys.join(' | ')}`;

/** What must be equal, from both sides, entry by entry; what the app cannot tell the same is left out of both. */
export function compared(
  name: string,
  entries: readonly WorldEntry[],
): { readonly held: readonly unknown[]; readonly there: readonly unknown[] } {
  const held = entriesHeld(name);
  const withoutFolders = sidecarOf(name).lostInFormat?.some((word) => word.startsWith('folders')) === true;
  const rows = held.map((each, at) => {
    const entry = entries[at];
    const place = placeHeld(each.position ?? '');
    const rule = LOGIC.find(([pattern]) => pattern.test(String(each.logic)));
    const keys = each.keys.map(keyHeld).filter((key) => key !== '');
    // An app's own form of a key may need several, or one pattern, here.
    const isPlain = !keys.includes('PATTERN');
    const there = {
      title: entry?.comment,
      content: entry?.content.trim(),
      keys: isPlain ? lines('', entry?.key.filter((key) => key !== '').map(keyOf) ?? []) : '',
      enabled: entry?.disable !== true,
      constant: entry?.constant === true,
      place: entry && place !== null ? placeOf(entry) : null,
      logic: rule && each.secondaryKeys.length > 0 ? [entry?.selective, entry?.selectiveLogic] : null,
    };
    const wanted = {
      title: each.title,
      content: each.content.trim(),
      keys: isPlain ? lines('', keys) : '',
      enabled: withoutFolders ? (each.enabledFlag ?? each.enabled) : each.enabled,
      constant: each.constant || each.forcedOn === true || each.keys.some(isAlwaysFound),
      place,
      logic: rule && each.secondaryKeys.length > 0 ? [true, rule[1]] : null,
    };
    return { wanted, there };
  });
  return {
    held: [held.length, ...rows.map(({ wanted }) => wanted)],
    there: [entries.length, ...rows.map(({ there }) => there)],
  };
}
