// Two values of every canonical field of an entry, neither of them the default: one to fill an entry with, one to
// edit it to. A table row without a value here fails the tests, so a new field cannot go untested.

import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { newEntry } from '../../src/core/lorebook.ts';
import { deepFreeze } from './deep-freeze.ts';

/** The eight places of SillyTavern, in the order of its numbers (0 to 7; RoleCall's own four are none of it). */
export const SLOTS = [
  'world',
  'character',
  'note_top',
  'note_bottom',
  'depth',
  'before_example',
  'after_example',
  'outlet',
] as const;

/** A field's path, a value that is no default, and another one. */
export interface FieldValues {
  readonly path: string;
  readonly set: unknown;
  readonly other: unknown;
}

const literal = (text: string) => ({ kind: 'literal', text });
const regex = (source: string, flags: string) => ({ kind: 'regex', source, flags });
const of = (path: string, set: unknown, other: unknown): FieldValues => ({ path, set, other });

/** One row for each row of the dialects' tables. */
export const FIELD_VALUES: readonly FieldValues[] = deepFreeze([
  of('keys', [literal('lamp'), regex('l[ae]mp', 'i')], [literal('wick')]),
  of('secondaryKeys', [literal('oil')], [literal('tallow'), literal('wax')]),
  of('title', 'The Lamp', 'The Wick'),
  of('content', 'Lamp note.', 'Wick note.'),
  of('constant', true, false),
  of('selective', true, false),
  of('order', 7, 8),
  of('enabled', false, true),
  of('position.slot', 'depth', 'before_example'),
  of('position.depth', 2, 9),
  of('position.role', 'assistant', 'user'),
  of('position.outlet', 'shelf', 'drawer'),
  of('displayIndex', 5, 6),
  of('probability.chance', 35, 36),
  of('probability.used', false, true),
  of('logic', 'and_all', 'not_any'),
  of('recursion.exclude', true, false),
  of('recursion.prevent', true, false),
  of('recursion.delayUntil', 2, 3),
  of('group.name', 'lights', 'fires'),
  of('group.override', true, false),
  of('group.weight', 40, 41),
  of('group.scoring', true, false),
  of('scan.depth', 6, 0),
  of('scan.caseSensitive', true, false),
  of('scan.matchWholeWords', false, true),
  of('automationId', 'au1', 'au2'),
  of('vectorized', true, false),
  of('timing.sticky', 3, 4),
  of('timing.cooldown', 2, 5),
  of('timing.delay', 1, 6),
  of('sources.personaDescription', true, false),
  of('sources.characterDescription', true, false),
  of('sources.characterPersonality', true, false),
  of('sources.characterDepthPrompt', true, false),
  of('sources.scenario', true, false),
  of('sources.creatorNotes', true, false),
  of('triggers', ['normal', 'swipe'], ['continue']),
  of('ignoreBudget', true, false),
  of(
    'characterFilter',
    { exclude: true, names: ['Odo Pell'], tags: ['t1'] },
    { exclude: false, names: ['Odo Pell', 'Runa'], tags: [] },
  ),
]);

/** A copy of an entry with one field replaced. */
export function withValue(entry: LorebookEntry, path: string, value: unknown): LorebookEntry {
  const [section, name] = path.split('.') as [keyof LorebookEntry, string | undefined];
  if (name === undefined) return deepFreeze({ ...entry, [section]: value });
  return deepFreeze({ ...entry, [section]: { ...(entry[section] as object), [name]: value } });
}

/** The value of a field. */
export function valueAt(entry: LorebookEntry, path: string): unknown {
  return path.split('.').reduce((at: unknown, key) => (at as Record<string, unknown>)[key], entry);
}

/** An entry of which every field is set. */
export function fullEntry(id = 'e0'): LorebookEntry {
  const start = deepFreeze({ ...newEntry(id), memo: 'Keep short.' }) as LorebookEntry;
  return FIELD_VALUES.reduce((entry, { path, set }) => withValue(entry, path, set), start);
}
