import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import { isMemoryBook, memoryBooksOf } from '../../src/formats/agnai/memory-book.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { bookEntry, bookOf, readCase } from '../support/fixtures.ts';

const MEMORY: JsonObject = deepFreeze({
  kind: 'memory',
  name: 'Mem',
  entries: [
    { name: 'Lamp', entry: 'Lamp note.', keywords: ['lamp'], priority: 1, weight: 2, enabled: true },
    { name: 'Off', entry: 'Off note.', keywords: ['off', 'dark'], priority: 1, weight: 3, enabled: false },
  ],
});

describe("Agnai's memory book", () => {
  it.each([
    [MEMORY, true],
    [{ entries: [{ name: 'x', entry: 'y', enabled: true }] }, true],
    [{ kind: 'memory', entries: [] }, true],
    [bookOf(bookEntry()), false],
    [{ entries: [] }, false],
    [{ kind: 'memory' }, false],
    [null, false],
  ])('%#: is told by its entries, not by `kind` (wild file B11)', (raw, expected) => {
    expect(isMemoryBook(raw as Json)).toBe(expected);
  });
  it('is read entry by entry, behind the character, where Agnai has its block', () => {
    const findings: Finding[] = [];
    const [found] = memoryBooksOf({ name: 'x', characterBook: MEMORY }, 'Fallback', findings);
    expect(found?.slot).toBe('characterBook');
    expect(found?.lorebook.name).toBe('Mem');
    expect(Object.keys(found?.lorebook.original ?? {})).toEqual(['agnai']);
    expect(
      found?.lorebook.body.entries.map((entry) => [
        entry.title,
        entry.content,
        entry.keys.map(writeKey),
        entry.order,
        entry.enabled,
        entry.position.slot,
      ]),
    ).toEqual([
      ['Lamp', 'Lamp note.', ['lamp'], 2, true, 'character'],
      ['Off', 'Off note.', ['off', 'dark'], 3, false, 'character'],
    ]);
    expect(findings).toEqual([]);
  });
  it('is found in the data of a wrapped card too (case 45)', () => {
    const [, , camel] = readCase('45-') as unknown as readonly JsonObject[];
    const found = memoryBooksOf(camel as JsonObject, 'Fallback', []);
    expect(found.map(({ slot }) => slot)).toEqual(['data.characterBook']);
  });
  it('a name that is missing falls back', () => {
    const [found] = memoryBooksOf({ characterBook: { kind: 'memory', entries: [] } }, 'Fallback', []);
    expect(found?.lorebook.name).toBe('Fallback');
  });
});
