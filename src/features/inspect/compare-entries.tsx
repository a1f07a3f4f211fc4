// The list of a comparison: a block for each entry that differs, field by field, and the ways to say it as plain text.

import type { ChangedEntry, LorebookDifference } from '../../core/compare.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { entryLabel } from '../../core/lorebook.ts';
import { t } from '../../host/context.ts';
import { COPY_FIELDS, type NotCarried } from '../../inspection/comparison.ts';
import { cut } from './entry-row.tsx';
import { fieldLines, hiddenName, lineWords } from './field-words.ts';
import { TextDifference } from './text-difference.tsx';

/** One entry of the list; the side that has none is null. */
export interface EntryPair {
  readonly card: LorebookEntry | null;
  readonly world: LorebookEntry | null;
  readonly paths: readonly string[];
}

/** The pairs that differ: changed ones first, then what only one side has. */
export function differingPairs({ changed, added, removed }: LorebookDifference): readonly EntryPair[] {
  return [
    ...changed.map(({ before, after, paths }: ChangedEntry) => ({ card: before, world: after, paths })),
    ...added.map((world) => ({ card: null, world, paths: ONE_SIDED })),
    ...removed.map((card) => ({ card, world: null, paths: ONE_SIDED })),
  ];
}

// Enough to tell which entry it is, and what it does.
const ONE_SIDED: readonly string[] = ['content', 'keys', 'position'];

const labelOf = (entry: LorebookEntry): string => cut(entryLabel(entry).trim() || t`Untitled`);

function kindOf({ card, world }: EntryPair): { readonly icon: string; readonly word: string } {
  if (card === null) return { icon: 'plus', word: t`Only in the world file` };
  if (world === null) return { icon: 'minus', word: t`Only in the card` };
  return { icon: 'pen', word: t`Changed` };
}

/** Draws one pair. */
export function PairBlock({ pair }: { readonly pair: EntryPair }) {
  const { card, world, paths } = pair;
  const { icon, word } = kindOf(pair);
  const entry = world ?? card;
  if (entry === null) return null;
  const isBoth = card !== null && world !== null;
  return (
    <section class="lf-difference" aria-label={`${word}: ${labelOf(entry)}`}>
      <header>
        <span class="lf-kind">
          <i class={`fa-solid fa-${icon}`} aria-hidden="true" /> {word}
        </span>
        <b class="lf-name lf-text">{labelOf(entry)}</b>
        {isBoth ? (
          <span class="lf-muted">{t`${paths.length} of ${COPY_FIELDS.length} fields`}</span>
        ) : entry.enabled ? null : (
          <span class="lf-muted">{t`off`}</span>
        )}
      </header>
      {fieldLines(paths).map(({ key, name }) => (
        <div class="lf-field-row" key={key}>
          <span>{name}</span>
          <Side entry={card} other={world} line={key} word={t`Card`} none={t`not in the card`} />
          <Side entry={world} other={card} line={key} word={t`World file`} none={t`not in the world file`} />
        </div>
      ))}
    </section>
  );
}

interface SideProps {
  readonly entry: LorebookEntry | null;
  readonly other: LorebookEntry | null;
  readonly line: string;
  readonly word: string;
  readonly none: string;
}

function Side({ entry, other, line, word, none }: SideProps) {
  if (entry === null) {
    return (
      <span class="lf-side lf-absent" data-side={word}>
        <span class="lf-muted">{line === 'content' ? none : '–'}</span>
      </span>
    );
  }
  const text = oneSided(line, entry, lineWords(line, entry), other);
  return (
    <span class="lf-side" data-side={word}>
      {text === '' ? (
        <span class="lf-muted">{t`nothing`}</span>
      ) : (
        <span class="lf-text">
          {other === null ? cut(text, 1200) : <TextDifference text={text} other={lineWords(line, other)} />}
        </span>
      )}
    </span>
  );
}

const oneSided = (line: string, entry: LorebookEntry, words: string, other: LorebookEntry | null): string =>
  other === null && line === 'position' ? t`${words}, order ${entry.order}` : words;

/** The pairs as plain text, for "Copy the list". */
export function listText(pairs: readonly EntryPair[]): string {
  return pairs
    .map((pair) => {
      const entry = pair.world ?? pair.card;
      if (entry === null) return '';
      const lines = fieldLines(pair.paths).flatMap(({ key, name }) => [
        ...(pair.card === null ? [] : [`  ${name}, ${t`Card`}: ${lineWords(key, pair.card)}`]),
        ...(pair.world === null ? [] : [`  ${name}, ${t`World file`}: ${lineWords(key, pair.world)}`]),
      ]);
      return [`${kindOf(pair).word}: ${labelOf(entry)}`, ...lines].join('\n');
    })
    .join('\n\n');
}

/** Draws entries that are the same in both. */
export function SameRows({ entries }: { readonly entries: readonly LorebookEntry[] }) {
  return (
    <ul class="lf-rows" aria-label={t`Entries that are the same`}>
      {entries.map((entry) => (
        <li class="lf-row lf-row-plain" key={entry.id}>
          <b class="lf-name lf-text">{labelOf(entry)}</b>
          <span class="lf-muted lf-text">{cut(lineWords('keys', entry), 120)}</span>
        </li>
      ))}
    </ul>
  );
}

const MOST_HIDDEN = 100;

const hiddenCount = (entries: number): string => {
  if (entries === 0) return t`fields of the lorebook`;
  return entries === 1 ? t`1 entry` : t`${entries.toLocaleString()} entries`;
};

interface HiddenProps {
  readonly entries: readonly NotCarried[];
  readonly ofBook: readonly string[];
}

/** Draws what SillyTavern's own copy cannot carry; folded, since nothing is to be done about it. */
export function HiddenList({ entries, ofBook }: HiddenProps) {
  if (entries.length + ofBook.length === 0) return null;
  const more = entries.length - MOST_HIDDEN;
  const names = (paths: readonly string[]): string =>
    [...new Set(paths.map(hiddenName))].slice(0, 12).join(', ');
  return (
    <details class="lf-hidden">
      <summary>
        {t`Not carried by SillyTavern’s own copy`}: {hiddenCount(entries.length)}
      </summary>
      <p class="lf-muted">
        {t`What SillyTavern cannot write into a card, or into a world file. It changes nothing in what it generates and counts as no difference.`}
      </p>
      <ul class="lf-rows">
        {ofBook.length === 0 ? null : (
          <li class="lf-row lf-row-plain">
            <b>{t`The lorebook itself`}</b>
            <span class="lf-muted lf-text">{names(ofBook)}</span>
          </li>
        )}
        {entries.slice(0, MOST_HIDDEN).map(({ entry, paths }) => (
          <li class="lf-row lf-row-plain" key={entry.id}>
            <b class="lf-name lf-text">{labelOf(entry)}</b>
            <span class="lf-muted lf-text">{names(paths)}</span>
          </li>
        ))}
        {more > 0 ? <li class="lf-row lf-muted">{t`and ${more.toLocaleString()} more`}</li> : null}
      </ul>
    </details>
  );
}
