// One field of one entry edited, in every kind of book that another app wrote, back to that app: every other entry is as it
// was, what was edited comes back as it was meant, and what the app cannot say has a finding.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { convertFile } from '../../src/convert-file.ts';
import { visibleFields } from '../../src/core/compare.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isArray, isObject } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import { exportCharacter, exportLorebooks } from '../../src/export-character.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { isEdited } from '../../src/formats/_shared/own-twin.ts';
import { exporterFor } from '../../src/formats/exporters.ts';
import { type OpenedFile, openFile } from '../../src/open-file.ts';
import { lorebooksIn } from '../../src/packed-file.ts';
import { anyBook } from '../support/arbitrary-books.ts';
import { anyJson } from '../support/arbitrary-values.ts';
import { FIELD_VALUES, withValue } from '../support/entry-values.ts';
import { leafDifferences } from '../support/leaves.ts';

vi.setConfig({ testTimeout: 120_000 });

const FIXTURES = new URL('../fixtures/', import.meta.url);
const open = (path: string): OpenedFile =>
  openFile(new Uint8Array(readFileSync(new URL(path, FIXTURES))), path.slice(path.lastIndexOf('/') + 1));
const rawOf = (path: string): Json => JSON.parse(readFileSync(new URL(path, FIXTURES), 'utf8')) as Json;
const lorebookIn = (opened: OpenedFile): CanonicalLorebook => {
  const [lorebook] = lorebooksIn(opened);
  if (lorebook === undefined) throw new Error('no lorebook');
  return lorebook;
};

// Marinara would get a lorebook file for what a card cannot say.
const IN_JSON = { form: 'json' } as const;

const exported = (app: string, opened: OpenedFile, lorebook: CanonicalLorebook) => {
  const exporter = exporterFor(app);
  if (exporter === null) throw new Error(`no ${app}`);
  const asked = { lorebooks: [lorebook], style: 'exact' as const, privateFields: 'keep' as const };
  const { files, findings } =
    opened.kind === 'card'
      ? exportCharacter(exporter, opened.container, {
          ...asked,
          ...IN_JSON,
          character: opened.pieces.character,
        })
      : exportLorebooks(exporter, opened.container, asked);
  const bytes = files[0]?.bytes as Uint8Array;
  const json = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
  const reopened = openFile(bytes, 'back.json');
  return { json, findings, reopened, back: lorebookIn(reopened) };
};

/** Every raw entry of a file, wherever its list stands, without what we keep aside in it. */
function entriesOf(json: JsonObject): readonly JsonObject[] {
  const { data, lorebook, entries } = json;
  const inCard = json['characterBook'] ?? (isObject(data) ? data['character_book'] : undefined);
  const held =
    (isObject(inCard) ? inCard['entries'] : undefined) ??
    entries ??
    (isArray(data) ? data : isObject(data) ? data['entries'] : (lorebook as JsonObject)['entries']);
  const list = isArray(held) ? held : Object.values(held as JsonObject);
  return (list as readonly Json[]).filter(isObject).filter((item) => item['mode'] !== 'folder');
}

const BOOKS: readonly (readonly [app: string, path: string])[] = [
  ['marinara', 'foreign/marinara/marinara-full-vesna-holt-lorebook.marinara.json'],
  ['risu', 'foreign/risu/risu-full-ilsa-marrow-lorebook_export.json'],
  ['lumiverse', 'foreign/lumiverse/lumiverse-full-sabine-orr-book-1-native.json'],
  ['rolecall', 'dialects/rolecall-lorebook.json'],
  ['marinara', 'foreign/marinara/marinara-full-vesna-holt-embedded-compatible.json'],
  ['risu', 'foreign/risu/risu-full-ilsa-marrow-v3.json'],
  ['lumiverse', 'foreign/lumiverse/lumiverse-plain-walter-keen.json'],
  ['agnai', 'foreign/agnai/agnai-full-odile-brandt-native.json'],
];

// Values that do nothing are no difference.
const chance = ({ probability }: LorebookEntry): number => (probability.used ? probability.chance : 100);
const FIELDS = [
  ...visibleFields(CHARACTER_BOOK_FIELDS).filter(({ path }) => !path.startsWith('probability.')),
  { path: 'probability', same: (a: LorebookEntry, b: LorebookEntry) => chance(a) === chance(b) },
];
const rowOf = (path: string) => CHARACTER_BOOK_FIELDS.find((row) => row.path === path);
const saysSo = (findings: readonly Finding[], { id }: LorebookEntry, path: string): boolean =>
  findings.some((each) => each.entryId === id && isEdited(each.path, [path]));

