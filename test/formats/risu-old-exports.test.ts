// Files that RisuAI wrote before 88336756 (August 2025): entries in a card have neither `mode` nor `folder`.

import { describe, expect, it } from 'vitest';
import { blankPng } from '../../src/containers/blank-png.ts';
import { writePngText } from '../../src/containers/card-png.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { withRisuModule } from '../../src/formats/risu/charx-module.ts';
import { readRisuLorebook } from '../../src/formats/risu/lorebook-file.ts';
import type { OpenedFile } from '../../src/open-file.ts';
import { openFile } from '../../src/open-file.ts';

const old: JsonObject = {
  keys: ['lamp'],
  content: '@@depth 0\nx',
  extensions: {},
  enabled: true,
  insertion_order: 100,
  constant: false,
  selective: false,
  name: 'A',
  comment: 'A',
  case_sensitive: false,
  use_regex: false,
};

function read(entries: readonly Json[]): {
  readonly entry?: LorebookEntry;
  readonly findings: readonly Finding[];
} {
  const { body, findings } = readCharacterBook({ extensions: { risu_fullWordMatching: true }, entries }, 'b');
  const [entry] = body.entries;
  return entry === undefined ? { findings } : { entry, findings };
}

describe('exports of before August 2025', () => {
  it('are in the words of RisuAI', () => {
    expect(read([old]).entry).toMatchObject({ content: 'x', position: { slot: 'depth', depth: 0 } });
  });
  it.each([{ id: 0 }, { position: 'after_char' }, { comment: 'B' }, { enabled: false }])(
    'unless somebody else wrote the entry: %j',
    (more) => {
      expect(read([{ ...old, ...more }]).entry?.content).toBe('@@depth 0\nx');
    },
  );
  it('have folders as rows', () => {
    const folder = { ...old, keys: ['\uf000folder:1'], content: '', name: 'F', comment: 'F' };
    const { entry, findings } = read([folder, old]);
    expect(entry?.content).toBe('x');
    expect(findings.filter(({ path }) => path === 'folders')).toHaveLength(1);
  });
  it('say the same as the module beside them, which alone knows the folders', () => {
    const lore = (more: JsonObject): JsonObject => ({
      key: 'lamp',
      comment: 'A',
      content: '@@depth 0\nx',
      mode: 'normal',
      insertorder: 100,
      alwaysActive: false,
      secondkey: '',
      selective: false,
      ...more,
    });
    const folder = '\uf000folder:1';
    const lorebook = [lore({ mode: 'folder', key: folder, content: '', comment: 'F' }), lore({ folder })];
    const entries = [{ ...old, keys: [folder], content: '', name: 'F', comment: 'F' }, old];
    const card = { spec: 'chara_card_v3', data: { name: 'B', character_book: { entries } } };
    const module = { type: 'risuModule', module: { name: 'B Module', lorebook } };
    const taken = withRisuModule(card, module);
    expect(taken?.findings).toEqual([]);
    expect(taken?.card['data']).toMatchObject({
      character_book: { entries: [{ mode: 'folder' }, { mode: 'normal', folder }] },
    });
    const other = { ...module, module: { lorebook: [lore({ content: 'another' })] } };
    expect(withRisuModule(card, other)?.findings.map(({ code }) => code)).toEqual(['conflict']);
  });
  it('as lists of their own have no mode either', () => {
    const item = { key: 'lamp', comment: 'A', content: '@@depth 0\nx', insertorder: 1, alwaysActive: false };
    expect(readRisuLorebook([item], 'b', 'x').body.entries[0]).toMatchObject({
      content: 'x',
      position: { slot: 'depth' },
    });
  });
});

describe('a chat of RisuAI’s in a file of its own', () => {
  const item = { key: 'lamp', comment: 'A', content: '@@depth 0\nx', insertorder: 1, alwaysActive: false };
  const open = (json: Json): OpenedFile => openFile(new TextEncoder().encode(JSON.stringify(json)), 'c.json');
  const chat = (localLore: readonly Json[]): JsonObject => ({
    type: 'risuChat',
    ver: 2,
    data: { name: 'Evening', message: [], note: '', localLore },
    folders: [],
  });
  it('has a lorebook', () => {
    const opened = open(chat([item]));
    if (opened.kind !== 'lorebook') throw new Error('no lorebook');
    expect(opened.lorebook.name).toBe('Evening');
    expect(opened.lorebook.body.entries).toMatchObject([{ content: 'x' }]);
  });
  it.each([chat([]), { type: 'risuAllChats', ver: 2, data: [] }, { type: 'risu', ver: 1, data: {} }])(
    'or is no file for us: %j',
    (json) => {
      expect(() => open(json)).toThrow(/^c\.json is neither a character card nor a lorebook\.$/);
    },
  );
});

it('a card that RisuAI encrypted is refused as such', () => {
  const png = writePngText(blankPng(), [{ keyword: 'chara', text: 'rcc||rccv1||YQ==||b||YQ==' }]);
  expect(() => openFile(png, 'a.png')).toThrow(
    'a.png cannot be read: its chara chunk is encrypted by RisuAI, which alone can open it.',
  );
});
