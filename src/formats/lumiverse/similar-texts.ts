// Entries whose texts are nearly the same: of two at one place Lumiverse keeps only one (1.1.0), SillyTavern both.

import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { lumiversePlace } from '../_shared/lumiverse/slots.ts';
import { lumiversePosition } from './placing.ts';

const SHORTEST = 30;
const ALIKE = 0.85;
// Above this many pairs the comparison would take longer than the export; then only equal texts are found.
const MOST_PAIRS = 250_000;

const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\w\s]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.split(' ').filter((word) => word.length >= 2));

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let both = 0;
  for (const word of small) if (large.has(word)) both++;
  const all = a.size + b.size - both;
  return all === 0 || both / all >= ALIKE;
}

/** The entries that may be left out there because another one of their place says nearly the same. */
export function similarTexts({ books }: ResolvedCharacter): ReadonlySet<ResolvedEntry> {
  const places = new Map<number, ResolvedEntry[]>();
  for (const each of books.flatMap(({ entries }) => entries)) {
    if (!each.entry.enabled || each.entry.content.trim() === '') continue;
    const { position } = lumiversePlace(lumiversePosition(each.entry.position, { noteDepth: 4 }));
    const held = places.get(position);
    if (held) held.push(each);
    else places.set(position, [each]);
  }
  const found = new Set<ResolvedEntry>();
  for (const place of places.values()) {
    const texts = place.map((each) => ({ each, plain: plainText(each.entry.content) }));
    const equal = new Map<string, number>();
    for (const { plain } of texts) equal.set(plain, (equal.get(plain) ?? 0) + 1);
    for (const { each, plain } of texts) {
      if (plain !== '' && (equal.get(plain) ?? 0) > 1 && !each.entry.constant) found.add(each);
    }
    if ((texts.length * texts.length) / 2 > MOST_PAIRS) continue;
    const long = texts
      .filter(({ each }) => each.entry.content.length >= SHORTEST)
      .map(({ each, plain }) => ({ each, words: wordsOf(plain) }));
    for (const [at, first] of long.entries()) {
      for (const second of long.slice(at + 1)) {
        if (first.each.entry.constant && second.each.entry.constant) continue;
        if (!areAlike(first.words, second.words)) continue;
        for (const { each } of [first, second]) if (!each.entry.constant) found.add(each);
      }
    }
  }
  return found;
}
