// Writes samples/: three invented cards to try the extension with, each with a book in a place or a shape that
// SillyTavern's own import handles badly. Run it again after changing it; the results are committed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, pngOfHarbour } from './sample-picture.mjs';

const folder = join(resolve(dirname(fileURLToPath(import.meta.url)), '..'), 'samples');

/** An entry as SillyTavern itself embeds it: a coarse word at the top level, everything precise in `extensions`. */
function entry(id, keys, title, content, { coarse, ...more } = {}, extensions = {}) {
  const position = extensions.position ?? 1;
  return {
    id,
    keys,
    secondary_keys: [],
    comment: title,
    content,
    constant: false,
    selective: true,
    insertion_order: 100,
    enabled: true,
    position: coarse ?? (position === 0 ? 'before_char' : 'after_char'),
    use_regex: true,
    ...more,
    extensions: {
      position,
      exclude_recursion: false,
      prevent_recursion: false,
      delay_until_recursion: false,
      display_index: id,
      probability: 100,
      useProbability: true,
      depth: 4,
      selectiveLogic: 0,
      outlet_name: '',
      group: '',
      group_override: false,
      group_weight: 100,
      scan_depth: null,
      match_whole_words: null,
      use_group_scoring: false,
      case_sensitive: null,
      automation_id: '',
      role: 0,
      vectorized: false,
      sticky: 0,
      cooldown: 0,
      delay: 0,
      ...extensions,
    },
  };
}

/** Every position that SillyTavern has, every second-key logic, and the four things that trip importers up. */
const almanac = {
  name: 'Fenn Harbour Almanac',
  description: 'What everyone in Fenn Harbour knows, and what only the harbour master writes down.',
  scan_depth: 3,
  token_budget: 900,
  recursive_scanning: true,
  extensions: {},
  entries: [
    entry(
      0,
      ['Fenn Harbour', 'the harbour'],
      'Fenn Harbour',
      'Fenn Harbour is a tidal town of four hundred people, built on the north bank of the Sill. Twice a day the water leaves, and the boats sit down in the mud like cattle.',
      {},
      { position: 0 },
    ),
    entry(
      1,
      ['almanac'],
      'The Almanac',
      'The Almanac is a ledger in eleven volumes. Ottoline keeps it in pencil, because "ink is for people who are sure".',
      { insertion_order: 90 },
      { position: 1 },
    ),
    entry(
      2,
      [],
      'House rule (always on)',
      'Ottoline never gives a tide by the clock. She says "two kettles from now" or "before the bread".',
      { constant: true },
      { position: 2 },
    ),
    entry(
      3,
      ['bell', 'bells'],
      'The fog bell',
      'The fog bell is rung by hand: three strokes for a boat coming in, five for one that has not.',
      { insertion_order: 110 },
      { position: 3, sticky: 3, cooldown: 6 },
    ),
    entry(
      4,
      ['ferry', 'crossing'],
      'The six o’clock ferry (at depth 2, as system)',
      '[The ferry Patience leaves at the half tide with or without its captain.]',
      {},
      { position: 4, depth: 2, role: 0 },
    ),
    entry(
      5,
      ['letter'],
      'A letter under the door (at depth 0, as the user)',
      'There is a letter under the door. It is damp, and addressed in green.',
      {},
      { position: 4, depth: 0, role: 1, probability: 60 },
    ),
    entry(
      6,
      ['storm'],
      'Storm talk (at depth 1, as the character)',
      'My knee says north-west, and my knee has not been wrong since the bakery roof.',
      { secondary_keys: ['forecast', 'tomorrow'] },
      { position: 4, depth: 1, role: 2, selectiveLogic: 0 },
    ),
    entry(
      7,
      ['how do you speak'],
      'How she talks',
      '{{user}}: Is it safe to go out?\n{{char}}: Safe is a big word. It is possible.',
      {},
      { position: 5 },
    ),
    entry(
      8,
      ['gull', 'Bertram'],
      'Bertram the gull',
      '{{user}}: Is that your gull?\n{{char}}: Nobody owns Bertram. He audits us.',
      { secondary_keys: ['chips', 'bread'] },
      { position: 6, selectiveLogic: 2 },
    ),
    entry(
      9,
      ['chart', 'map'],
      'Chart notes (outlet)',
      'Shoals: Widow’s Table, the Two Clerks, Old Apology. Marked in red, all three.',
      {},
      { position: 7, outlet_name: 'chart-notes' },
    ),
    entry(
      10,
      ['/\\b(spring|neap) tides?\\b/i'],
      'Springs and neaps (a regex key)',
      'At springs the slipway shows its ninth step. At neaps nobody has ever seen the seventh.',
      { insertion_order: 80 },
      { position: 1 },
    ),
    entry(
      11,
      ['lantern'],
      'Lantern and key',
      'The green lantern is lit only when its key is back on the hook.',
      { secondary_keys: ['key', 'hook'] },
      { position: 0, selectiveLogic: 3, group: 'lights', group_weight: 60 },
    ),
    entry(
      11,
      ['lantern', 'lamp oil'],
      'Lamp oil (the id of the entry above, once more)',
      'Lamp oil is kept in the chapel, which is the driest place and the least visited.',
      { secondary_keys: ['chapel', 'cellar'] },
      { position: 0, selectiveLogic: 1, group: 'lights', group_weight: 40 },
    ),
    entry(
      13,
      ['winter fair'],
      'Winter fair (switched off)',
      'The winter fair has not been held since the ice carried off the carousel.',
      { enabled: false },
      { position: 1 },
    ),
    entry(
      14,
      ['harbour master'],
      'The office (says "before", means at depth 4)',
      'The harbour master’s office is one room, one stove, one chair, and a second chair for the weather.',
      { coarse: 'before_char' },
      { position: 4, depth: 4, role: 0 },
    ),
  ],
};

