// What an entry's keys come to once some of them are known: always, never, or the keys that still decide
// (SillyTavern 1.19, checkWorldInfo: secondary keys count only when selective is on and there are some).

import type { Key } from '../../core/key.ts';
import type { Logic, LorebookEntry } from '../../core/lorebook.ts';
import type { KeyVerdict } from './resolve-keys.ts';

/** What starts the entry, as far as its keys say. */
export type KeyDecision =
  | { readonly fires: 'always' | 'never'; readonly reason: string }
  | {
      readonly fires: 'keys';
      readonly keys: readonly Key[];
      readonly secondaryKeys: readonly Key[];
      readonly logic: Logic;
    };

/** A key that is found in every text, also in none. */
export const ANY_TEXT_KEY: Key = Object.freeze({ kind: 'regex', source: '.*', flags: '' });

/** The secondary keys that still decide, or what they come to without a chat. */
type Rest = { readonly met: boolean; readonly reason: string } | { readonly open: readonly Key[] };

/**
 * Decides an entry by its keys. Keys that can make no difference are left out, and secondary keys take the place of
 * primary ones that are always found: the entry fires in the same chats as before.
 */
export function decideByKeys(
  entry: LorebookEntry,
  primary: readonly KeyVerdict[],
  secondary: readonly KeyVerdict[],
): KeyDecision {
  const live = primary.filter(({ found }) => found !== 'never');
  const [first] = primary;
  if (first === undefined) return { fires: 'never', reason: 'It has no keys.' };
  if (live.length === 0) return { fires: 'never', reason: first.reason };
  const sure = live.find(({ found }) => found === 'always');
  const counts = entry.selective && secondary.length > 0;
  const rest: Rest = counts ? restOf(entry.logic, secondary) : { met: true, reason: '' };
  const keys = live.map(({ key }) => key);
  if ('met' in rest) {
    if (!rest.met) return { fires: 'never', reason: rest.reason };
    if (sure !== undefined) return { fires: 'always', reason: sure.reason };
    // Secondary keys that are off stay as they are.
    const secondaryKeys = counts ? [] : secondary.map(({ key }) => key);
    return { fires: 'keys', keys, secondaryKeys, logic: entry.logic };
  }
  const { logic } = entry;
  if (sure === undefined) return { fires: 'keys', keys, secondaryKeys: rest.open, logic };
  if (logic === 'and_any') return { fires: 'keys', keys: rest.open, secondaryKeys: [], logic };
  if (logic === 'and_all') {
    const [head, ...others] = rest.open;
    return { fires: 'keys', keys: head === undefined ? keys : [head], secondaryKeys: others, logic };
  }
  return { fires: 'keys', keys: [ANY_TEXT_KEY], secondaryKeys: rest.open, logic };
}

function restOf(logic: Logic, secondary: readonly KeyVerdict[]): Rest {
  const always = secondary.find(({ found }) => found === 'always');
  const never = secondary.find(({ found }) => found === 'never');
  const open = secondary.filter(({ found }) => found === 'open').map(({ key }) => key);
  switch (logic) {
    case 'and_any':
      if (always !== undefined) return met;
      return open.length > 0 ? { open } : unmet('None of its secondary keys can be found', never);
    case 'and_all':
      if (never !== undefined) return unmet('One of its secondary keys can never be found', never);
      return open.length > 0 ? { open } : met;
    case 'not_any':
      if (always !== undefined) return unmet('One of the keys that must be missing is always found', always);
      return open.length > 0 ? { open } : met;
    case 'not_all':
      if (never !== undefined) return met;
      return open.length > 0
        ? { open }
        : unmet('All of the keys that must not all be there are found', always);
  }
}

const met: Rest = { met: true, reason: '' };
const unmet = (sentence: string, why: KeyVerdict | undefined): Rest => ({
  met: false,
  reason: why === undefined ? `${sentence}.` : `${sentence}. ${why.reason}`,
});
