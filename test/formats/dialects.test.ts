// Every dialect of a lorebook that is met: a file of each, and what it says in nobody's words. And every two of them told
// apart by what is in them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blankPng, writePngText } from '../../src/containers/card-png.ts';
import { ContainerError } from '../../src/containers/container.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { formatOf, type OpenedFile, openFile } from '../../src/open-file.ts';
import { lorebooksIn } from '../../src/packed-file.ts';
import type { PartOfEntry } from '../support/in-force.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/dialects');
const FOREIGN = join(import.meta.dirname, '../fixtures/foreign');
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(join(FOLDER, name)));
const opened = (json: Json): OpenedFile => openFile(new TextEncoder().encode(JSON.stringify(json)), 'x.json');

type Expected = Omit<PartOfEntry, 'keys' | 'secondaryKeys'> & {
  readonly keys?: readonly string[];
  readonly secondaryKeys?: readonly string[];
};
interface Dialect {
  readonly kind: OpenedFile['kind'];
  readonly format: string;
  readonly name: string;
  readonly entries: readonly Expected[];
  /** What is said, as code and path; the entries that say it do not count. */
  readonly said: readonly string[];
}

const shown = (entry: LorebookEntry): object => ({
  ...entry,
  keys: entry.keys.map(writeKey),
  secondaryKeys: entry.secondaryKeys.map(writeKey),
});

const WEIR = { title: 'The weir', content: 'Eels pass the weir in autumn.' };
const WHEEL = { title: 'The wheel', content: 'The wheel has eleven paddles.' };

