// The one book into which Lumiverse merges the world books of a charx: written again only where it says the same as they.

import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { convertFile } from '../../src/convert-file.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { openFile } from '../../src/open-file.ts';

const OWN = { selective: false, constant: false, position: 0, depth: 4, case_sensitive: false };
const COUNTS = { priority: 10, sticky: 0, cooldown: 0, delay: 0, selective_logic: 0, group_weight: 100 };
const SWITCHES = { use_probability: true, use_regex: false, prevent_recursion: false, vectorized: false };
const MORE = { exclude_recursion: false, delay_until_recursion: false, group_override: false };
const NONE = { probability: 100, scan_depth: 2, automation_id: null };

const world = (name: string, key: string): JsonObject => ({
  type: 'lumiverse_world_book',
  version: 1,
  name,
  description: '',
  metadata: {},
  entries: [
    {
      ...{ uid: `u-${name}`, key: [key], keysecondary: [], content: `${name} text.`, comment: 'Note' },
      ...{ order_value: 100, disabled: false, match_whole_words: false, group_name: '', role: null },
      ...{ ...OWN, ...COUNTS, ...SWITCHES, ...MORE, ...NONE },
      ...{ outlet_name: null, wi_marker: null, wi_marker_side: null, extensions: {} },
    },
  ],
});

const inCard = (name: string, key: string, id: number): JsonObject => ({
  ...{ id, keys: [key], secondary_keys: [], content: `${name} text.`, comment: `[${name}] Note` },
  ...{ enabled: true, insertion_order: 100, match_whole_words: false, ...OWN },
  extensions: { ...COUNTS, ...SWITCHES, ...MORE, ...NONE, uid: `u-${name}` },
});

function written(keyInCard: string): JsonObject {
  const book = {
    name: 'Merged Lorebook (2 books)',
    description: 'Merged from: Pier, Quay',
    entries: [inCard('Pier', keyInCard, 0), inCard('Quay', 'quay', 1)],
  };
  const data = { name: 'Mara', description: '', tags: [], alternate_greetings: [], character_book: book };
  const files = {
    'card.json': { spec: 'chara_card_v3', spec_version: '3.0', data },
    'lumiverse_modules.json': { version: 1, world_books: [world('Pier', 'pier'), world('Quay', 'quay')] },
  };
  const members = Object.entries(files).map(([name, json]) => [name, strToU8(JSON.stringify(json))]);
  const opened = openFile(zipSync(Object.fromEntries(members)), 'mara.charx');
  const { files: out } = convertFile(opened, { target: 'lumiverse', form: 'json' });
  const card = JSON.parse(new TextDecoder().decode(out[0]?.bytes)) as { data: JsonObject };
  return card.data['character_book'] as JsonObject;
}

const jsonOf = (bytes: Uint8Array | undefined) =>
  JSON.parse(new TextDecoder().decode(bytes)) as { data: JsonObject };
const bytesOf = (json: JsonObject) => strToU8(JSON.stringify(json));

const keysIn = (book: JsonObject) => (book['entries'] as readonly JsonObject[]).map(({ keys }) => keys);

it('where it says the same it is itself', () => {
  const book = written('pier');
  expect(book['name']).toBe('Merged Lorebook (2 books)');
  expect(keysIn(book)).toEqual([['pier'], ['quay']]);
});

it('where it says something else the world books count', () => {
  expect(keysIn(written('pear'))).toEqual([['pier'], ['quay']]);
});

const merged = (names: readonly string[]): JsonObject => ({
  name: `Merged Lorebook (${names.length} books)`,
  description: `Merged from: ${names.join(', ')}`,
  entries: names.map((name, id) => inCard(name, name.toLowerCase(), id)),
});

it.each([[['Pier', 'Quay']], [['Pier, old', 'Quay', 'Dock']]])(
  '%j by way of SillyTavern: as Lumiverse merged them',
  (names) => {
    const data = { name: 'Mara', description: '', tags: [], alternate_greetings: [] };
    const card = {
      spec: 'chara_card_v3',
      spec_version: '3.0',
      data: { ...data, character_book: merged(names) },
    };
    const opened = openFile(bytesOf(card), 'mara.json');
    const [inSillyTavern] = convertFile(opened, { target: 'sillytavern' }).files;
    const worlds = convertFile(opened, { target: 'sillytavern', form: 'lorebook' }).files.map((file) => ({
      name: file.name.replace(/\.json$/, ''),
      world: jsonOf(file.bytes) as unknown as JsonObject,
    }));
    expect(worlds.map(({ name }) => name)).toEqual(names);
    const there = openFile(inSillyTavern?.bytes ?? new Uint8Array(), 'mara.json');
    const { files, report } = convertFile(there, { target: 'lumiverse', form: 'json', worlds });
    expect(jsonOf(files[0]?.bytes).data['character_book']).toEqual(merged(names));
    expect(report.findings.filter(({ entryId }) => entryId !== null)).toEqual([]);
  },
);

it('what it calls a book of SillyTavern’s goes back with every value, and only an edit differs', () => {
  const { uid, key, keysecondary, group_name, order_value, disabled, selective_logic, extensions, ...rest } =
    (world('Pier', 'pier')['entries'] as readonly JsonObject[])[0] as JsonObject;
  const entry = {
    ...{ uid, keys: key, secondary_keys: keysecondary, enabled: true, insertion_order: order_value },
    ...{ ...rest, group: group_name, selectiveLogic: 2, useProbability: rest['use_probability'] },
    ...{ role: 'user', outlet_name: 'shop', wi_marker: 'scenario', wi_marker_side: 'after', priority: 7 },
  };
  const file = { name: 'Pier', description: '', entries: { 0: entry } };
  const back = (edit: (world: JsonObject) => JsonObject): JsonObject => {
    const [made] = convertFile(openFile(bytesOf(file), 'pier.json'), { target: 'sillytavern' }).files;
    const edited = edit(jsonOf(made?.bytes) as unknown as JsonObject);
    const { files } = convertFile(openFile(bytesOf(edited), 'Pier.json'), { target: 'lumiverse' });
    const written = jsonOf(files[0]?.bytes) as unknown as JsonObject;
    return (written['entries'] as readonly JsonObject[])[0] as JsonObject;
  };
  const same = back((each) => each);
  expect(same).toMatchObject({ role: 'user', outlet_name: 'shop', wi_marker: 'scenario', priority: 7 });
  expect(same).toMatchObject({ key, selective_logic: 2, order_value, disabled, scan_depth: 2 });
  const entries = (each: JsonObject) => each['entries'] as JsonObject;
  const edited = back((each) => ({
    ...each,
    entries: { 0: { ...(entries(each)['0'] as JsonObject), order: 50 } },
  }));
  expect(edited).toEqual({ ...same, order_value: 50 });
});