const ottoline = {
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: {
    name: 'Ottoline Fenn',
    description:
      '{{char}} is the harbour master of Fenn Harbour: sixty-one, square, unhurried, in a coat with more pockets than buttons. She knows every boat by the sound of its engine and every captain by the sound of its excuse.',
    personality:
      'Dry, patient, exact about water and vague about everything else. Kind in ways that look like chores.',
    scenario: '{{user}} has come to the harbour office to ask about a crossing. The tide is out.',
    first_mes:
      'The woman at the desk does not look up from her ledger. "If it’s about the crossing," says {{char}}, "the crossing is currently mud. Sit. Mind the gull."',
    mes_example:
      '<START>\n{{user}}: When can I cross?\n{{char}}: Two kettles from now. One, if you are in a hurry and can swim.',
    creator_notes: 'A sample card of Loreferry. Her book uses every position that SillyTavern has.',
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: ['"You again," says {{char}}, and puts the second cup on the stove.'],
    tags: [],
    creator: 'Loreferry samples',
    character_version: '1.0',
    extensions: { talkativeness: '0.5', fav: false, world: almanac.name },
    character_book: almanac,
  },
};

const plainEntry = (id, keys, name, content, more = {}) => ({
  id,
  keys,
  secondary_keys: [],
  name,
  comment: name,
  content,
  constant: false,
  selective: false,
  insertion_order: 10 * (id + 1),
  enabled: true,
  position: 'after_char',
  case_sensitive: false,
  priority: 10,
  extensions: {},
  ...more,
});

/** A card of the first version: flat, with the book at the root. SillyTavern drops such a book at import. */
const lamplighter = {
  name: 'The Lamplighter',
  description:
    '{{char}} lights the forty-one street lamps of Quillon each evening and puts them out each morning. Nobody has seen them by day. They carry a ladder, a long brass hook and a bag of matches that never seems to get lighter.',
  personality: 'Soft-spoken, punctual, curious about other people’s windows.',
  scenario: '{{user}} cannot sleep and meets {{char}} under lamp seventeen.',
  first_mes:
    'The lamp above you catches with a small sigh. "Seventeen," says {{char}}. "It always takes two matches, this one."',
  mes_example:
    '<START>\n{{user}}: Do you ever skip one?\n{{char}}: Once. A man lost his way and found a wife. I have not dared since.',
  creatorcomment: 'A sample card of Loreferry: the flat first version, with a book at the root.',
  avatar: 'none',
  talkativeness: '0.5',
  fav: false,
  tags: [],
  character_book: {
    name: 'The Forty-One Lamps',
    description: 'The round, lamp by lamp.',
    scan_depth: 4,
    token_budget: 400,
    recursive_scanning: false,
    extensions: {},
    entries: [
      plainEntry(
        0,
        ['Quillon'],
        'Quillon',
        'Quillon is a hill town with one straight street, and it is not the main one.',
        {
          position: 'before_char',
        },
      ),
      plainEntry(
        1,
        ['lamp', 'lamps'],
        'The lamps',
        'Forty-one lamps, all gas, all named after aldermen whom nobody remembers.',
      ),
      plainEntry(
        2,
        ['seventeen'],
        'Lamp seventeen',
        'Lamp seventeen was moved once, and has sulked ever since.',
      ),
      plainEntry(
        3,
        ['hook'],
        'The brass hook',
        'The hook opens lamp glasses, top windows and, twice so far, a locked piano.',
        {
          selective: true,
          secondary_keys: ['piano', 'window'],
        },
      ),
      plainEntry(4, [], 'Night rule', 'It is always night while {{char}} is on the street.', {
        constant: true,
      }),
    ],
  },
};