const DIALECTS: Readonly<Record<string, Dialect>> = {
  'chub-card.json': {
    kind: 'card',
    format: 'sillytavern',
    name: 'Weir Notes',
    entries: [
      {
        title: 'Entry 1',
        keys: ['key1'],
        order: 101,
        position: { slot: 'world' },
        probability: { chance: 80, used: true },
        // Chub's own spelling was never applied.
        recursion: { exclude: false },
        displayIndex: null,
      },
      { title: 'Weir', position: { slot: 'character' } },
      { title: 'Entry 3', position: { slot: 'world' } },
      {
        title: 'Entry 4',
        position: { slot: 'note_top' },
        probability: { chance: 50 },
        logic: 'not_any',
        selective: true,
        secondaryKeys: ['eel'],
      },
      {
        title: 'Entry 5',
        position: { slot: 'depth', depth: 9 },
        recursion: { exclude: false },
        displayIndex: 5,
      },
    ],
    said: [
      'assumed extensions.characterFilter',
      'assumed extensions.displayIndex',
      'assumed extensions.excludeRecursion',
      'assumed position.slot',
      'repaired position.depth',
      'repaired position.slot',
    ],
  },
  'chub-world.json': {
    kind: 'worldinfo',
    format: 'sillytavern',
    name: 'Weir Notes',
    entries: [
      {
        ...WEIR,
        keys: ['weir', 'mill weir'],
        secondaryKeys: ['eel'],
        order: 10,
        enabled: true,
        position: { slot: 'character' },
        recursion: { exclude: true },
      },
      {
        ...WHEEL,
        keys: ['wheel'],
        enabled: false,
        position: { slot: 'world' },
        probability: { used: false },
      },
    ],
    said: ['assumed position.slot', 'repaired displayIndex'],
  },
  'chub-book-object.json': {
    kind: 'lorebook',
    format: 'plain',
    name: 'Weir Notes',
    entries: [
      { title: 'Entry 3', keys: ['key3'], enabled: false, position: { slot: 'world' }, order: 103 },
      { title: 'Weir', keys: ['key7'], enabled: true, position: { slot: 'character' }, order: 107 },
    ],
    said: [],
  },
  'wyvern-card.json': {
    kind: 'card',
    format: 'plain',
    name: 'Weir Notes',
    entries: [
      {
        ...WEIR,
        keys: ['weir'],
        secondaryKeys: ['eel'],
        selective: true,
        logic: 'and_any',
        position: { slot: 'world' },
        scan: { caseSensitive: false, matchWholeWords: true },
        sources: { personaDescription: true },
        timing: { sticky: 2, cooldown: 3, delay: null },
      },
      {
        ...WHEEL,
        keys: ['wheel'],
        secondaryKeys: ['frost', 'ice'],
        selective: true,
        logic: 'not_any',
        enabled: false,
        position: { slot: 'character' },
        scan: { caseSensitive: true, matchWholeWords: false },
        timing: { sticky: null, cooldown: null, delay: null },
      },
    ],
    said: ['repaired logic'],
  },
  'bare-book-v2.json': {
    kind: 'lorebook',
    format: 'sillytavern',
    name: 'Weir Notes',
    entries: [
      { title: 'Entry 0', position: { slot: 'depth', depth: 2, role: 'user' }, order: 100 },
      { title: 'Entry 1', position: { slot: 'character' }, constant: true },
    ],
    said: ['conflict position.slot'],
  },
  'bare-book-v3.json': {
    kind: 'lorebook',
    format: 'plain',
    name: 'Weir Notes',
    entries: [
      { title: 'Entry 0', keys: ['/wei(r|rs)/'], position: { slot: 'world' } },
      { title: 'Entry 1', keys: ['key1'], position: { slot: 'character' } },
    ],
    said: [],
  },
  'world-list.json': {
    kind: 'worldinfo',
    format: 'sillytavern',
    name: 'world-list',
    entries: [
      {
        ...WEIR,
        id: 'w4',
        keys: ['weir'],
        secondaryKeys: ['eel'],
        logic: 'and_all',
        position: { slot: 'depth', depth: 2, role: 'assistant' },
        probability: { chance: 70, used: true },
        group: { name: 'mill' },
      },
      { ...WHEEL, id: 'w9', keys: ['wheel'], enabled: false, position: { slot: 'world' } },
    ],
    said: [],
  },
  'kobold-world.json': {
    kind: 'worldinfo',
    format: 'sillytavern',
    name: 'kobold-world',
    entries: [
      { content: WEIR.content, keys: ['weir'], position: { slot: 'world' }, order: 100, enabled: true },
    ],
    said: ['assumed position.slot'],
  },
  'tavernhelper-world.json': {
    kind: 'worldinfo',
    format: 'sillytavern',
    name: 'tavernhelper-world',
    entries: [
      {
        ...WEIR,
        keys: ['weir'],
        enabled: true,
        constant: false,
        position: { slot: 'world', depth: 4, role: 'system' },
        order: 7,
        recursion: { exclude: true, prevent: false, delayUntil: 0 },
      },
    ],
    said: [],
  },
  'agnai-bare-book.json': {
    kind: 'lorebook',
    format: 'agnai',
    name: 'Weir Notes',
    entries: [
      { title: 'weir', content: WEIR.content, enabled: true, keys: [] },
      { title: 'wheel', content: WHEEL.content, enabled: false, keys: [] },
    ],
    said: [],
  },
  'risu-list.json': {
    kind: 'lorebook',
    format: 'risu',
    name: 'risu-list',
    entries: [
      {
        ...WEIR,
        keys: ['weir', 'mill weir'],
        order: 10,
        position: { slot: 'depth', depth: 0 },
        probability: { chance: 60, used: true },
      },
    ],
    said: [],
  },
  'novelai-story.json': {
    kind: 'lorebook',
    format: 'novelai',
    name: 'novelai-story',
    entries: [
      {
        ...WEIR,
        keys: ['weir', '/eels?/'],
        order: 400,
        selective: false,
        constant: false,
        position: { slot: 'world' },
        scan: { caseSensitive: false, matchWholeWords: true },
        recursion: { exclude: true },
      },
    ],
    said: ['assumed position.slot'],
  },
  'rolecall-lorebook.json': {
    kind: 'lorebook',
    format: 'rolecall',
    name: 'Kiln Row',
    entries: [
      { title: 'The kiln', logic: 'not_all', position: { slot: 'depth', depth: 2, role: 'assistant' } },
      { title: 'The row', position: { slot: 'prepend_top' }, enabled: false },
      { title: 'Market days', position: { slot: 'append_bottom' } },
    ],
    said: [
      'approximated keys',
      'stashed categories',
      'stashed keys',
      'stashed recursiveScanning',
      'stashed scanDepth',
      'stashed sideEffects',
    ],
  },
  'invented-positions.json': {
    kind: 'lorebook',
    format: 'plain',
    name: 'Weir Notes',
    entries: [
      { content: WEIR.content, keys: ['weir'], position: { slot: 'character' }, order: 5 },
      { content: WHEEL.content, keys: ['wheel'], position: { slot: 'character' }, order: 6 },
    ],
    said: ['assumed position.slot'],
  },
};

