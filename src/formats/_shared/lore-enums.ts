// The enumerations that the card's book and the world file share: logic, role, character filter.

import type { Json } from '../../core/json.ts';
import { isObject, sameJson } from '../../core/json.ts';
import type { CharacterFilter, Logic } from '../../core/lorebook.ts';
import type { Role, Slot } from '../../core/position.ts';
import type { Codec, Mend } from './codecs.ts';
import { choice, texts } from './codecs.ts';

const LOGIC_WORDS = Object.assign(Object.create(null) as Record<string, Logic>, {
  and_any: 'and_any',
  not_all: 'not_all',
  not_any: 'not_any',
  and_all: 'and_all',
  and: 'and_any',
  or: 'and_any',
  not: 'not_any',
});
const SPOKEN_LOGIC = { and_any: 'and', not_all: 'not_all', not_any: 'not', and_all: 'and_all' } as const;

/**
 * SillyTavern's numbers (1.19: 0 AND ANY, 1 NOT ALL, 2 NOT ANY, 3 AND ALL). Words: our own, and Marinara's
 * (2.3.3: `and` and `or` both mean any, `not` none, `not_all` not every).
 */
export const logicCodec: Codec<Logic> = choice<Logic>(
  [
    ['and_any', 0],
    ['not_all', 1],
    ['not_any', 2],
    ['and_all', 3],
  ],
  LOGIC_WORDS,
  SPOKEN_LOGIC,
);

/** Lumiverse's own numbers for the same four (1.1.0): 0 AND ALL, 1 NOT ANY, 2 AND ANY, 3 NOT ALL. */
export const lumiverseLogicCodec: Codec<Logic> = choice<Logic>(
  [
    ['and_all', 0],
    ['not_any', 1],
    ['and_any', 2],
    ['not_all', 3],
  ],
  LOGIC_WORDS,
  SPOKEN_LOGIC,
);

/** Roles at a depth: SillyTavern's numbers 0 to 2; Marinara and Lumiverse write the words. */
export const roleCodec: Codec<Role> = choice<Role>(
  [
    ['system', 0],
    ['user', 1],
    ['assistant', 2],
  ],
  Object.assign(Object.create(null) as Record<string, Role>, {
    system: 'system',
    user: 'user',
    assistant: 'assistant',
  }),
  { system: 'system', user: 'user', assistant: 'assistant' },
);

/** SillyTavern's `{isExclude, names, tags}`. A filter that names nobody is no filter. */
export const characterFilterCodec: Codec<CharacterFilter | null> = {
  decode: (raw, mend) => {
    if (raw === null) return undefined;
    if (!isObject(raw)) {
      mend('is not a character filter and was not used');
      return undefined;
    }
    const names = textsIn(raw['names'], mend);
    const tags = textsIn(raw['tags'], mend);
    if (names.length === 0 && tags.length === 0) return undefined;
    return { exclude: raw['isExclude'] === true, names, tags };
  },
  encode: (value) =>
    value === null ? null : { isExclude: value.exclude, names: value.names, tags: value.tags },
  same: (a, b) => a === b || (a !== null && b !== null && sameJson(a, b)),
};

function textsIn(value: Json | undefined, mend: Mend): readonly string[] {
  return (value === undefined ? undefined : texts.decode(value, mend)) ?? [];
}

/** RoleCall's slots, as it writes them; it has none for the author's note and for outlets. */
export const ROLECALL_SLOTS: readonly Slot[] = [
  'world',
  'character',
  'before_example',
  'after_example',
  'depth',
  'append',
  'append_bottom',
  'prepend_top',
  'scene',
];
