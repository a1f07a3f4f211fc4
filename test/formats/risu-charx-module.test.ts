// The module beside the card in a charx of RisuAI's: its lorebook is the character's, and its scripts come along.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContainer, writeContainer } from '../../src/containers/container.ts';
import { LIMITS } from '../../src/containers/limits.ts';
import { readRisum } from '../../src/containers/risum.ts';
import { convertFile } from '../../src/convert-file.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject, jsonAt, withoutKey } from '../../src/core/json.ts';
import { foreignAppOf } from '../../src/features/import/foreign-card.ts';
import { MODULE_PATH } from '../../src/formats/risu/charx-module.ts';
import { formatOf, type OpenedFile, openFile } from '../../src/open-file.ts';

const FOLDER = new URL('../fixtures/foreign/risu/', import.meta.url);
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, FOLDER)));
const FILES = ['risu-full-ilsa-marrow-charx.charx', 'risu-full-ilsa-marrow-charxjpeg.jpeg'] as const;
const [CHARX] = FILES;

type OpenedCard = Extract<OpenedFile, { kind: 'card' }>;
type Members = ReadonlyMap<string, Uint8Array>;

function opened(bytes: Uint8Array, name = 'ilsa.charx'): OpenedCard {
  const file = openFile(bytes, name);
  if (file.kind !== 'card') throw new Error(`a ${file.kind}`);
  return file;
}

function moduleIn(name: string): { readonly bytes: Uint8Array; readonly json: JsonObject } {
  const bytes = readContainer(bytesOf(name), name).zip?.get(MODULE_PATH);
  if (bytes === undefined) throw new Error('no module');
  const read = readRisum(bytes, LIMITS);
  if (!('json' in read) || !isObject(read.json)) throw new Error('not read');
  return { bytes, json: read.json };
}

// RisuAI indents its JSON by two, so a module and its JSON tell which byte stands for which.
const codes = (): ReadonlyMap<number, number> => {
  const { bytes, json } = moduleIn(CHARX);
  const text = new TextEncoder().encode(JSON.stringify(json, null, 2));
  if (text.length !== bytes.length - 7) throw new Error('written otherwise');
  return new Map([...text].map((byte, at) => [byte, bytes[6 + at] as number]));
};

function risum(json: Json): Uint8Array {
  const table = codes();
  const text = [...new TextEncoder().encode(JSON.stringify(json))].map((byte) => {
    const code = table.get(byte);
    if (code === undefined) throw new Error(`no code for ${String.fromCharCode(byte)}`);
    return code;
  });
  const head = new DataView(new ArrayBuffer(6));
  head.setUint8(0, 111);
  head.setUint32(2, text.length, true);
  return new Uint8Array([...new Uint8Array(head.buffer), ...text, 0]);
}

/** RisuAI's own file with another card or other members. */
function changed(
  name: string,
  card: (data: JsonObject) => JsonObject,
  members: (held: Members) => Members = (held) => held,
): Uint8Array {
  const read = readContainer(bytesOf(name), name);
  const { json, zip } = read;
  if (!isObject(json) || !isObject(json['data']) || zip === undefined) throw new Error('no card');
  return writeContainer({ ...read, zip: members(zip) }, { ...json, data: card(json['data']) });
}

const same = (data: JsonObject): JsonObject => data;
const withoutBook = (data: JsonObject): JsonObject => withoutKey(data, 'character_book');
const withModule =
  (bytes: Uint8Array) =>
  (held: Members): Members =>
    new Map(held).set(MODULE_PATH, bytes);
const triggersOf = (card: Json): Json | undefined =>
  jsonAt(card, ['data', 'extensions', 'risuai', 'triggerscript']);
const entriesOf = ({ pieces }: OpenedCard): unknown =>
  pieces.lorebooks.flatMap(({ body }) =>
    body.entries.map((entry) => ({ title: entry.title, content: entry.content, keys: entry.keys })),
  );
const LORE = {
  key: 'windmill, mill',
  comment: 'In the module',
  content: 'The windmill is old.',
  mode: 'normal',
  insertorder: 101,
  alwaysActive: false,
  secondkey: '',
  selective: false,
};
const moduleWith = (held: JsonObject): Uint8Array => risum({ module: held, type: 'risuModule' });

