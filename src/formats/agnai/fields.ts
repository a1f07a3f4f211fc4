// Agnai's table: each field of an entry, where it stands in a memory book, and what is written instead when Agnai
// cannot say it. Six fields do something; everything else that a book may hold is kept and never read (1.0.27).

import { shown } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { isArray, sameJson } from '../../core/json.ts';
import { sameKeys, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { anyNumber, flag, text } from '../_shared/codecs.ts';
import type { EntryField, EntrySource } from '../_shared/entry-field.ts';
import { field, inEntry } from '../_shared/entry-field.ts';
import type { EntryTable } from '../_shared/entry-table.ts';
import { entryTable } from '../_shared/entry-table.ts';
import { plain } from '../_shared/plain-row.ts';
import { titleRow } from '../_shared/title-row.ts';
import {
  ANY_LINE,
  isAlwaysFound,
  keyOfKeyword,
  keywordDoubt,
  keywordOfKey,
  keywordPattern,
} from './keywords.ts';
import * as nearest from './nearest.ts';
import { keys as nearestKeys } from './nearest-keys.ts';
import type { Nearest } from './write-context.ts';

/** The name of this dialect. */
export const AGNAI = 'agnai';

/** One field. */
export interface AgnaiField {
  readonly path: string;
  /** Its row, where a memory book has a place for it. */
  readonly row?: EntryField;
  /** What is written when the value cannot be said. */
  readonly nearest?: Nearest;
  /** What is said where a memory book has no place for it. */
  readonly absent?: string;
}

/** Keywords: what starts an entry, and whether it is always there. Matching is the same for all of them. */
const keywordsRow: EntryField = {
  path: 'keys',
  wires: [inEntry('keywords')],
  isPlain: false,
  read: (source, draft) => {
    const keywords = keywordsAt(source);
    draft.constant = keywords.some(isAlwaysFound);
    draft.keys = keywords.filter((keyword) => !isAlwaysFound(keyword)).map(keyOfKeyword);
    draft.scan = { depth: null, caseSensitive: false, matchWholeWords: true };
    if (!draft.constant) noteDoubts(keywords, draft.keys, source);
  },
  same: (a, b) => a.constant === b.constant && sameKeys(a.keys, b.keys),
  take: (from, into) => {
    into.keys = from.keys;
    into.constant = from.constant;
  },
  write: (entry, { entry: target }) => {
    const keywords = entry.keys.map(keywordOfKey);
    target['keywords'] = entry.constant ? [ANY_LINE, ...keywords] : keywords;
  },
  show: (entry) => entry.keys.map(writeKey),
};

// Other tools write one text with commas, as Agnai's own form shows the keywords.
function keywordsAt(source: EntrySource): readonly string[] {
  const raw = source.entry['keywords'];
  if (raw === undefined || raw === null) return [];
  if (isArray(raw) && raw.every((each) => typeof each === 'string')) return raw as readonly string[];
  const list = isArray(raw)
    ? raw
    : typeof raw === 'string'
      ? raw.split(',').map((part) => part.trim())
      : [raw];
  const texts = list
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .map(String)
    .filter((each) => each !== '');
  source.note('repaired', 'keys', raw, texts, `keywords ${shown(raw)} is not a list of texts.`);
  return texts;
}

function noteDoubts(keywords: readonly string[], keys: LorebookEntry['keys'], source: EntrySource): void {
  const doubts = keywords.flatMap((keyword) => {
    const doubt = keywordDoubt(keyword);
    return doubt === null ? [] : [{ keyword, doubt }];
  });
  const [first, ...others] = doubts;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` So may ${others.length} more of its keywords.`;
  source.note(
    'approximated',
    'keys',
    keywords.map((keyword) => `/${keywordPattern(keyword)}/i`),
    keys.map(writeKey),
    `The keyword “${first.keyword}” may match differently in SillyTavern: ${first.doubt}.${more}`,
  );
}

// Entries stand in one block of the prompt, directly behind the character.
const blockRow: EntryField = {
  path: 'position.slot',
  wires: [],
  isPlain: false,
  read: (_, draft) => {
    draft.position.slot = 'character';
  },
  same: () => true,
  take: () => undefined,
  write: () => undefined,
  show: (entry) => entry.position.slot,
};

const nowhere = (path: string, more: Pick<AgnaiField, 'nearest' | 'absent'> = {}): AgnaiField => ({
  path,
  ...more,
});

const source = (name: keyof LorebookEntry['sources']): AgnaiField =>
  nowhere(`sources.${name}`, { absent: 'Agnai searches nothing but the chat' });

/** The fields, in the order in which they are written. */
export const AGNAI_FIELDS: readonly AgnaiField[] = [
  { path: 'title', row: titleRow, nearest: nearest.title },
  {
    path: 'content',
    row: plain({ lens: field('content'), codec: text, wires: [inEntry('entry')], unset: '' }),
    nearest: nearest.content,
  },
  { path: 'keys', row: keywordsRow, nearest: nearestKeys },
  {
    path: 'order',
    row: plain({ lens: field('order'), codec: anyNumber, wires: [inEntry('weight')], unset: 0 }),
    nearest: nearest.order,
  },
  {
    path: 'enabled',
    row: plain({ lens: field('enabled'), codec: flag, wires: [inEntry('enabled')], unset: true }),
  },
  { path: 'position.slot', row: blockRow, nearest: nearest.position },
  nowhere('constant'),
  nowhere('secondaryKeys', { nearest: nearest.secondaryKeys }),
  nowhere('selective'),
  nowhere('logic'),
  nowhere('scan.caseSensitive', { nearest: nearest.caseSensitive }),
  nowhere('scan.matchWholeWords'),
  nowhere('scan.depth', { nearest: nearest.scanDepth }),
  nowhere('position.depth'),
  nowhere('position.role'),
  nowhere('position.outlet'),
  nowhere('probability.chance', { nearest: nearest.probability }),
  nowhere('probability.used'),
  nowhere('group.name', { nearest: nearest.group }),
  nowhere('group.override'),
  nowhere('group.weight'),
  nowhere('group.scoring'),
  nowhere('timing.sticky', { absent: 'Agnai searches anew for every reply' }),
  nowhere('timing.cooldown', { absent: 'Agnai searches anew for every reply' }),
  nowhere('timing.delay', { absent: 'Agnai searches from the first message on' }),
  nowhere('recursion.exclude', { nearest: nearest.recursion }),
  nowhere('recursion.prevent'),
  nowhere('recursion.delayUntil', { nearest: nearest.delayUntil }),
  nowhere('vectorized', { absent: 'Agnai finds entries by their keywords only' }),
  nowhere('triggers', { nearest: nearest.triggers }),
  source('personaDescription'),
  source('characterDescription'),
  source('characterPersonality'),
  source('characterDepthPrompt'),
  source('scenario'),
  source('creatorNotes'),
  // The priority says as much.
  nowhere('ignoreBudget', { nearest: nearest.ignoreBudget }),
  nowhere('characterFilter', { absent: 'Agnai has no filters of characters' }),
  nowhere('automationId', { absent: "it names an automation of SillyTavern's" }),
  // Its list is the order of the book.
  nowhere('displayIndex'),
];

/** The table of a memory book. */
export const AGNAI_TABLE: EntryTable = entryTable(
  AGNAI,
  AGNAI_FIELDS.flatMap(({ row }) => row ?? []),
  ['id'],
);

/** Fields that a book which came from elsewhere may still hold, with the value that says nothing. */
export const IDLE_FIELDS: readonly (readonly [name: string, nothing: readonly Json[]])[] = [
  ['constant', [false]],
  ['secondaryKeys', [[]]],
  ['position', [1, 'after_char', '']],
  ['probability', [100]],
  ['excludeRecursion', [false]],
];

/** Whether an idle field says something that SillyTavern would act on. */
export const saysSomething = (value: Json | undefined, nothing: readonly Json[]): boolean =>
  value !== undefined && value !== null && !nothing.some((each) => sameJson(each, value));
