// How an entry's keys are written, one way for each style (decisions 28), and what decision a list of keys makes, by
// which what was written is compared with what was meant. Facts: RisuAI 460ecae2.

import type { Style } from '../../core/exporter.ts';
import type { Key } from '../../core/key.ts';
import { writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { literalPattern, patternOfWorkingForm, workingForm } from '../_shared/risu/key-form.ts';
import { perMessage } from './per-message.ts';

type KeyList = 'keys' | 'secondaryKeys';
const KEY_LISTS = ['keys', 'secondaryKeys'] as const;

/** Something that a key will do otherwise there. */
export interface KeyDoubt {
  readonly path: KeyList;
  readonly before: string;
  readonly after: string;
  readonly message: string;
}

/** Keys as RisuAI gets them. */
export interface WrittenKeys {
  readonly keys: readonly string[];
  readonly secondary: readonly string[];
  /** Whether they are patterns; RisuAI has one switch for all keys of an entry. */
  readonly isPattern: boolean;
  readonly doubts: readonly KeyDoubt[];
}

/** What becomes of plain keys that mind case, which plain keys there never do: a pattern, or a key that any case starts. */
export type CaseSensitiveKeys = 'pattern' | 'plain';

/** How keys are written. */
export interface KeyWriting {
  /** Whether SillyTavern searches names. */
  readonly includeNames: boolean;
  readonly caseSensitiveKeys: CaseSensitiveKeys;
}

type KeyedEntry = Pick<LorebookEntry, KeyList | 'scan' | 'constant'>;
type Scan = LorebookEntry['scan'];

const isRegex = (key: Key): boolean => key.kind === 'regex';
const isEmpty = (key: Key): boolean => key.kind === 'literal' && key.text === '';
const textOf = (key: Key): string => (key.kind === 'literal' ? key.text.trim() : writeKey(key));

/** A key in RisuAI's working form, finding what SillyTavern 1.19 finds; with names included it searches "Name: text". */
export function patternOf(
  key: Key,
  scan: Scan,
  includeNames: boolean,
): { readonly text: string; readonly doubt: string | null } {
  if (key.kind === 'regex') {
    const edges = { before: includeNames ? ' ' : '\u0001', hasNext: (scan.depth ?? 2) > 1 } as const;
    const moved = perMessage(key, edges);
    const written = workingForm(moved);
    return { text: written.text, doubt: moved.doubt ?? written.doubt };
  }
  const text = key.text.trim();
  const wholeWord = scan.matchWholeWords === true && !/\s/.test(text) && text !== '';
  const flags = scan.caseSensitive === true ? '' : 'i';
  return workingForm({ source: literalPattern({ text, wholeWord }), flags });
}

type KeyWriter = (entry: KeyedEntry, writing: KeyWriting) => WrittenKeys;

const natural: KeyWriter = (entry, writing) =>
  needsPatterns(entry, writing) ? patterns(entry, writing) : plainly(entry);

/** One writer for each style. Keys of a constant entry start nothing and stay as a person reads them. */
export const KEY_WRITERS: Readonly<Record<Style, KeyWriter>> = {
  natural,
  exact: (entry, writing) => (entry.constant ? natural : patterns)(entry, writing),
};

// A comma would part a plain key, and plain keys never mind case.
const needsPatterns = (entry: KeyedEntry, { caseSensitiveKeys }: KeyWriting): boolean => {
  const all = KEY_LISTS.flatMap((list) => entry[list]);
  if (all.some((key) => isRegex(key) || textOf(key).includes(','))) return true;
  return entry.scan.caseSensitive === true && caseSensitiveKeys === 'pattern';
};

function patterns(entry: KeyedEntry, { includeNames }: KeyWriting): WrittenKeys {
  const doubts: KeyDoubt[] = [];
  const of = (path: KeyList): readonly string[] =>
    entry[path]
      .filter((key) => !isEmpty(key))
      .map((key) => {
        const { text, doubt } = patternOf(key, entry.scan, includeNames);
        if (doubt !== null) doubts.push(doubted(path, key, text, doubt));
        return text;
      });
  return { keys: of('keys'), secondary: of('secondaryKeys'), isPattern: true, doubts };
}

function plainly(entry: KeyedEntry): WrittenKeys {
  const doubts: KeyDoubt[] = [];
  const of = (path: KeyList): readonly string[] =>
    entry[path].flatMap((key) => {
      const text = textOf(key);
      const isWord = entry.scan.matchWholeWords === true && !/\s/.test(text);
      const reason =
        text === ''
          ? 'a key of blanks is never found there'
          : isWord
            ? 'it is found inside longer words there, and across blanks'
            : 'blanks do not count there, so it is found across them';
      const inAnyCase = entry.scan.caseSensitive === true && text !== '';
      const all = inAnyCase ? `${reason}, and small and capital letters are the same` : reason;
      if (!isEmpty(key)) doubts.push(doubted(path, key, text, all));
      return text === '' ? [] : [text];
    });
  return { keys: of('keys'), secondary: of('secondaryKeys'), isPattern: false, doubts };
}

const doubted = (path: KeyList, key: Key, after: string, reason: string): KeyDoubt => ({
  path,
  before: `${writeKey(key)} as SillyTavern finds it`,
  after: `${after} as RisuAI finds it`,
  message: `The key “${writeKey(key)}” may match differently in RisuAI: ${reason}.`,
});

/** Whose keys are looked at, and whether SillyTavern searches names. */
export interface Finder {
  readonly ours: boolean;
  readonly includeNames: boolean;
}

/** What a list of keys decides, as something to be compared: as SillyTavern finds them (`ours`) or as RisuAI does. */
export function decisionOf(
  entry: KeyedEntry,
  path: KeyList,
  { ours, includeNames }: Finder,
): readonly string[] {
  const isPlain = !ours && entry.scan.matchWholeWords === null && !entry[path].some(isRegex);
  return entry[path]
    .filter((key) => !isEmpty(key))
    .map((key) => {
      if (isPlain) return `plain ${textOf(key)}`;
      // What was read back stands for messages already.
      const { text, doubt } =
        ours || key.kind === 'literal'
          ? patternOf(key, entry.scan, includeNames)
          : { ...workingForm(key), doubt: null };
      const pattern = patternOfWorkingForm(text);
      const flags = [...(pattern?.flags ?? '')].filter((flag) => flag !== 'g').sort();
      return `${pattern?.source}/${flags.join('')}${doubt === null ? '' : ` ${doubt}`}`;
    });
}
