// A finding of an export as a person reads it: what it was, what it becomes, and why.

import type { Finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import type { Slot } from '../../core/position.ts';
import { t } from '../../host/context.ts';
import { fieldName } from '../import/entry-words.ts';
import { findingSentence } from '../inspect/finding-words.ts';
import { roleWord, slotWords } from '../inspect/prompt-words.ts';

/** A difference in words; `from` and `to` are null where the sentence says enough. */
export interface DifferenceWords {
  readonly from: string | null;
  readonly to: string | null;
  readonly why: string;
}

const LETTERS = 80;

/** Puts a finding into words. */
export function differenceWords(found: Finding): DifferenceWords {
  const { code, path, before, after } = found;
  const why = findingSentence(found);
  if (code !== 'lost' && code !== 'approximated' && code !== 'stashed') return { from: null, to: null, why };
  // One key of several: the sentence names it.
  if ((path === 'keys' || path === 'secondaryKeys') && typeof before === 'string')
    return { from: null, to: null, why };
  const [from, to] = [valueWords(path, before), valueWords(path, after)];
  // Kept aside: what it is stays as it is.
  if (from === to) return { from: null, to: null, why };
  return { from: `${nameOf(path)}: ${from}`, to, why };
}

function nameOf(path: string): string {
  const name = ownName(path) ?? fieldName(path);
  return name.length > LETTERS ? `${name.slice(0, LETTERS)}…` : name;
}

// Of these a report has a number each; their section's name would not say which.
function ownName(path: string): string | undefined {
  switch (path) {
    case 'timing.sticky':
      return t`Sticky`;
    case 'timing.cooldown':
      return t`Cooldown`;
    case 'timing.delay':
      return t`Delay`;
    case 'group.weight':
      return t`Group weight`;
    case 'scan.depth':
    case 'scanDepth':
      return t`Scan depth`;
    case 'tokenBudget':
      return t`Token budget`;
  }
  return undefined;
}

function valueWords(path: string, value: Json): string {
  if (value === null || value === '') return t`none`;
  if (path === 'position.slot' && isSlot(value)) return placeWords(value);
  if (path === 'position.role' && (value === 'system' || value === 'user' || value === 'assistant'))
    return roleWord(value);
  if (typeof value === 'boolean') return booleanWord(path, value);
  const text = typeof value === 'string' ? value : listWords(value);
  return text.length > LETTERS ? `${text.slice(0, LETTERS)}…` : text;
}

function listWords(value: Json): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return t`none`;
  return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ');
}

function booleanWord(path: string, value: boolean): string {
  if (path === 'enabled') return value ? t`on` : t`off`;
  return value ? t`yes` : t`no`;
}

const SLOTS: readonly Slot[] = [
  'world',
  'character',
  'note_top',
  'note_bottom',
  'depth',
  'before_example',
  'after_example',
  'outlet',
  'append',
  'append_bottom',
  'prepend_top',
  'scene',
];

const isSlot = (value: Json): value is Slot => SLOTS.includes(value as Slot);

function placeWords(slot: Slot): string {
  if (slot === 'depth' || slot === 'append_bottom') return t`At a depth`;
  return slot === 'outlet' ? t`Outlet` : slotWords(slot, null, null, null).words;
}