describe.each(FILES)('%s', (name) => {
  it('keeps the book of the card where the module says the same', () => {
    const file = opened(bytesOf(name), name);
    const { json } = readContainer(bytesOf(name), name);
    expect(jsonAt(file.card, ['data', 'character_book'])).toEqual(jsonAt(json, ['data', 'character_book']));
    expect(file.findings.filter(({ code }) => code === 'conflict')).toEqual([]);
    expect(file.container.notes).toEqual([]);
  });

  it('has the triggers of the module in the card', () => {
    const { card } = opened(bytesOf(name), name);
    const { json } = moduleIn(name);
    expect(triggersOf(card)).toEqual(jsonAt(json, ['module', 'trigger']));
    expect(triggersOf(card)).toHaveLength(2);
  });

  it('reads the lorebook of the module where the card holds none', () => {
    const file = opened(changed(name, withoutBook), name);
    expect(entriesOf(file)).toEqual(entriesOf(opened(bytesOf(name), name)));
    expect(file.pieces.lorebooks[0]?.body.entries.length).toBeGreaterThan(10);
    expect(formatOf(file)).toBe('risu');
  });

  it.each(['charx', 'png', 'json'] as const)('keeps its triggers on the way to RisuAI as %s', (form) => {
    const { files } = convertFile(opened(bytesOf(name), name), { target: 'risu', form });
    const written = opened(files[0]?.bytes ?? new Uint8Array(), `ilsa.${form}`);
    expect(triggersOf(written.card)).toEqual(jsonAt(moduleIn(name).json, ['module', 'trigger']));
    expect(entriesOf(written)).toEqual(entriesOf(opened(bytesOf(name), name)));
  });

  it('leaves no module behind that would speak again in a charx of SillyTavern’s', () => {
    const { files } = convertFile(opened(bytesOf(name), name), { target: 'sillytavern', form: 'charx' });
    const { zip, json } = readContainer(files[0]?.bytes ?? new Uint8Array(), 'ilsa.charx');
    expect(zip?.has(MODULE_PATH)).toBe(false);
    expect(zip?.has('card.json')).toBe(true);
    expect(triggersOf(json)).toHaveLength(2);
  });

  it.each([
    ['cut off', (bytes: Uint8Array) => bytes.subarray(0, 200)],
    ['of other bytes', () => new TextEncoder().encode('no module at all')],
    ['garbled', (bytes: Uint8Array) => bytes.map((byte, at) => (at > 5 && at < 40 ? byte ^ 0x55 : byte))],
    ['something else', () => risum({ type: 'risuModule' })],
  ])('names a module that is %s in one note and takes the book of the card', (_, damage) => {
    const { bytes } = moduleIn(name);
    const file = opened(changed(name, same, withModule(damage(bytes))), name);
    expect(file.container.notes).toHaveLength(1);
    expect(file.container.notes[0]).toMatch(/module\.risum.*the card's own lorebook was taken\.$/);
    expect(entriesOf(file)).toEqual(entriesOf(opened(bytesOf(name), name)));
    expect(triggersOf(file.card)).toBeUndefined();
  });
});

it.each(readdirSync(FOLDER).filter((name) => /\.(?:charx|jpeg)$/.test(name)))(
  '%s, as RisuAI wrote it, says the same in its module as in its card',
  (name) => {
    const file = opened(bytesOf(name), name);
    expect(file.findings.filter(({ code }) => code === 'conflict')).toEqual([]);
    expect(entriesOf(opened(changed(name, withoutBook), name))).toEqual(entriesOf(file));
  },
);

describe('a module that says something else than the card', () => {
  it('has the lorebook that counts, and one finding says so', () => {
    const file = opened(changed(CHARX, same, withModule(moduleWith({ lorebook: [LORE] }))));
    expect(file.pieces.lorebooks).toHaveLength(1);
    expect(entriesOf(file)).toMatchObject([{ title: 'In the module', content: 'The windmill is old.' }]);
    const conflicts = file.findings.filter(({ code }) => code === 'conflict');
    expect(conflicts.map(({ path }) => path)).toEqual(['data.character_book']);
    // The settings of the book stand in the card alone.
    expect(jsonAt(file.card, ['data', 'character_book', 'scan_depth'])).toBe(4);
  });

  it('is not asked for a lorebook that it does not have', () => {
    const file = opened(changed(CHARX, same, withModule(moduleWith({ trigger: [] }))));
    expect(entriesOf(file)).toEqual(entriesOf(opened(bytesOf(CHARX))));
  });

  it('brings its regex scripts', () => {
    const regex = [{ comment: 'a', in: 'b', out: 'c', type: 'manual' }];
    const { card } = opened(changed(CHARX, same, withModule(moduleWith({ regex }))));
    expect(jsonAt(card, ['data', 'extensions', 'risuai', 'customScripts'])).toEqual(regex);
  });

  it('makes a card without any lorebook RisuAI’s, since SillyTavern would not read its scripts', () => {
    const bytes = (held: JsonObject): Uint8Array =>
      changed(CHARX, withoutBook, withModule(moduleWith({ lorebook: [], ...held })));
    const file = opened(bytes({ trigger: [{ comment: 'a' }] }));
    expect(file.pieces.lorebooks).toEqual([]);
    expect(foreignAppOf(file)).toBe('risu');
    expect(foreignAppOf(opened(bytes({ trigger: [] })))).toBeNull();
    const { files } = convertFile(file, { target: 'sillytavern', form: 'charx' });
    const { json } = readContainer(files[0]?.bytes ?? new Uint8Array(), 'ilsa.charx');
    expect(triggersOf(json)).toEqual([{ comment: 'a' }]);
  });

  it('takes the place of scripts that the card has, as in RisuAI, which one finding says', () => {
    const own = [{ comment: 'own' }];
    const scripted = (data: JsonObject): JsonObject => ({
      ...data,
      extensions: { risuai: { triggerscript: own } },
    });
    const file = opened(changed(CHARX, scripted));
    expect(triggersOf(file.card)).not.toEqual(own);
    expect(triggersOf(file.card)).toEqual(triggersOf(opened(bytesOf(CHARX)).card));
    const conflicts = file.findings.filter(({ code }) => code === 'conflict');
    expect(conflicts.map(({ path }) => path)).toEqual(['data.extensions.risuai.triggerscript']);
  });
});
