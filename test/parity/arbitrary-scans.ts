// Characters with small books in which everything is likely to meet, and chats about them.

import fc from 'fast-check';
import { readPieces } from '../../src/convert.ts';
import { readKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { emptyBag, newEntry } from '../../src/core/lorebook.ts';
import type { BookOrigin } from '../../src/core/resolved.ts';
import type { ResolveInput } from '../../src/formats/sillytavern/resolve.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { cardWith } from '../support/fixtures.ts';
import type { Message } from './cases.ts';

const CHARACTER = deepFreeze(
  readPieces(
    cardWith(undefined, {
      name: 'Nyra',
      description: 'Keeper of the oil lamp, as {{char}} says.',
      personality: 'kind',
      scenario: 'Bells ring.',
      first_mes: 'Sit down.',
      creator_notes: 'A card about tar.',
      extensions: { depth_prompt: { prompt: 'Whisper to {{user}}.', depth: 4, role: 'system' } },
    }),
  ).character,
);

const key = fc
  .constantFrom(
    ...['lamp', 'oil', 'tar', 'bell', 'bells', 'kind', 'whisper', 'oil lamp', 'Nyra', 'Robin', 'Robin: oil'],
    ...[
      '{{user}}',
      '{{char}} says',
      '',
      ' ',
      ' lamp ',
      'LAMP',
      '/l[ae]mp/',
      '/^.?Robin/',
      '/o.l\\s/i',
      '/.*/',
    ],
    ...['/tar(?!red)/', '/bell$/', '/[^a]bell/i', 'yra', '/kind|oil/'],
  )
  .map((written) => readKey(written).key);
const keys = fc.array(key, { maxLength: 3 });
const rarely = (share: number): fc.Arbitrary<boolean> => fc.nat(99).map((roll) => roll < share);
const maybe = <T>(value: fc.Arbitrary<T>, otherwise: T, share = 25): fc.Arbitrary<T> =>
  rarely(share).chain((isOn) => (isOn ? value : fc.constant(otherwise)));

const entryParts = fc.record({
  keys: fc.oneof({ weight: 5, arbitrary: fc.array(key, { minLength: 1, maxLength: 2 }) }, keys),
  secondaryKeys: maybe(keys, [], 40),
  selective: maybe(fc.constant(false), true, 15),
  logic: fc.constantFrom<LorebookEntry['logic']>('and_any', 'and_all', 'not_any', 'not_all'),
  words: fc.constantFrom('', 'lamp', 'oil and tar', 'a bell', 'Nyra is kind'),
  head: maybe(
    fc.constantFrom('@@activate\n', '@@dont_activate\n', '@@depth 2\n', '@@x\n@@@activate\n'),
    '',
    15,
  ),
  enabled: maybe(fc.constant(false), true, 10),
  constant: rarely(12),
  order: fc.constantFrom(10, 100, 100, 100, 200),
  chance: maybe(fc.constant(0), 100, 10),
  used: maybe(fc.constant(false), true, 20),
  ignoreBudget: rarely(15),
  exclude: rarely(15),
  prevent: rarely(25),
  delayUntil: maybe(fc.constantFrom(1, 2), 0, 20),
  depth: maybe(fc.constantFrom(0, 1, 2, 3, 20), null, 30),
  caseSensitive: maybe(fc.boolean(), null),
  matchWholeWords: maybe(fc.boolean(), null),
  sources: fc.array(
    fc.constantFrom(
      'characterDescription',
      'characterPersonality',
      'characterDepthPrompt',
      'scenario',
      'creatorNotes',
    ),
    { maxLength: 2 },
  ),
  // Not several names: SillyTavern then takes out a bystander, the last entry, which a decision may have removed.
  group: maybe(fc.constantFrom('sky', 'sea'), '', 40),
  override: rarely(50),
  weight: fc.constantFrom(0, 100, 100),
  scoring: maybe(fc.constant(true), null, 10),
  triggers: maybe(fc.constantFrom<readonly string[]>(['normal'], ['swipe', 'quiet'], ['whenever']), [], 15),
  filter: maybe(
    fc.record({
      exclude: fc.boolean(),
      names: fc.constantFrom([], ['Nyra-1'], ['Odo']),
      tags: fc.constantFrom([], ['t1'], ['t2', 't3']),
    }),
    null,
    15,
  ),
  delay: maybe(fc.constantFrom(2, 3), null, 10),
});
type Parts = typeof entryParts extends fc.Arbitrary<infer T> ? T : never;

function entryOf(parts: Parts, index: number): LorebookEntry {
  const sources = Object.fromEntries(parts.sources.map((name) => [name, true]));
  const base = newEntry(`e${index}`);
  return {
    ...base,
    keys: parts.keys,
    secondaryKeys: parts.secondaryKeys,
    selective: parts.selective,
    logic: parts.logic,
    content: `${parts.head}${parts.words} MARK_${index + 1}`,
    enabled: parts.enabled,
    constant: parts.constant,
    order: parts.order,
    probability: { chance: parts.chance, used: parts.used },
    ignoreBudget: parts.ignoreBudget,
    timing: { sticky: null, cooldown: null, delay: parts.delay },
    group: { name: parts.group, override: parts.override, weight: parts.weight, scoring: parts.scoring },
    recursion: { exclude: parts.exclude, prevent: parts.prevent, delayUntil: parts.delayUntil },
    scan: {
      depth: parts.depth,
      caseSensitive: parts.caseSensitive,
      matchWholeWords: parts.matchWholeWords,
    },
    sources: { ...base.sources, ...sources },
    triggers: parts.triggers,
    characterFilter: parts.filter,
  };
}

const settings = fc.record({
  depth: fc.constantFrom(0, 1, 2, 2, 2, 5),
  minActivations: maybe(fc.constantFrom(1, 3), 0, 15),
  minActivationsDepthMax: maybe(fc.constant(2), 0, 30),
  budget: maybe(fc.constant(1), 25, 15),
  includeNames: maybe(fc.constant(false), true, 30),
  recursive: maybe(fc.constant(false), true, 25),
  maxRecursionSteps: maybe(fc.constantFrom(1, 2, 3), 0, 25),
  caseSensitive: fc.boolean(),
  matchWholeWords: fc.boolean(),
  useGroupScoring: rarely(10),
  characterStrategy: fc.constantFrom(0, 1, 2),
});

const bookOf = (origins: readonly BookOrigin[]) =>
  fc.record({ origin: fc.constantFrom(...origins), entries: fc.array(entryParts, { maxLength: 5 }) });
// There is one primary book, one of the chat and one of the persona.
const books = fc
  .tuple(
    bookOf(['primary', 'chat', 'persona', 'global']),
    fc.array(bookOf(['additional', 'global']), { maxLength: 1 }),
  )
  .map(([first, others]) => [first, ...others]);

/** A character with one or two books, and the user's settings. */
export const anyInput: fc.Arbitrary<ResolveInput> = fc.record({ settings, books }).map((given) => {
  let count = 0;
  return deepFreeze({
    character: CHARACTER,
    userName: 'Robin',
    avatar: 'Nyra-1.png',
    tagIds: ['t1', 't9'],
    settings: { ...SHIPPED_SCAN_SETTINGS, ...given.settings },
    books: given.books.map(({ origin, entries }, index) => ({
      origin,
      lorebook: {
        id: `b${index}`,
        name: `Book ${index}`,
        original: {},
        body: {
          name: '',
          description: '',
          scanDepth: null,
          tokenBudget: null,
          recursiveScanning: null,
          extensions: {},
          entries: entries.map((parts) => entryOf(parts, count++)),
          bag: { dialect: emptyBag('').dialect, book: {} },
        },
      },
    })),
  });
});

const words = fc.constantFrom(
  'hello',
  'a lamp',
  'oil',
  'the bells',
  'tar',
  'kind of',
  'lemp oil',
  'Nyra',
  'tarred bell',
);
/** A chat in turns, the user's message last. */
export const anyChat: fc.Arbitrary<readonly Message[]> = fc
  .array(fc.tuple(words, words), { minLength: 1, maxLength: 3 })
  .map((turns) => {
    const said = turns.flatMap(([char, user]): Message[] => [
      { role: 'assistant', name: 'Nyra', text: char },
      { role: 'user', name: 'Robin', text: user },
    ]);
    return said;
  });
