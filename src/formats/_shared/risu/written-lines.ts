// The decorators with which RisuAI's entries are written, where one line takes several fields (commit 460ecae2).

import type { LorebookEntry } from '../../../core/lorebook.ts';
import type { DecoratorLine } from './decorator-lines.ts';
import { doubledFirst } from './key-form.ts';

/** What writing depends on beside the entry. */
export interface WriteFacts {
  /** What the book searches; null where the entry must say it itself. */
  readonly bookDepth: number | null;
  /** The secondary keys as they are written. */
  readonly secondary: readonly string[];
  /** Whether keys are written as patterns. */
  readonly isPattern: boolean;
  /** Further keys of which all must be found, each by itself. */
  readonly needed: readonly string[];
  /** Further keys of which none may be found. */
  readonly excluded: readonly string[];
  /** The rank in the budget where it is not the order. */
  readonly priority: number | null;
}

/** A decorator. */
export const line = (name: string, ...args: readonly (string | number)[]): DecoratorLine => ({
  name,
  args: args.map(String),
});
/** Lines that are written only when something holds. */
export const when = (holds: boolean, ...lines: readonly DecoratorLine[]): readonly DecoratorLine[] =>
  holds ? lines : [];

/**
 * Where an entry stands. The second line of a depth wins in RisuAI, where the first counts from the top of the chat; a
 * reader that keeps to CCv3 passes the second one over.
 */
export function placeLines(position: LorebookEntry['position']): readonly DecoratorLine[] {
  const { slot, depth, role, outlet } = position;
  if (slot === 'world') return [line('position', 'before_desc')];
  if (slot === 'outlet') return [line('position', `pt_${outlet}`)];
  if (slot !== 'depth') return [line('position', 'after_desc')];
  return [
    line('depth', depth),
    ...when(depth > 0, line('reverse_depth', depth)),
    ...when(role !== 'system', line('role', role)),
  ];
}

/** What must be found beside the keys, or must not. */
export function conditionLines(entry: LorebookEntry, facts: WriteFacts): readonly DecoratorLine[] {
  const { secondary, isPattern, needed, excluded } = facts;
  const listed = (name: string, list: readonly string[]): DecoratorLine =>
    line(name, ...(isPattern ? doubledFirst(list) : list));
  const more = [
    ...needed.map((key) => listed('additional_keys', [key])),
    ...when(excluded.length > 0, listed('exclude_keys', excluded)),
  ];
  if (!entry.selective || secondary.length === 0) return more;
  if (entry.logic === 'not_any') return [listed('exclude_keys', secondary), ...more];
  if (entry.logic === 'not_all') return [listed('exclude_keys_all', secondary), ...more];
  const all = entry.logic === 'and_all' ? secondary.map((key) => listed('additional_keys', [key])) : [];
  return [...all, ...more];
}
