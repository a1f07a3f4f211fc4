// How an entry's keys are written as keywords, one way for each style (decisions 28), and what a list of keys decides,
// by which what was written is compared with what was meant.

import type { Key } from '../../core/key.ts';
import { writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { patternSearch } from '../_shared/pattern-search.ts';
import type { Keyword } from './key-tokens.ts';
import { charToken, EDGE, keywordOfForm } from './key-tokens.ts';
import { ANY_LINE } from './keywords.ts';
import { formsOfPattern } from './pattern-forms.ts';

/** The styles of decisions 28. */
export type Style = 'natural' | 'exact';

/** Something that a key will do otherwise there. */
export interface KeyDoubt {
  readonly key: Key;
  readonly reason: string;
}

/** Keywords, and what is to be said of them. */
export interface WrittenKeywords {
  readonly keywords: readonly string[];
  readonly doubts: readonly KeyDoubt[];
  /** Keys of which nothing can be looked for. */
  readonly lost: readonly Key[];
}

type KeyedEntry = Pick<LorebookEntry, 'keys' | 'scan'>;

interface WrittenKey {
  readonly key: Key;
  readonly keywords: readonly Keyword[];
  /** Whether a form of it cannot be said. */
  readonly isPartial: boolean;
}

function exactKey(key: Key, { scan }: KeyedEntry): WrittenKey {
  if (key.kind === 'literal') {
    const text = key.text.trim();
    const tokens = [...text].map(charToken);
    // SillyTavern looks for several words anywhere, whatever the setting (1.19).
    const isWhole = scan.matchWholeWords === true && !/\s/.test(text);
    const keyword = keywordOfForm({ tokens: isWhole ? [EDGE, ...tokens, EDGE] : tokens, doubt: null });
    return { key, keywords: keyword === null ? [] : [keyword], isPartial: keyword === null };
  }
  if (matchesAnything(key)) return { key, keywords: [{ keyword: ANY_LINE, doubt: null }], isPartial: false };
  const keywords = formsOfPattern(key.source, key.flags).map(keywordOfForm);
  const known = keywords.filter((each): each is Keyword => each !== null);
  return { key, keywords: withoutRedundant(known), isPartial: known.length < keywords.length };
}

// A pattern that is found in an empty text, wherever that stands.
function matchesAnything({ source, flags }: Key & { readonly kind: 'regex' }): boolean {
  if (/[\^$]|\\[bB]|\(\?<?[=!]/.test(source) || flags.includes('y')) return false;
  return patternSearch(source, flags)?.('') === true;
}

// A plain key stays its own text, whole words as keywords are. Stars around it are Agnai's switch for whole words: they
// are set where the user switched whole words off.
function naturalKey(key: Key, entry: KeyedEntry): WrittenKey {
  const exact = exactKey(key, entry);
  if (key.kind === 'regex' || entry.scan.matchWholeWords !== true) return exact;
  const keywords = exact.keywords.map(({ keyword, doubt }): Keyword => {
    const bare = keyword.replace(/^\*|\*$/g, '');
    return {
      keyword: bare,
      doubt: doubt ?? (bare === keyword ? null : 'Agnai does not look for it inside longer words'),
    };
  });
  return { ...exact, keywords };
}

/** One writer for each style. */
const KEY_WRITERS: Readonly<Record<Style, (key: Key, entry: KeyedEntry) => WrittenKey>> = {
  natural: naturalKey,
  exact: exactKey,
};

/** Writes an entry's keys in a style. An empty key is never found and not written (decisions 4). */
export function writtenKeywords(entry: KeyedEntry, style: Style): WrittenKeywords {
  const written = entry.keys
    .filter((key) => key.kind !== 'literal' || key.text.trim() !== '')
    .map((key) => KEY_WRITERS[style](key, entry));
  const keywords = withoutRedundant(written.flatMap((each) => each.keywords));
  const counts = new Set(keywords.map(({ keyword }) => keyword));
  return {
    keywords: keywords.map(({ keyword }) => keyword),
    doubts: written.flatMap(({ key, keywords: own, isPartial }): readonly KeyDoubt[] => {
      if (!own.some(({ keyword }) => counts.has(keyword))) return [];
      const reason = isPartial
        ? 'one of its forms cannot be said there'
        : own.find(({ doubt }) => doubt !== null)?.doubt;
      return reason === undefined || reason === null ? [] : [{ key, reason }];
    }),
    lost: written.filter((each) => each.keywords.length === 0).map(({ key }) => key),
  };
}

/** Each keyword is compared with each: in a longer list a needless one does no harm. */
const MOST_COMPARED = 200;

// A keyword that is found inside words finds whatever holds it.
function withoutRedundant(keywords: readonly Keyword[]): readonly Keyword[] {
  const byText = new Map<string, Keyword>();
  for (const each of keywords) if (!byText.has(each.keyword)) byText.set(each.keyword, each);
  const unique = [...byText.values()];
  if (unique.length > MOST_COMPARED) return unique;
  const inner = unique.flatMap(({ keyword }) => {
    const [, text] = /^\*([^*?]+)\*$/.exec(keyword) ?? [];
    return text === undefined ? [] : [text.toLowerCase()];
  });
  return unique.filter(({ keyword }) => {
    const text = keyword.replace(/^\*|\*$/g, '').toLowerCase();
    return !inner.some((each) => text.includes(each) && (text !== each || !/^\*.*\*$/.test(keyword)));
  });
}

/**
 * What keys decide, as something to be compared: keywords where they say it exactly, else the key as SillyTavern finds
 * it. `ours`: keys as SillyTavern finds them, else keywords that were read.
 */
export function decisionOf(entry: KeyedEntry, keywordsRead: readonly string[] | null): string {
  const decided =
    keywordsRead ??
    entry.keys.flatMap((key): readonly string[] => {
      if (key.kind === 'literal' && key.text.trim() === '') return [];
      const { keywords, isPartial } = exactKey(key, entry);
      const isExact = !isPartial && keywords.every(({ doubt }) => doubt === null);
      return isExact ? keywords.map(({ keyword }) => keyword) : [`as SillyTavern finds ${writeKey(key)}`];
    });
  const kept = withoutRedundant(decided.map((keyword) => ({ keyword, doubt: null })));
  return JSON.stringify([...new Set(kept.map(({ keyword }) => keyword))].sort());
}

/** Whether case counts in an entry's plain keys, and there are letters of which it could be said. */
export const usesCase = ({ keys, scan }: KeyedEntry): boolean =>
  scan.caseSensitive === true && keys.some((key) => key.kind === 'literal' && /\p{Cased}/u.test(key.text));
