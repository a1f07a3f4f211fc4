// A character of Agnai's own in which something is kept aside: written again and again, it stays Agnai's own.

import { describe, expect, it } from 'vitest';
import { convertFile } from '../../src/convert-file.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import type { OpenedFile } from '../../src/open-file.ts';
import { openFile } from '../../src/open-file.ts';

const entry = (name: string, keywords: readonly string[], weight: number): JsonObject => ({
  name,
  entry: `Of ${name}.`,
  keywords,
  priority: 7,
  weight,
  enabled: true,
});
const NATIVE: JsonObject = {
  kind: 'character',
  userId: 'u1',
  createdAt: '2024-01-01',
  updatedAt: '2024-01-02',
  favorite: true,
  folder: '/a',
  avatar: '/assets/a.png',
  name: 'Odo',
  persona: { kind: 'attributes', attributes: { trade: ['miller'] } },
  greeting: 'Good day.',
  scenario: '',
  sampleChat: '',
  characterBook: {
    kind: 'memory',
    _id: 'x',
    userId: 'u1',
    name: 'Mill',
    description: '',
    entries: [entry('flour', ['Mr. Finch', 'flour*'], 5), entry('wheel', ['C++'], 90)],
  },
};

const open = (json: Json): OpenedFile => openFile(new TextEncoder().encode(JSON.stringify(json)), 'odo.json');
type Edit = (world: JsonObject) => JsonObject;

function worldOf(opened: OpenedFile): JsonObject {
  const { files } = convertFile(opened, { target: 'sillytavern', form: 'lorebook' });
  return JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as JsonObject;
}
function toAgnai(
  opened: OpenedFile,
  edit?: Edit,
): { readonly json: JsonObject; readonly findings: readonly Finding[] } {
  const worlds = edit === undefined ? [] : [{ name: 'Mill', world: edit(worldOf(opened)) }];
  const { files, report } = convertFile(opened, {
    target: 'agnai',
    form: 'json',
    privateFields: 'keep',
    worlds,
  });
  return {
    json: JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as JsonObject,
    findings: report.findings,
  };
}
const withEntry =
  (uid: string, more: JsonObject): Edit =>
  (world) => {
    const entries = world['entries'] as JsonObject;
    return { ...world, entries: { ...entries, [uid]: { ...(entries[uid] as JsonObject), ...more } } };
  };
const withoutKept = (json: JsonObject): JsonObject => {
  const { extensions: _kept, ...book } = json['characterBook'] as JsonObject;
  return { ...json, characterBook: book };
};

describe('a character of Agnai’s in which something is kept', () => {
  const first = toAgnai(open(NATIVE), withEntry('0', { sticky: 3 }));
  it('keeps its fields and its lorebook the first time', () => {
    expect(withoutKept(first.json)).toEqual(NATIVE);
    expect(first.findings.filter(({ path }) => path === 'timing.sticky')).toHaveLength(1);
  });
  it('and every time after, and says again what is kept', () => {
    let json = first.json;
    for (const _ of [2, 3]) {
      const again = toAgnai(open(json));
      expect(again.json).toEqual(first.json);
      expect(again.findings.filter(({ path }) => path === 'timing.sticky')).toHaveLength(1);
      json = again.json;
    }
  });
  it('reads as it was written', () => {
    expect(worldOf(open(first.json))['entries']).toMatchObject({ 0: { sticky: 3 }, 1: { sticky: null } });
  });
  it('takes a further edit alone', () => {
    const { json } = toAgnai(open(first.json), withEntry('1', { content: 'Edited.' }));
    const [flour, wheel] = jsonAt(json, ['characterBook', 'entries']) as readonly Json[];
    expect(flour).toEqual(entry('flour', ['Mr. Finch', 'flour*'], 5));
    expect(wheel).toEqual({ ...entry('wheel', ['C++'], 90), entry: 'Edited.' });
    expect(json).toMatchObject({ userId: 'u1', favorite: true, folder: '/a' });
    expect(worldOf(open(json))['entries']).toMatchObject({ 0: { sticky: 3 }, 1: { content: 'Edited.' } });
  });
  it('takes what was edited in Agnai since', () => {
    const book = first.json['characterBook'] as JsonObject;
    const entries = (book['entries'] as readonly JsonObject[]).map((each, at) =>
      at === 1 ? { ...each, keywords: ['mill?'], priority: 3 } : each,
    );
    const edited = { ...first.json, greeting: 'Good night.', characterBook: { ...book, entries } };
    const { json } = toAgnai(open(edited));
    expect(withoutKept(json)).toEqual(withoutKept(edited));
  });
  it('leaves nothing behind when the edit is undone', () => {
    const { json } = toAgnai(open(first.json), withEntry('0', { sticky: null }));
    expect(withoutKept(json)).toEqual(NATIVE);
    expect(worldOf(open(json))['entries']).toMatchObject({ 0: { sticky: null } });
  });
});

describe('a character of Agnai’s without a lorebook', () => {
  const { characterBook: _none, ...bare } = NATIVE;
  it('that was edited keeps its own fields, too', () => {
    const opened = open(bare);
    if (opened.kind !== 'card') throw new Error('no card');
    const { pieces } = opened;
    const [dialect = ''] = Object.keys(pieces.character.original);
    const raw = pieces.character.original[dialect]?.raw as JsonObject;
    const data = { ...(raw['data'] as JsonObject), nickname: 'O', creator_notes: 'Notes.' };
    const character = {
      ...pieces.character,
      body: { ...pieces.character.body, creatorNotes: 'Notes.' },
      original: { ...pieces.character.original, [dialect]: { raw: { ...raw, data } } },
    };
    const written = toAgnai({ ...opened, pieces: { ...pieces, character } });
    const again = toAgnai(open(written.json));
    for (const { json: each, findings } of [written, again]) {
      const { extensions: _kept, ...own } = each;
      expect(own).toEqual({ ...bare, description: 'Notes.' });
      expect(findings.filter(({ path }) => path === 'data.nickname')).toHaveLength(1);
    }
  });
});
