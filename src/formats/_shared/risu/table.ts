// RisuAI's decorators as a table: what each reads of an entry, and with which of them a field is written. Facts: commit
// 460ecae2. Fields that are no decorators (keys, title, order, always active) stand in entry.ts and the writer.

import type { LorebookEntry } from '../../../core/lorebook.ts';
import type { Role } from '../../../core/position.ts';
import { DEEPEST_SCAN } from '../codecs.ts';
import type { DecoratorLine } from './decorator-lines.ts';
import type { Held } from './held.ts';
import { conditionLines, line, placeLines, type WriteFacts, when } from './written-lines.ts';

/** A field, or several that are said together. */
export interface RisuRow {
  readonly path: string;
  readonly names: readonly string[];
  /** Takes a decorator; false when RisuAI does not support it as it is written. */
  readonly read: (line: DecoratorLine, held: Held) => boolean;
  readonly write: (entry: LorebookEntry, facts: WriteFacts) => readonly DecoratorLine[];
}

/** The priority of an entry that is free of the budget. */
export const BEYOND_BUDGET = 1_000_000;

const number = ({ args }: DecoratorLine): number => Number.parseInt(args[0] ?? '', 10);
const NOTHING = (): readonly DecoratorLine[] => [];

/** What is left of a chance, in percent, when one more throw must succeed; null is no throw yet. */
export function afterThrow(chance: number | null, percent: number): number {
  const one = Math.min(100, Math.max(0, percent));
  return Math.round((chance ?? 100) * one) / 100;
}

/** A decorator with a number. */
const counted = (take: (value: number, held: Held) => void) => (one: DecoratorLine, held: Held) => {
  const value = number(one);
  if (Number.isNaN(value)) return false;
  take(value, held);
  return true;
};
const plainly = (take: (held: Held) => void) => (_: DecoratorLine, held: Held) => {
  take(held);
  return true;
};

/** The places that have a name, and the slot that each is. */
export const RISU_PLACES: Readonly<Record<string, 'world' | 'character'>> = {
  before_desc: 'world',
  after_desc: 'character',
  personality: 'character',
  scenario: 'character',
};
const UI_PROMPTS: readonly string[] = ['post_history_instructions', 'system_prompt'];
const ROLES: readonly string[] = ['system', 'user', 'assistant'] satisfies readonly Role[];