describe.each(BOOKS)('%s: %s', (app, path) => {
  const opened = open(path);
  const own = lorebookIn(opened);
  const before = entriesOf(exported(app, opened, own).json);
  const places = own.body.entries.flatMap((_, at) => (at % 7 === 1 ? [at] : []));
  const edits = FIELD_VALUES.filter(({ path: field }) => field !== 'displayIndex');

  it.each(edits.map((each) => [each.path, each] as const))('%s', (field, { set, other }) => {
    for (const at of places) {
      for (const value of [set, other]) {
        const entry = own.body.entries[at] as LorebookEntry;
        const edited = withValue(entry, field, value);
        if (rowOf(field)?.same(entry, edited) === true) continue;
        const entries = own.body.entries.map((each, index) => (index === at ? edited : each));
        const { json, findings, back, reopened } = exported(app, opened, {
          ...own,
          body: { ...own.body, entries },
        });
        const what = `${field} of ${entry.id}`;
        const after = entriesOf(json);
        const touched = after.flatMap((each, index) =>
          leafDifferences(before[index], each).length > 0 ? [index] : [],
        );
        expect([what, after.length, touched.filter((index) => index !== at)]).toEqual([
          what,
          before.length,
          [],
        ]);
        expect([what, findings.filter(({ entryId }) => entryId !== null && entryId !== entry.id)]).toEqual([
          what,
          [],
        ]);
        // Agnai's own ids of the character are not kept when something of it is kept aside.
        if (app !== 'agnai' && value === set) {
          const again = exported(app, reopened, back).json;
          expect([what, leafDifferences(json, again)]).toEqual([what, []]);
        }
        // What we keep aside brings back what the app does not say.
        const returned = back.body.entries[at] as LorebookEntry;
        const wrong = FIELDS.filter(
          (row) =>
            row.path !== 'displayIndex' && !row.same(edited, returned) && !saysSo(findings, entry, row.path),
        );
        expect([what, wrong.map((row) => row.path)]).toEqual([what, []]);
      }
    }
  });
});

it('a book that nobody edited is written without anything of ours', () => {
  for (const [app, path] of BOOKS) {
    const { files } = convertFile(open(path), { target: app });
    expect(new TextDecoder().decode(files[0]?.bytes)).not.toContain('loreferry');
  }
});

describe('whatever stands where an app’s own book rides along', () => {
  const dialect = fc.constantFrom(
    'character-book',
    'agnai',
    'marinara',
    'marinara-compatible',
    'lumiverse',
    'risu',
    'rolecall',
    '__proto__',
    'x',
  );
  const own = fc.constantFrom(...BOOKS.map(([, path]) => rawOf(path)));
  const raw = fc.oneof(own, anyBook, anyJson);
  const numbers = fc.array(fc.oneof(fc.integer({ min: -1, max: 50 }), fc.constant(null)), { maxLength: 50 });
  const mark = fc.record({ dialect, raw, numbers });
  const entry = { uid: 0, key: ['lamp'], content: 'Lamp.', comment: 'Lamp', position: 0, order: 1 };
  const held = (marks: { readonly dialect: string; readonly raw: Json }): JsonObject =>
    Object.fromEntries([[marks.dialect, { raw: marks.raw }]]);

  it('a world file and a card are read and written, and what they show is what is written', () => {
    fc.assert(
      fc.property(
        mark,
        fc.constantFrom('marinara', 'risu', 'agnai', 'lumiverse', 'rolecall'),
        (marks, app) => {
          const world = {
            entries: { 0: entry },
            loreferry: { v: 1, original: held(marks), uids: marks.numbers },
          };
          const book = {
            entries: [
              { id: 0, keys: ['lamp'], content: 'Lamp.', comment: 'Lamp', extensions: { position: 0 } },
            ],
            extensions: { loreferry: { v: 1, original: held(marks), ids: marks.numbers } },
          };
          const card = {
            spec: 'chara_card_v3',
            data: { name: 'Mara', extensions: {}, character_book: book },
          };
          for (const json of [world, card]) {
            const bytes = new TextEncoder().encode(JSON.stringify(json));
            const { files } = convertFile(openFile(bytes, 'x.json'), { target: app });
            expect(files.map((file) => new TextDecoder().decode(file.bytes)).join()).toContain('Lamp.');
          }
        },
      ),
      { seed: 20_260_811, numRuns: 300 },
    );
  });
});
