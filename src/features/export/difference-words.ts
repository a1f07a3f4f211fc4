// A finding of an export as a person reads it: what it was, what it becomes, and why.

import type { Finding } from '../../core/finding.ts';
import { isArray, isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Slot } from '../../core/position.ts';
import { t } from '../../host/context.ts';
import { findingSentence } from '../inspect/finding-words.ts';
import { roleWord, slotWords } from '../inspect/prompt-words.ts';
import { fieldTitle } from './field-titles.ts';

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
  if (path === 'keys' && typeof before === 'string') return { from: null, to: null, why };
  if (path === 'secondaryKeys' && typeof before === 'string')
    return { from: null, to: null, why: t`Secondary keys: ${why}` };
  const [from, to] = [valueWords(path, before), valueWords(path, after)];
  // Kept aside: what it is stays as it is.
  if (from === to) return { from: null, to: null, why };
  return { from: `${fieldTitle(path)}: ${from}`, to, why };
}

function valueWords(path: string, value: Json): string {
  if (value === null || value === '') return t`none`;
  if (path === 'position.slot' && isSlot(value)) return placeWords(value);
  if (path === 'position.role' && (value === 'system' || value === 'user' || value === 'assistant'))
    return roleWord(value);
  if (path === 'settings.characterStrategy' && typeof value === 'number') return strategyWord(value);
  if (path === 'characterFilter' && isObject(value)) return filterWords(value);
  if (typeof value === 'boolean') return booleanWord(path, value);
  const text = typeof value === 'string' ? value : listWords(value);
  return cut(text);
}

const cut = (text: string): string => (text.length > LETTERS ? `${text.slice(0, LETTERS)}…` : text);

function listWords(value: Json): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return t`none`;
  return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ');
}

function booleanWord(path: string, value: boolean): string {
  if (path === 'enabled') return value ? t`on` : t`off`;
  return value ? t`yes` : t`no`;
}

// SillyTavern 1.19, world_info_insertion_strategy.
function strategyWord(value: number): string {
  if (value === 0) return t`sorted evenly`;
  return value === 1 ? t`character lore first` : t`global lore first`;
}

function filterWords({ names, tags, isExclude, exclude }: JsonObject): string {
  const count = isArray(tags) ? tags.length : 0;
  const who = [
    ...(isArray(names) ? names.map(String) : []),
    ...(count === 0 ? [] : [count === 1 ? t`1 tag` : t`${count} tags`]),
  ].join(', ');
  return isExclude === true || exclude === true ? t`all but ${cut(who)}` : cut(who);
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
