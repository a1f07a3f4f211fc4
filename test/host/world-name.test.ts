import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  cleanName,
  foldName,
  freeName,
  limitBytes,
  newWorldName,
  storedName,
  storedNameHere,
} from '../../src/host/world-name.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';

const bytes = (text: string) => new TextEncoder().encode(text).length;

describe('cleanName', () => {
  it.each([
    ['  The Harbour. ', 'The Harbour'],
    ['...hidden', 'hidden'],
    ['a\u0000b\u001f\u009f', 'ab'],
    ['line\r\nbreak', 'line break'],
    ['two  \u00a0 spaces', 'two spaces'],
    ['\u202egnp.exe\u202c', 'gnp.exe'],
    ['\u2066iso\u2069late\u200b\u200d\ufeff', 'isolate'],
    ['\ud800broken\udc00', 'broken'],
    ['\u3164', ''],
    ['. . .', ''],
    ['', ''],
    ['🏝️ Lore', '🏝️ Lore'],
  ])('%j -> %j', (wanted, name) => {
    expect(cleanName(wanted)).toBe(name);
  });

  it('cuts at 200 bytes between characters', () => {
    expect(cleanName('語'.repeat(100))).toBe('語'.repeat(66));
    expect(cleanName(`a${'🏰'.repeat(60)}`)).toBe(`a${'🏰'.repeat(49)}`);
  });

  it('does not end in a space or dot where it was cut', () => {
    expect(cleanName(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199));
    expect(cleanName(`${'a'.repeat(198)}. b`)).toBe('a'.repeat(198));
  });

  it('is stable, short and whole for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (wanted) => {
        const name = cleanName(wanted);
        expect(cleanName(name)).toBe(name);
        expect(bytes(name)).toBeLessThanOrEqual(200);
        expect(new TextDecoder().decode(new TextEncoder().encode(name))).toBe(name);
      }),
    );
  });
});

describe('limitBytes', () => {
  it('counts UTF-8', () => {
    expect(limitBytes('aé語🏰', 10)).toBe('aé語🏰');
    expect(limitBytes('aé語🏰', 9)).toBe('aé語');
    expect(limitBytes('aé語🏰', 5)).toBe('aé');
    expect(limitBytes('aé', 2)).toBe('a');
  });
});

describe('foldName', () => {
  it.each([
    ['Élise', 'elise'],
    ['ÉLISE', 'e\u0301lise'],
    ['Straße', 'STRASSE'],
    ['ﬁn', 'FIN'],
    ['Lore Ⅳ', 'lore iv'],
    ['🏝️', '🏝'],
  ])('%s = %s', (a, b) => {
    expect(foldName(a)).toBe(foldName(b));
  });

  it('keeps the vowels of scripts that write them as marks', () => {
    expect(foldName('กิน')).not.toBe(foldName('กัน'));
    expect(foldName('कि')).not.toBe(foldName('का'));
  });
});

describe('freeName', () => {
  it.each([
    ['Lore', [], 'Lore'],
    ['Lore', ['LORE'], 'Lore (2)'],
    ['Lore', ['Lóre', 'lore (2)'], 'Lore (3)'],
    ['Lore (2)', ['Lore'], 'Lore (2)'],
    ['Lore (2)', ['Lore (2)'], 'Lore (3)'],
    ['(2)', ['(2)'], '(2) (2)'],
  ])('%s beside %j -> %s', (wanted, existing, name) => {
    expect(freeName(wanted, existing)).toBe(name);
  });
});

describe('storedNameHere', () => {
  it.each([
    ['AC/DC: lore', 'ACDC lore'],
    ['CON', ''],
    ['nul', ''],
    ['com1', ''],
    ['CON.lore', ''],
    ['console', 'console'],
    ['a<b>c|d"e*f?g\\h', 'abcdefgh'],
    ['dots...', 'dots...'],
    ['x'.repeat(250), 'x'.repeat(250)],
    // Cut in its extension: SillyTavern would never list such a file.
    ['x'.repeat(251), ''],
    ['語'.repeat(100), ''],
  ])('%s -> %s', (name, stored) => {
    expect(storedNameHere(name)).toBe(stored);
  });
});

describe('asking the server', () => {
  let server: FakeServer;
  beforeEach(() => {
    server = startFakeServer();
  });
  afterEach(() => vi.unstubAllGlobals());

  it('asks for the whole file name', async () => {
    expect(await storedName('AC/DC: lore')).toBe('ACDC lore');
    expect(server.requests).toEqual([
      { path: '/api/files/sanitize-filename', body: { fileName: 'AC/DC: lore.json' } },
    ]);
  });

  it('takes an empty or endless answer for no name', async () => {
    for (const fileName of ['', 'x'.repeat(255)]) {
      server.instead.set('/api/files/sanitize-filename', () => Response.json({ fileName }));
      expect(await storedName('CON')).toBe('');
    }
  });

  it('imitates the cleaning where the endpoint is missing or strange', async () => {
    server.instead.set('/api/files/sanitize-filename', () => new Response('', { status: 404 }));
    expect(await storedName('nul')).toBe('');
    server.instead.set('/api/files/sanitize-filename', () => Response.json({ name: 'x' }));
    expect(await storedName('a:b')).toBe('ab');
  });

  it('chooses a name: own, fallback, Lorebook, each free', async () => {
    expect(await newWorldName('Harbour: ', "Ann's Lorebook", ['harbour'])).toBe('Harbour (2)');
    expect(await newWorldName('???', "Ann's Lorebook", [])).toBe("Ann's Lorebook");
    expect(await newWorldName(' . ', '\u200b', ['Lorebook'])).toBe('Lorebook (2)');
    expect(await newWorldName('語'.repeat(100), '', ['語'.repeat(66)])).toBe(`${'語'.repeat(66)} (2)`);
  });
});
