import { Unzip, UnzipInflate, UnzipPassThrough } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readBeside } from '../../src/containers/charx.ts';
import {
  ContainerError,
  type ContainerRead,
  readContainer,
  writeContainer,
} from '../../src/containers/container.ts';
import { LIMITS } from '../../src/containers/limits.ts';
import { buildPng, buildZip, type MemberSpec } from '../support/png-fixtures.ts';

const CARD = {
  spec: 'chara_card_v3',
  data: {
    name: 'Nadia 🕯️',
    assets: [
      { type: 'emotion', name: 'main', uri: 'embeded://assets/other/1.png', ext: 'png' },
      { type: 'icon', name: 'second', uri: 'embeded://assets/icon/2.png', ext: 'png' },
      { type: 'icon', name: 'main', uri: 'embeded://assets/icon/image/main.png', ext: 'png' },
    ],
  },
};
const ICON = buildPng([]);
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const card: MemberSpec = { path: 'card.json', text: JSON.stringify(CARD) };
const icon: MemberSpec = { path: 'assets/icon/image/main.png', bytes: ICON };
const risum: MemberSpec = { path: 'module.risum', bytes: Buffer.from([0, 1, 2, 3, 255]), stored: true };
const other: MemberSpec = { path: 'x_meta/ma — in.json', text: '{"type":"PNG"}' };
const ALL = [other, icon, risum, card];

const read = (specs: readonly MemberSpec[], options?: Parameters<typeof buildZip>[1]) =>
  readContainer(buildZip(specs, options), 'x.charx');
const bytesOf = (result: ContainerRead, path: string) => Buffer.from(result.zip?.get(path) ?? []);

describe('a charx', () => {
  it('gives the card, all members and the icon', () => {
    const result = read(ALL);
    expect(result).toMatchObject({ kind: 'charx', json: CARD, cardPath: 'card.json', notes: [] });
    expect(result.copies).toEqual([{ json: CARD }]);
    expect([...(result.zip ?? [])].map(([path]) => path)).toEqual(ALL.map(({ path }) => path));
    expect(Buffer.from(result.picture ?? []).equals(ICON)).toBe(true);
    expect(result.iconPath).toBe('assets/icon/image/main.png');
    expect(result.prefix).toBeUndefined();
  });

  it('behind a JPEG counts offsets from either start', () => {
    for (const offsets of ['zip', 'file'] as const) {
      const result = read(ALL, { prefix: JPEG, offsets, comment: 'a comment' });
      expect(result).toMatchObject({ kind: 'jpeg+zip', json: CARD, notes: [] });
      expect(bytesOf(result, 'module.risum').toString('hex')).toBe('00010203ff');
      expect(Buffer.from(result.prefix ?? []).equals(JPEG)).toBe(true);
    }
  });

  it('behind anything else is a charx, also behind text and behind a picture without a card', () => {
    for (const prefix of [Buffer.from('#!/bin/sh\n'), Buffer.from([0, 0, 7]), buildPng([])]) {
      expect(read(ALL, { prefix })).toMatchObject({ kind: 'charx', json: CARD });
    }
  });

  it('may have its card one folder down', () => {
    const inFolder = ALL.map((spec) => ({ ...spec, path: `Nadia/${spec.path}` }));
    const result = read([
      { path: '__MACOSX/card.json', text: 'x' },
      { path: 'Nadia/', text: '' },
      ...inFolder,
    ]);
    expect(result).toMatchObject({
      json: CARD,
      cardPath: 'Nadia/card.json',
      iconPath: `Nadia/${icon.path}`,
      notes: [],
    });
    expect(read([{ ...card, path: 'Nadia\\card.json' }]).cardPath).toBe('Nadia\\card.json');
    const both = read([{ ...card, path: 'a/card.json', text: '{}' }, card]);
    expect(both).toMatchObject({ json: CARD, cardPath: 'card.json' });
    expect(both.notes).toEqual(['The archive holds several cards; "card.json" was used.']);
  });

  it('finds the picture without a list of assets, as in Lumiverse', () => {
    const bare = { ...card, text: '{"data":{}}' };
    const result = read([bare, { path: 'assets/icon/image/a.png', bytes: ICON }, icon]);
    expect(result.iconPath).toBe('assets/icon/image/main.png');
    expect(read([bare]).iconPath).toBeUndefined();
  });

  it('takes the icon named main, else the first icon', () => {
    const second = { path: 'assets/icon/2.png', bytes: buildPng([{ type: 'vpAg' }]) };
    expect(read([card, second, icon]).iconPath).toBe(icon.path);
    expect(read([card, second]).iconPath).toBe(second.path);
  });

  it('names a picture that is no PNG, and takes it for none', () => {
    const result = read([card, { ...icon, bytes: JPEG }]);
    expect(result.picture).toBeUndefined();
    expect(result.iconPath).toBe(icon.path);
    expect(result.notes).toEqual([expect.stringContaining('is no PNG')]);
  });

  it('reads zip64 records', () => {
    const result = read(
      ALL.map((spec) => ({ ...spec, zip64: true })),
      { zip64: true, prefix: JPEG },
    );
    expect(result).toMatchObject({ kind: 'jpeg+zip', json: CARD, notes: [] });
    expect(bytesOf(result, icon.path).equals(ICON)).toBe(true);
  });

  it('keeps any path as data', () => {
    const odd = ['../../etc/x', '/abs', '__proto__', 'constructor', 'C:\\x'];
    const result = read([...odd.map((path) => ({ path, text: path })), card]);
    for (const path of odd) expect(bytesOf(result, path).toString()).toBe(path);
    const again = readContainer(writeContainer(result, CARD), 'x.charx');
    for (const path of odd) expect(bytesOf(again, path).toString()).toBe(path);
  });
});