describe('each dialect', () => {
  it('has a file here', () => {
    expect(Object.keys(DIALECTS).sort()).toEqual(readdirSync(FOLDER).sort());
  });
  it.each(Object.entries(DIALECTS))('%s', (name, { kind, format, name: book, entries, said }) => {
    const file = openFile(bytesOf(name), name);
    const [lorebook, ...others] = lorebooksIn(file);
    expect([file.kind, formatOf(file), lorebook?.name, others]).toEqual([kind, format, book, []]);
    expect(lorebook?.body.entries.map(shown)).toMatchObject(entries);
    expect(lorebook?.body.entries).toHaveLength(entries.length);
    const codes = new Set(file.findings.map(({ code, path }) => `${code} ${path}`));
    expect([...codes].sort()).toEqual(said);
  });
  it('NovelAI’s picture holds the same as its file', () => {
    const story = JSON.parse(new TextDecoder().decode(bytesOf('novelai-story.json'))) as JsonObject;
    const text = Buffer.from(JSON.stringify(story)).toString('base64');
    const png = writePngText(blankPng(), [{ keyword: 'naidata', text }]);
    const file = openFile(png, 'x.png');
    expect([file.kind, file.container.kind, formatOf(file)]).toEqual(['lorebook', 'png', 'novelai']);
    expect(lorebooksIn(file)[0]?.body.entries).toEqual(
      lorebooksIn(openFile(bytesOf('novelai-story.json'), 'x.json'))[0]?.body.entries,
    );
    const broken = writePngText(blankPng(), [{ keyword: 'naidata', text: 'AAAA' }]);
    expect(() => openFile(broken, 'x.png')).toThrow(/^x\.png cannot be read: its naidata chunk [^\n]*\.$/);
  });
});

/** One small lorebook file of each dialect, as little of it as tells it. */
const TELLING: Readonly<Record<string, JsonObject | readonly Json[]>> = {
  marinara: { type: 'marinara_lorebook', version: 1, data: { lorebook: { name: 'a' }, entries: [] } },
  'marinara compatible': { entries: {}, extensions: { marinara: {} } },
  lumiverse: { version: 1, type: 'lumiverse_world_book', name: 'a', entries: [] },
  rolecall: { schemaVersion: '1.0.0', lorebook: { name: 'a', entries: [] } },
  risu: { type: 'risu', ver: 1, data: [] },
  'risu module': { type: 'risuModule', module: { name: 'a', lorebook: [] } },
  agnai: { kind: 'memory', name: 'a', entries: [] },
  novelai: { lorebookVersion: 5, entries: [] },
  'bare book': { name: 'a', entries: [{ keys: ['k'], content: 'c' }] },
  'CCv3 book': { spec: 'lorebook_v3', data: { entries: [] } },
  'world info': { entries: { 0: { uid: 0, key: ['k'], content: 'c' } } },
  card: { spec: 'chara_card_v2', data: { name: 'a', extensions: {} } },
};
const FORMATS: Readonly<Record<string, string>> = {
  'marinara compatible': 'marinara',
  'risu module': 'risu',
  'bare book': 'plain',
  'CCv3 book': 'plain',
  'world info': 'sillytavern',
  card: 'plain',
};

describe('every two dialects are told apart', () => {
  const names = Object.keys(TELLING);
  it.each(names)('%s alone', (name) => {
    expect(formatOf(opened(TELLING[name] as Json))).toBe(FORMATS[name] ?? name);
  });
  // What an app's envelope says counts, whatever stands beside it under another app's names.
  const strays: JsonObject = { name: 'stray', description: 'x', tags: [], settings: {}, categories: [] };
  it.each(names)('%s with fields that others have, too', (name) => {
    const file = TELLING[name] as JsonObject;
    expect(formatOf(opened({ ...strays, ...file }))).toBe(FORMATS[name] ?? name);
  });
  const pairs = names.flatMap((one) =>
    names.filter((other) => other !== one).map((other) => [one, other] as const),
  );
  it.each(pairs)('%s, with an entry of %s inside, is still itself', (one, other) => {
    const entry = ENTRY_OF[other];
    const into = TELLING[one] as JsonObject;
    if (entry === undefined || one === 'card') return;
    const file = opened(withEntry(into, entry));
    // A book that has no envelope is whose its entries are.
    const isOpen = one === 'bare book' || one === 'CCv3 book' || one === 'world info';
    if (!isOpen) expect(formatOf(file)).toBe(FORMATS[one] ?? one);
    expect(lorebooksIn(file).flatMap(({ body }) => body.entries)).toHaveLength(1);
  });
});

