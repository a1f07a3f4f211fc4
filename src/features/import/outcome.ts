// What became of one imported card, and how it is said.

import type { Finding } from '../../core/finding.ts';
import { appName } from '../../formats/app-names.ts';
import { t } from '../../host/context.ts';
import type { Question } from './extraction.ts';
import { foundSentence } from './place-words.ts';
import type { ReuseReason } from './plan.ts';

/** A book as it ended up. */
export interface BookOutcome {
  /** The world that holds it. */
  readonly world: string;
  /** The name that the book itself had. */
  readonly wanted: string;
  readonly entries: number;
  readonly slot: string;
  readonly how: 'created' | 'replaced' | 'merged' | 'beside' | ReuseReason;
  readonly nameTaken: boolean;
}

/** What became of a card. */
export type CardOutcome =
  | {
      readonly kind: 'done';
      readonly avatar: string;
      readonly character: string;
      /** The app in whose own words the card came; absent for SillyTavern's and the standard's. */
      readonly app?: string;
      readonly books: readonly BookOutcome[];
      readonly findings: readonly Finding[];
      /** The journal's step; null when nothing was changed, or it could not be kept. */
      readonly step: string | null;
      readonly changed: boolean;
      /** Whether its additional lorebooks are set as such. */
      readonly hasExtras: boolean;
      /** A link that was set and not yet looked at again; null for none. */
      readonly linkToCheck: string | null;
    }
  | { readonly kind: 'none'; readonly avatar: string; readonly character: string; readonly app?: string }
  | { readonly kind: 'left'; readonly avatar: string; readonly character: string }
  | {
      readonly kind: 'claim';
      readonly avatar: string;
      readonly character: string;
      readonly world: string;
      readonly exists: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly avatar: string;
      readonly character: string;
      readonly reason: string;
      readonly retry: (() => Promise<CardOutcome | Question>) | null;
    };

/** "1 entry", "20 entries". */
export const entryCount = (count: number): string => (count === 1 ? t`1 entry` : t`${count} entries`);

/** What was mended, taken for granted or could only be kept nearly, aside or not at all, counted; "" when nothing was. */
export function repairs(findings: readonly Finding[]): string {
  const paths = (code: Finding['code'], match: (path: string) => boolean): number =>
    new Set(
      findings
        .filter((each) => each.code === code && match(each.path))
        .map((each) => `${each.bookId}\n${each.entryId}\n${each.path}`),
    ).size;
  const ids = paths('repaired', (path) => path === 'id');
  const positions = paths('repaired', (path) => path === 'position.slot');
  const others = paths('repaired', (path) => path !== 'id' && path !== 'position.slot');
  const assumed = paths('assumed', () => true);
  const conflicts = paths('conflict', () => true);
  const near = paths('approximated', () => true);
  const aside = paths('stashed', () => true);
  const lost = paths('lost', () => true);
  const parts = [
    ids === 1 ? t`1 id repaired` : ids > 1 ? t`${ids} ids repaired` : '',
    positions === 1 ? t`1 position repaired` : positions > 1 ? t`${positions} positions repaired` : '',
    others === 1 ? t`1 other value repaired` : others > 1 ? t`${others} other values repaired` : '',
    assumed === 1 ? t`1 value assumed` : assumed > 1 ? t`${assumed} values assumed` : '',
    conflicts === 1 ? t`1 conflict needs a look` : conflicts > 1 ? t`${conflicts} conflicts need a look` : '',
    near === 1 ? t`1 value approximated` : near > 1 ? t`${near} values approximated` : '',
    aside === 1 ? t`1 value kept aside` : aside > 1 ? t`${aside} values kept aside` : '',
    lost === 1 ? t`1 value lost` : lost > 1 ? t`${lost} values lost` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

/** The headline of one card's outcome. */
export function outcomeTitle(outcome: CardOutcome): string {
  switch (outcome.kind) {
    case 'failed':
      return t`Not done`;
    case 'none':
      return outcome.app === undefined ? t`No lorebook` : t`Converted, no lorebook`;
    case 'left':
      return t`Left in the card`;
    case 'claim':
      return outcome.exists ? t`Names a lorebook you have` : t`Names a lorebook you do not have`;
    case 'done': {
      const [first] = outcome.books;
      if (first === undefined) return t`No lorebook`;
      if (first.how === 'created') return first.nameTaken ? t`Extracted as “${first.world}”` : t`Extracted`;
      if (first.how === 'replaced') return t`Replaced`;
      if (first.how === 'merged') return t`New entries taken`;
      if (first.how === 'beside') return t`Saved beside`;
      if (first.how === 'kept') return t`Your book kept`;
      return outcome.changed ? t`Linked` : t`Already extracted`;
    }
  }
}

/** One card's outcome in whole sentences, one a line. */
export function outcomeLines(outcome: CardOutcome): readonly string[] {
  switch (outcome.kind) {
    case 'failed':
      return [outcome.reason];
    case 'none':
      return outcome.app === undefined
        ? [t`Nothing to extract.`]
        : [converted(outcome.app), t`It brought no lorebook.`];
    case 'left':
      return [t`The lorebook stays in the card, as you chose.`];
    case 'claim':
      return [
        outcome.exists
          ? t`The card names the lorebook “${outcome.world}” but does not bring it. You have one of that name; it was not linked.`
          : t`The linked lorebook “${outcome.world}” does not exist here, and the card does not bring it.`,
      ];
    case 'done': {
      const lines = outcome.books.map((book, index) => bookLine(book, outcome, index === 0));
      const repaired = outcome.books.some(({ how }) => how === 'created' || how === 'replaced')
        ? repairs(outcome.findings)
        : '';
      return [
        ...lines,
        ...(outcome.app === undefined ? [] : [converted(outcome.app)]),
        ...(repaired === '' ? [] : [repaired]),
      ];
    }
  }
}

const converted = (app: string): string => t`The card was converted from ${appName(app)}.`;

function bookLine(
  book: BookOutcome,
  { character, hasExtras }: Extract<CardOutcome, { kind: 'done' }>,
  isPrimary: boolean,
): string {
  const { world, entries, how, nameTaken, wanted } = book;
  const count = entryCount(entries);
  const additional = isPrimary
    ? ''
    : hasExtras
      ? ` ${t`It is an additional lorebook of ${character}.`}`
      : ` ${t`It could not be made an additional lorebook of ${character}; add it in the character panel.`}`;
  const place = foundSentence(book.slot);
  const found = place === '' ? '' : ` ${place}`;
  switch (how) {
    case 'created':
      return (
        (nameTaken
          ? t`“${world}”: ${count}. You have another “${wanted}” with other content; it was not touched.`
          : isPrimary
            ? t`“${world}”: ${count}, linked to ${character}.`
            : t`“${world}”: ${count}.`) +
        additional +
        found
      );
    case 'replaced':
      return t`“${world}” is the new version now, ${count}. The old one is kept in Recent changes.`;
    case 'merged':
      return t`“${world}” has the new entries; your edits stayed.`;
    case 'beside':
      return t`The new version was saved as a file of its own, not linked. ${character} keeps “${world}”.`;
    case 'kept':
      return t`“${world}” stays as it is and stays linked. The new version was set aside.`;
    case 'already-linked':
      return t`“${world}” is already linked to ${character} and holds this book; nothing was written.`;
    case 'same-card':
      // Its entries may have been edited since.
      return t`“${world}” was made of this lorebook, so no second file was made.` + additional;
    case 'same-content':
      return t`“${world}” has the same content, so no second file was made.` + additional;
  }
}