describe('a file beside the card', () => {
  const beside: MemberSpec = { path: 'lumiverse_modules.json', text: '{"version":1}' };
  const besideOf = (specs: readonly MemberSpec[]) => readBeside(read(specs), 'lumiverse_modules.json');

  it('is read as JSON when there is one', () => {
    expect(besideOf([card, beside])).toMatchObject({ json: { version: 1 } });
    expect(besideOf([card, icon])).toBeNull();
  });

  it('lies in the folder of the card', () => {
    const down = { ...beside, path: `Nadia/${beside.path}` };
    expect(besideOf([{ ...card, path: 'Nadia/card.json' }, down])).toMatchObject({ json: { version: 1 } });
    expect(besideOf([card, down])).toBeNull();
  });

  it('says what is wrong with it', () => {
    expect(besideOf([card, { ...beside, text: '{"version":' }])).toHaveProperty('problem');
  });
});

describe('writing a charx', () => {
  const changed = { spec: 'chara_card_v3', data: { name: 'Changed' } };

  it('replaces the card in its place and keeps every other member', () => {
    for (const prefix of [undefined, JPEG]) {
      const before = read(ALL, prefix && { prefix });
      const bytes = writeContainer(before, changed);
      const after = readContainer(bytes, 'x.charx');
      expect(after).toMatchObject({ kind: before.kind, json: changed, cardPath: 'card.json', notes: [] });
      expect([...(after.zip ?? [])].map(([path]) => path)).toEqual(ALL.map(({ path }) => path));
      for (const { path } of [other, icon, risum]) {
        expect(bytesOf(after, path).equals(bytesOf(before, path))).toBe(true);
      }
      if (prefix) expect(Buffer.from(bytes.subarray(0, JPEG.length)).equals(JPEG)).toBe(true);
      expect(Buffer.from(writeContainer(before, changed)).equals(bytes)).toBe(true);
    }
  });

  it('makes a plain charx of a jpeg+zip when asked', () => {
    const before = read(ALL, { prefix: JPEG });
    const bytes = writeContainer({ ...before, kind: 'charx' }, changed);
    expect(readContainer(bytes, 'x.charx')).toMatchObject({ kind: 'charx', json: changed });
    expect(Buffer.from(bytes.subarray(0, 4)).toString('latin1')).toBe('PK\x03\x04');
  });

  it('is read by a streaming reader that trusts local headers only, as RisuAI reads', () => {
    const bytes = writeContainer(read(ALL, { prefix: JPEG }), CARD);
    const seen: string[] = [];
    const unzip = new Unzip((file) => {
      let size = 0;
      file.ondata = (error, data, final) => {
        if (error) throw error;
        size += data.length;
        if (final) seen.push(`${file.name}:${file.originalSize === size}`);
      };
      file.start();
    });
    unzip.register(UnzipInflate);
    unzip.register(UnzipPassThrough);
    unzip.push(bytes, true);
    expect(seen).toEqual(ALL.map(({ path }) => `${path}:true`));
  });

  it('makes a new one from nothing', () => {
    const bytes = writeContainer({ kind: 'charx', zip: new Map([['a.bin', Uint8Array.of(1)]]) }, CARD);
    expect([...(readContainer(bytes, 'x').zip ?? [])].map(([path]) => path)).toEqual(['a.bin', 'card.json']);
  });
});