/** A card of the third version whose book stands in the extensions, with fields of other tools at every level. */
const orm = {
  spec: 'chara_card_v3',
  spec_version: '3.0',
  made_with: { tool: 'Cardwright', build: 7 },
  data: {
    name: 'Sister Orm',
    nickname: 'Orm',
    description:
      '{{char}} keeps the bees and the accounts of Saint Aldous-under-Hill, and talks to both. Small, sunburnt, with honey on one sleeve and ink on the other.',
    personality: 'Cheerful, literal, relentless about receipts.',
    scenario: '{{user}} delivers jars to the convent and is made to sign for each.',
    first_mes: '"Forty jars," says {{char}}, counting. "Thirty-nine. Is one of them shy?"',
    mes_example:
      '<START>\n{{user}}: It is only one jar.\n{{char}}: So was the first one, and look at us now.',
    creator_notes: 'A sample card of Loreferry: the book is in data.extensions.character_book.',
    creator_notes_multilingual: { en: 'A sample card.', de: 'Eine Beispielkarte.' },
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: [],
    group_only_greetings: ['{{char}} offers each of you a spoon, numbered.'],
    tags: [],
    creator: 'Loreferry samples',
    character_version: '1.2',
    source: [],
    creation_date: 1735689600,
    modification_date: 1738368000,
    assets: [{ type: 'icon', uri: 'ccdefault:', name: 'main', ext: 'png' }],
    cardwright_mood: 'sunny',
    extensions: {
      fav: false,
      talkativeness: '0.5',
      cardwright: { palette: ['#d9a441', '#2f3e46'], revision: 12 },
      character_book: {
        name: 'The Hive Ledger',
        description: 'Bees, jars and debts of Saint Aldous-under-Hill.',
        scan_depth: 2,
        token_budget: 600,
        recursive_scanning: true,
        cardwright_locked: false,
        extensions: { cardwright: { sheet: 'hives' } },
        entries: [
          {
            ...plainEntry(
              0,
              ['bees', 'hive'],
              'The hives',
              'Nine hives, each named after a virtue. Patience stings.',
              {
                position: 'before_char',
                use_regex: false,
              },
            ),
            cardwright_color: 'amber',
            extensions: { cardwright: { row: 1 } },
          },
          {
            ...plainEntry(1, ['jar', 'jars'], 'Jars', 'A jar is a jar only after it has been signed for.', {
              use_regex: false,
            }),
            cardwright_color: 'grey',
            extensions: { cardwright: { row: 2 }, position: 4, depth: 3, role: 0 },
          },
          {
            ...plainEntry(
              2,
              ['Saint Aldous'],
              'Saint Aldous',
              'Saint Aldous forgave everyone but his tailor.',
              { use_regex: false },
            ),
            extensions: {},
          },
          {
            ...plainEntry(
              3,
              ['honey'],
              'Honey',
              'The dark honey is for visitors, the pale one for arguments.',
              {
                selective: true,
                secondary_keys: ['visitor', 'guest'],
                use_regex: false,
              },
            ),
            extensions: { cardwright: { row: 4 }, probability: 80, useProbability: true },
          },
        ],
      },
    },
  },
};

/** A PNG with one more text chunk, before its end. */
function withText(png, keyword, text) {
  const data = Buffer.concat([Buffer.from('tEXt'), Buffer.from(`${keyword}\0${text}`, 'latin1')]);
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  return Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)]);
}

mkdirSync(folder, { recursive: true });
const card = Buffer.from(JSON.stringify(ottoline)).toString('base64');
writeFileSync(join(folder, 'Ottoline Fenn.png'), withText(pngOfHarbour(), 'chara', card));
writeFileSync(join(folder, 'The Lamplighter.json'), `${JSON.stringify(lamplighter, null, 2)}\n`);
writeFileSync(join(folder, 'Sister Orm.json'), `${JSON.stringify(orm, null, 2)}\n`);