/** The rows, in the order in which their decorators are written. */
export const RISU_ROWS: readonly RisuRow[] = [
  {
    path: 'enabled',
    names: ['dont_activate', 'activate'],
    read: ({ name }, held) => {
      held.forced = name === 'activate' ? 'on' : 'off';
      return true;
    },
    write: ({ enabled }) => when(!enabled, line('dont_activate')),
  },
  {
    path: 'position.slot',
    names: ['position', 'end', 'inject_at', 'inject_lore', 'inject_prepend', 'inject_replace'],
    read: ({ name, args }, held) => {
      if (name === 'end') {
        held.place = 'depth';
        held.depth = 0;
        return true;
      }
      if (name !== 'position') {
        held.aside.push({ name, args });
        return true;
      }
      const [place = ''] = args;
      if (!place.startsWith('pt_') && !Object.hasOwn(RISU_PLACES, place)) return false;
      held.place = place;
      return true;
    },
    write: ({ position }) => placeLines(position),
  },
  {
    path: 'position.depth',
    names: ['depth', 'reverse_depth'],
    read: (one, held) => {
      const value = number(one);
      if (Number.isNaN(value)) return false;
      held.place = one.name;
      held.depth = value;
      return true;
    },
    write: NOTHING,
  },
  {
    path: 'position.role',
    names: ['role'],
    read: ({ args: [role = ''] }, held) => {
      if (!ROLES.includes(role)) return false;
      held.role = role as Role;
      return true;
    },
    write: NOTHING,
  },
  {
    path: 'scan.depth',
    names: ['scan_depth'],
    // Anything that is no number searches the whole chat there.
    read: (one, held) => {
      const value = number(one);
      held.scanDepth = Number.isNaN(value) ? DEEPEST_SCAN : value;
      return true;
    },
    write: ({ scan, recursion, constant }, { bookDepth }) => {
      const depth = recursion.delayUntil > 0 ? 0 : (scan.depth ?? bookDepth);
      return constant || depth === null || depth === bookDepth ? [] : [line('scan_depth', depth)];
    },
  },
  {
    path: 'logic',
    names: ['additional_keys', 'exclude_keys', 'exclude_keys_all'],
    read: ({ name, args }, held) => {
      if (name === 'additional_keys') held.needed.push(args);
      else if (name === 'exclude_keys') held.excluded.push(args);
      else held.notAll.push(args);
      return true;
    },
    write: conditionLines,
  },
  {
    path: 'scan.matchWholeWords',
    names: ['match_full_word', 'match_partial_word'],
    read: ({ name }, held) => {
      held.wholeWord = name === 'match_full_word';
      return true;
    },
    write: NOTHING,
  },
  {
    path: 'probability.chance',
    names: ['probability'],
    // Each line is a throw of its own; one without a number always succeeds.
    read: (one, held) => {
      const value = number(one);
      if (!Number.isNaN(value)) held.chance = afterThrow(held.chance, value);
      return true;
    },
    write: ({ probability: { used, chance } }) =>
      when(used && chance < 100, line('probability', Math.round(chance))),
  },
  {
    path: 'timing.delay',
    names: ['activate_only_after'],
    read: counted((value, held) => {
      held.delay = Math.max(held.delay ?? value, value);
    }),
    write: ({ timing: { delay } }) => (delay === null ? [] : [line('activate_only_after', delay)]),
  },
  {
    path: 'recursion.prevent',
    names: ['unrecursive', 'recursive'],
    read: ({ name }, held) => {
      held.recursive = name === 'recursive';
      return true;
    },
    write: ({ recursion }) => when(recursion.prevent, line('unrecursive')),
  },
  {
    path: 'recursion.exclude',
    names: ['no_recursive_search'],
    read: plainly((held) => {
      held.searchesEntries = false;
    }),
    write: ({ recursion }) => when(recursion.exclude, line('no_recursive_search')),
  },
  {
    path: 'ignoreBudget',
    names: ['priority', 'ignore_on_max_context'],
    read: (one, held) => {
      held.priority = one.name === 'priority' ? number(one) : -1000;
      if (held.priority !== BEYOND_BUDGET) held.aside.push(one);
      return true;
    },
    write: ({ ignoreBudget }, { priority }) =>
      ignoreBudget
        ? [line('priority', BEYOND_BUDGET)]
        : priority === null
          ? []
          : [line('priority', priority)],
  },
  {
    path: 'aside',
    names: ['activate_only_every', 'is_greeting', 'disable_ui_prompt'],
    read: (one, held) => {
      const isKnown =
        one.name === 'disable_ui_prompt'
          ? UI_PROMPTS.includes(one.args[0] ?? '')
          : !Number.isNaN(number(one));
      if (!isKnown) return false;
      held.aside.push(one);
      return true;
    },
    write: NOTHING,
  },
];

const BY_NAME = new Map(RISU_ROWS.flatMap((row) => row.names.map((name) => [name, row] as const)));
// These do something and yet let a fallback line speak.
const ALSO_FALLBACK: readonly string[] = ['keep_activate_after_match', 'dont_activate_after_match'];

/** Takes a decorator into the state; false when RisuAI does not support it, so that its fallback counts. */
export function takeDecorator(one: DecoratorLine, held: Held): boolean {
  const row = BY_NAME.get(one.name);
  if (row?.read(one, held)) return true;
  if (row === undefined || ALSO_FALLBACK.includes(one.name)) held.aside.push(one);
  return false;
}

/** The decorators of an entry. */
export function decoratorsOf(entry: LorebookEntry, facts: WriteFacts): readonly DecoratorLine[] {
  return RISU_ROWS.flatMap((row) => row.write(entry, facts));
}