describe('archives that cannot be used', () => {
  const message = (specs: readonly MemberSpec[], limits = LIMITS, prefix = Buffer.alloc(0)) => {
    try {
      readContainer(buildZip(specs, { prefix }), 'x.charx', limits);
      return 'no error';
    } catch (error) {
      if (!(error instanceof ContainerError)) throw error;
      return error.message;
    }
  };

  it('are refused in one sentence', () => {
    expect(message([])).toMatch(/zip archive without a card\.json/);
    expect(message([icon])).toBe(
      'x.charx is a zip archive without a card.json, so there is no character card in it.',
    );
    expect(message([{ ...card, path: 'a/b/card.json' }])).toMatch(/without a card\.json/);
    expect(message([{ ...card, flags: 1 }])).toBe(
      'x.charx cannot be read: its card.json is protected by a password.',
    );
    expect(message([{ ...card, method: 12 }])).toMatch(/compressed in a way that is not supported\.$/);
    expect(message([{ ...card, size: 5 }])).toMatch(/its card\.json is damaged\.$/);
    expect(message([{ ...card, size: 50_000 }])).toMatch(/its card\.json is damaged\.$/);
    expect(message([{ ...card, text: '{"a":' }])).toMatch(/its card\.json is not complete/);
    expect(message([{ ...card, text: '[]' }])).toMatch(/holds a list, not a card\.$/);
  });

  it('are refused when their directory is missing or broken', () => {
    const zip = buildZip(ALL);
    expect(() => readContainer(zip.subarray(0, zip.length - 30), 'x')).toThrow(/damaged or cut off/);
    const broken = Buffer.from(zip);
    // The second record of the directory.
    broken.writeUInt32LE(0, zip.lastIndexOf(0x50, zip.length - 23));
    expect(() => readContainer(broken, 'x')).toThrow('x is a damaged zip archive: its directory is broken.');
  });

  it('leave out members that cannot be read, with a note', () => {
    const result = read([
      card,
      { ...risum, flags: 1 },
      { ...icon, size: 7 },
      { ...other, crc: 9 },
      { ...other, text: 'b' },
    ]);
    expect([...(result.zip ?? [])].map(([path]) => path)).toEqual(['card.json', other.path]);
    expect(result.notes).toEqual([
      '"module.risum" in the archive is protected by a password, so it is left out.',
      '"assets/icon/image/main.png" in the archive is damaged, so it is left out.',
      '"x_meta/ma — in.json" stands twice in the archive; the first one was used.',
      '"x_meta/ma — in.json" in the archive has a wrong checksum; it may be damaged.',
    ]);
    const many = Array.from({ length: 30 }, (_, i) => ({ path: `${i}`, text: 'x', flags: 1 }));
    expect(read([card, ...many]).notes).toHaveLength(11);
  });

  it('keep to the limits, by what they declare and by what comes out', () => {
    const bomb: MemberSpec = { path: 'bomb', bytes: Buffer.alloc(3_000_000) };
    expect(message([card, bomb], { ...LIMITS, inflatedBytes: 1_000_000 })).toBe(
      'x.charx inflates to 2.9 MiB, more than the limit of 977 KiB.',
    );
    const liar = { ...bomb, size: 10 };
    expect(message([card, liar], { ...LIMITS, inflatedBytes: 1_000_000 })).toBe('no error');
    expect(read([card, liar]).zip?.has('bomb')).toBe(false);
    expect(message([card, icon], { ...LIMITS, zipMembers: 1 })).toBe(
      'x.charx holds 2 files, more than the limit of 1.',
    );
    expect(message([card], { ...LIMITS, cardTextBytes: 10 })).toMatch(
      /its card\.json holds .* limit of 10 bytes\.$/,
    );
  });

  it('do not hide in a JPEG by chance', () => {
    const chance = Buffer.concat([JPEG, Buffer.from('PK\x05\x06'), Buffer.alloc(40, 0x41)]);
    expect(() => readContainer(chance, 'x.jpg')).toThrow(
      'x.jpg is a JPEG picture without a character card behind it.',
    );
  });
});