const ENTRY_OF: Readonly<Record<string, JsonObject>> = {
  marinara: { name: 'a', content: 'c', keys: ['k'], position: 2, preventRecursion: false },
  lumiverse: { uid: 'u', key: ['k'], content: 'c', order_value: 1, selective_logic: 2, position: 8 },
  rolecall: { id: 'a', title: 't', content: 'c', triggers: { primary: [{ keyword: 'k' }] }, injection: {} },
  risu: { key: 'k', content: 'c', insertorder: 1, alwaysActive: false, mode: 'normal' },
  agnai: { name: 'a', entry: 'c', keywords: ['k'], priority: 1, weight: 1, enabled: true },
  novelai: { text: 'c', keys: ['k'], displayName: 'a', contextConfig: {}, searchRange: 1000 },
  'bare book': { id: 0, keys: ['k'], content: 'c', insertion_order: 1, enabled: true },
  'world info': { uid: 0, key: ['k'], content: 'c', order: 1, disable: false },
};

function withEntry(file: JsonObject, entry: JsonObject): JsonObject {
  const inside = (key: string, value: JsonObject): JsonObject => ({ ...file, [key]: value });
  const { data, lorebook, module, entries } = file;
  if (Array.isArray(entries)) return { ...file, entries: [entry] };
  if (entries !== undefined) return { ...file, entries: { 0: entry } };
  if (Array.isArray(data)) return { ...file, data: [entry] };
  if (lorebook !== undefined) return inside('lorebook', { ...(lorebook as JsonObject), entries: [entry] });
  if (module !== undefined) return inside('module', { ...(module as JsonObject), lorebook: [entry] });
  return inside('data', { ...(data as JsonObject), entries: [entry] });
}

describe('files of apps that are told by more than an envelope', () => {
  const files = readdirSync(FOREIGN).flatMap((app) =>
    readdirSync(join(FOREIGN, app))
      .filter((name) => !name.endsWith('.expect.json') && !name.endsWith('.zip'))
      .map((name) => [name, app] as const),
  );
  it.each(files)('%s is a file of %s', (name, app) => {
    const file = openFile(new Uint8Array(readFileSync(join(FOREIGN, app, name))), name);
    // Agnai's cards for other apps and cards without a book say nothing of the app; a book that came from SillyTavern
    // and was only carried through keeps its words.
    const isTold =
      lorebooksIn(file).some(({ body }) => body.entries.length > 0) && !/tavern|-v2|st-/.test(name);
    const format = formatOf(file);
    if (isTold) expect(format).toBe(app);
    else expect([app, 'plain', 'sillytavern', 'risu', 'lumiverse']).toContain(format);
  });
});

describe('a file of no known format gets one clear sentence', () => {
  it.each<[string, Json]>([
    ['a package', { name: 'a', version: '1.0.0', dependencies: {} }],
    ['a list of numbers', [1, 2, 3]],
    ['entries that are no lore', { name: 'feed', entries: [{ title: 'News', url: 'https://x.example' }] }],
    ['a preset of Marinara’s', { type: 'marinara_preset', version: 1, data: { name: 'a' } }],
    ['a settings file', { world_info_settings: { world_info_depth: 2 } }],
    [
      'a chat',
      [
        { user_name: 'A', character_name: 'B' },
        { name: 'A', mes: 'Hi' },
      ],
    ],
  ])('%s', (_, json) => {
    const open = () => opened(json);
    expect(open).toThrow(ContainerError);
    expect(open).toThrow(/^x\.json is neither a character card nor a lorebook\.$/);
  });
});
