// A book's own scan depth and recursion, which SillyTavern does not ask a book for: said once of the book.

import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { readMarinaraLorebook } from '../../src/formats/marinara/native-lorebook.ts';
import { readRolecallLorebook } from '../../src/formats/rolecall/lorebook-file.ts';

const READERS: readonly (readonly [
  app: string,
  read: (depth: number | null, recursive: boolean | null) => readonly Finding[],
])[] = [
  [
    'Marinara',
    (scanDepth, recursiveScanning) =>
      readMarinaraLorebook(
        {
          type: 'marinara_lorebook',
          version: 1,
          data: { lorebook: { name: 'A', scanDepth, recursiveScanning }, entries: [{ keys: ['lamp'] }] },
        },
        'b',
        'x',
      ).findings,
  ],
  [
    'RisuAI',
    (scan_depth, recursive_scanning) =>
      readCharacterBook(
        {
          scan_depth,
          recursive_scanning,
          entries: [{ keys: ['lamp'], content: '', extensions: { risu_loreCache: null } }],
        },
        'b',
      ).findings,
  ],
  [
    'RoleCall',
    (globalScanDepth, globalRecursion) =>
      readRolecallLorebook(
        {
          schemaVersion: '1.0.0',
          lorebook: { name: 'A', settings: { globalScanDepth, globalRecursion }, entries: [{ title: 'A' }] },
        },
        'b',
        'x',
      ).findings,
  ],
];

// Marinara's importer takes a recursion that is not said for off (2.3.3).
const OFF_UNSAID = ['stashed', null, 'recursiveScanning', false, null];

describe.each(READERS)('%s', (app, read) => {
  const said = (depth: number | null, recursive: boolean | null) =>
    read(depth, recursive).flatMap(({ code, entryId, path, before, after }) =>
      path === 'scanDepth' || path === 'recursiveScanning' ? [[code, entryId, path, before, after]] : [],
    );
  it('says that another depth and another recursion are kept aside', () => {
    expect(said(7, true)).toEqual([['stashed', null, 'scanDepth', 7, null]]);
    expect(said(2, false)).toEqual([['stashed', null, 'recursiveScanning', false, null]]);
  });
  it('says nothing of SillyTavern’s own, or of none that would mean another there', () => {
    expect(said(2, true)).toEqual([]);
    expect(said(null, null)).toEqual(app === 'Marinara' ? [OFF_UNSAID] : []);
  });
});

it('a plain book’s settings are as silent as SillyTavern’s own', () => {
  const { findings } = readCharacterBook({ scan_depth: 7, entries: [{ keys: ['lamp'], content: '' }] }, 'b');
  expect(findings.filter(({ path }) => path === 'scanDepth')).toEqual([]);
});
