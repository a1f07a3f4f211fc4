// Values as no sane app writes them: odd texts, huge numbers, broken Unicode; and what the fields of an entry may hold.

import fc from 'fast-check';
import type { Json } from '../../src/core/json.ts';

/** Names of fields that a prototype has. */
export const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'length',
  '',
];
const ODD_TEXTS = [
  '',
  ' ',
  '\n',
  '\ud800',
  'a\udfffb',
  '\u0000',
  '🙂𠮷',
  '/lamp/i',
  '/open(/',
  'AC/DC',
  'l[ae]mp',
  'a, b',
  '4',
  '1e999',
];
const ODD_NUMBERS = [0, 1, 2, 4, 7, 8, 42, -1, 0.5, 2 ** 53 + 2, 1e300, -1e300, 5e-324];

/** A short text, often an odd one. */
export const anyText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ maxLength: 12 }));
/** A number, often an odd one. */
export const anyNumber = fc.oneof(fc.constantFrom(...ODD_NUMBERS), fc.integer({ min: -5, max: 200 }));

/** Any small JSON value. */
export const anyJson: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Json>(null, true, false, '', 0, [], {}) },
  { weight: 3, arbitrary: fc.oneof(anyText, anyNumber) },
  { weight: 2, arbitrary: fc.array(anyText, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json> },
);

/** What the field of a path may hold: mostly something that some app really writes there. */
export const PLAUSIBLE: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  keys: fc.array(anyText, { maxLength: 3 }),
  secondaryKeys: fc.array(anyText, { maxLength: 2 }),
  title: anyText,
  content: anyText,
  'position.slot': fc.constantFrom<Json>('before_char', 'after_char', 0, 1, 2, 3, 4, 5, 6, 7, '4', ''),
  'position.role': fc.constantFrom<Json>(0, 1, 2, 'user', 'assistant'),
  'position.outlet': anyText,
  logic: fc.constantFrom<Json>(0, 1, 2, 3, 'and', 'not'),
  'group.name': anyText,
  automationId: anyText,
  triggers: fc.array(anyText, { maxLength: 2 }),
  characterFilter: fc.record({
    isExclude: fc.boolean(),
    names: fc.array(anyText, { maxLength: 2 }),
    tags: fc.array(anyText, { maxLength: 1 }),
  }),
  order: anyNumber,
  displayIndex: anyNumber,
  'position.depth': fc.nat(20),
  'probability.chance': fc.nat(100),
  'recursion.delayUntil': fc.oneof(fc.boolean(), fc.nat(3)),
  'group.weight': anyNumber,
  'scan.depth': fc.nat(10),
  'timing.sticky': fc.nat(3),
  'timing.cooldown': fc.nat(3),
  'timing.delay': fc.nat(3),
};
