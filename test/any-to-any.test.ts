// Every kind of file to every app: what is written opens again as a file of that app, with the same entries; where one
// differs, a finding has said so.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { writeContainer } from '../src/containers/container.ts';
import { convertAnyFile } from '../src/convert-pack.ts';
import type { CanonicalLorebook } from '../src/core/lorebook.ts';
import { TARGETS } from '../src/formats/registry.ts';
import { idInPack } from '../src/inspection/pack-inspection.ts';
import { formatOf, type OpenedFile } from '../src/open-file.ts';
import { filesIn, lorebooksIn, type OpenedPack, openAnyFile } from '../src/packed-file.ts';
import { bookEntry, bookOf, cardWith, worldEntry, worldOf } from './support/fixtures.ts';
import { differences, isSaid, markOf, type Placed, placedEntries } from './support/silent-differences.ts';

vi.setConfig({ testTimeout: 60_000 });

const file = (...path: readonly string[]): Uint8Array =>
  new Uint8Array(readFileSync(join(import.meta.dirname, 'fixtures', ...path)));
const foreign = (app: string, name: string): readonly [string, Uint8Array] => [
  name,
  file('foreign', app, name),
];
const dialect = (name: string): readonly [string, Uint8Array] => [name, file('dialects', name)];
const json = (name: string, value: unknown): readonly [string, Uint8Array] => [
  name,
  new TextEncoder().encode(JSON.stringify(value)),
];
const CARD = cardWith(
  bookOf(bookEntry(), bookEntry({ keys: ['/t[ae]r/i'], extensions: { position: 4, depth: 2 } })),
);

const FILTER = { isExclude: false, names: ['card'], tags: ['t1'] };

/** One of each kind. */
const SOURCES: readonly (readonly [string, Uint8Array])[] = [
  ['card.png', writeContainer({ kind: 'png' }, CARD)],
  json('card.json', CARD),
  json(
    'world.json',
    worldOf(
      worldEntry(0),
      worldEntry(3, { position: 7, outletName: 'shelf', automationId: 'au1', characterFilter: FILTER }),
    ),
  ),
  foreign('risu', 'risu-full-ilsa-marrow-charx.charx'),
  foreign('risu', 'risu-st-nadia-ferro-charxjpeg.jpeg'),
  foreign('risu', 'risu-plain-bertil-oakes-v2.png'),
  foreign('risu', 'risu-full-ilsa-marrow-v3.json'),
  foreign('risu', 'risu-full-ilsa-marrow-lorebook_export.json'),
  foreign('risu', 'risu-full-ilsa-marrow-module.risum'),
  foreign('agnai', 'agnai-full-odile-brandt-native.json'),
  foreign('agnai', 'agnai-plain-piet-haas-native.card.png'),
  foreign('agnai', 'agnai-full-odile-brandt-tavern.json'),
  foreign('agnai', 'agnai-full-odile-brandt-ooba.json'),
  foreign('agnai', 'agnai-book-marl-square.json'),
  foreign('marinara', 'marinara-full-vesna-holt-embedded.marinara.json'),
  foreign('marinara', 'marinara-st-greta-moss-edited-compatible.json'),
  foreign('marinara', 'marinara-full-vesna-holt-embedded.png'),
  foreign('marinara', 'marinara-full-vesna-holt-lorebook.marinara.json'),
  foreign('marinara', 'marinara-full-vesna-holt-lorebook-compatible.json'),
  foreign('marinara', 'marinara-characters-port-amber.zip'),
  foreign('marinara', 'marinara-lorebooks-port-amber.zip'),
  foreign('lumiverse', 'lumiverse-full-sabine-orr.charx'),
  foreign('lumiverse', 'lumiverse-full-sabine-orr.png'),
  foreign('lumiverse', 'lumiverse-st-yara-quill.json'),
  foreign('lumiverse', 'lumiverse-full-sabine-orr-book-1-native.json'),
  foreign('lumiverse', 'lumiverse-st-yara-quill-book-sillytavern.json'),
  foreign('lumiverse', 'lumiverse-world-books-lantern-ward.zip'),
  dialect('rolecall-lorebook.json'),
  dialect('novelai-story.json'),
  dialect('chub-card.json'),
  dialect('chub-world.json'),
  dialect('chub-book-object.json'),
  dialect('wyvern-card.json'),
  dialect('bare-book-v2.json'),
  dialect('bare-book-v3.json'),
  dialect('world-list.json'),
  dialect('tavernhelper-world.json'),
];

/** The lorebooks of a file, with the ids that a report gives to them. */
const lorebooksOf = (opened: OpenedFile | OpenedPack): readonly CanonicalLorebook[] =>
  filesIn(opened).flatMap((each, index) =>
    lorebooksIn(each).map((book) => ({
      ...book,
      id: opened.kind === 'pack' ? idInPack(book.id, index) : book.id,
    })),
  );

it('a difference is seen, and whether it was said', () => {
  const [name, bytes] = SOURCES[2] as readonly [string, Uint8Array];
  const [sent] = placedEntries(lorebooksOf(openAnyFile(bytes, name)));
  const { entry, bookId } = sent as Placed;
  expect(differences(entry, { ...entry, order: entry.order + 1 })).toEqual(['order']);
  const said = {
    code: 'lost',
    severity: 'error',
    bookId,
    entryId: entry.id,
    before: 1,
    after: 2,
    message: '',
  } as const;
  expect(isSaid([{ ...said, path: 'order' }], sent as Placed, 'order')).toBe(true);
  expect(isSaid([{ ...said, path: 'title' }], sent as Placed, 'order')).toBe(false);
});

describe.each(SOURCES)('%s', (name, bytes) => {
  const ways = TARGETS.flatMap((target) =>
    (['keep', 'drop'] as const).map((choice) => [target, choice] as const),
  );
  it.each(ways)('to %s, private fields: %s', (target, privateFields) => {
    const opened = openAnyFile(bytes, name);
    const { files, report } = convertAnyFile(opened, { target, privateFields });
    expect(files.length).toBeGreaterThan(0);
    const back = files.map((each) => openAnyFile(each.bytes, each.name));
    const sent = placedEntries(lorebooksOf(opened));
    const arrived = placedEntries(back.flatMap(lorebooksOf));
    expect(arrived.map(markOf).sort()).toEqual(sent.map(markOf).sort());
    expect(report.entries.total).toBe(sent.length);
    const rest = [...arrived];
    const silent = sent.flatMap((placed): readonly string[] => {
      const at = rest.findIndex((other) => markOf(other) === markOf(placed));
      const [other] = rest.splice(at, 1);
      return differences(placed.entry, (other as Placed).entry)
        .filter((path) => !isSaid(report.findings, placed, path))
        .map((path) => `${placed.entry.title}: ${path}`);
    });
    expect(silent).toEqual([]);
    if (opened.kind !== 'pack')
      expect(back.some((each) => each.kind === 'card')).toBe(opened.kind === 'card');
  });
});

/** Files whose app is a target, each with that app. */
const ROUNDS = SOURCES.flatMap(([name, bytes]) => {
  const opened = openAnyFile(bytes, name);
  const [first] = filesIn(opened);
  const app = first === undefined ? '' : formatOf(first);
  return opened.kind !== 'pack' && (TARGETS as readonly string[]).includes(app)
    ? [[name, app, bytes] as const]
    : [];
});

describe('from each app to SillyTavern and back', () => {
  it.each(ROUNDS)('%s (%s)', (name, app, bytes) => {
    const opened = openAnyFile(bytes, name);
    const there = convertAnyFile(opened, { target: 'sillytavern', privateFields: 'keep' });
    const ofSillyTavern = there.files.map((each) => openAnyFile(each.bytes, each.name));
    const back = ofSillyTavern.map((each) => convertAnyFile(each, { target: app, privateFields: 'keep' }));
    const sent = placedEntries(lorebooksOf(opened));
    const middle = placedEntries(ofSillyTavern.flatMap(lorebooksOf));
    const arrived = placedEntries(
      back
        .flatMap(({ files }) => files.map((each) => openAnyFile(each.bytes, each.name)))
        .flatMap(lorebooksOf),
    );
    expect(arrived.map(({ entry }) => entry.content)).toEqual(sent.map(({ entry }) => entry.content));
    const findings = back.flatMap(({ report }) => report.findings);
    const silent = sent.flatMap((placed, at) =>
      differences(placed.entry, (arrived[at] as Placed).entry)
        .filter((path) => !isSaid(there.report.findings, placed, path))
        .filter((path) => !isSaid(findings, middle[at] as Placed, path))
        .map((path) => `${placed.entry.title}: ${path}`),
    );
    expect(silent).toEqual([]);
  });
});

it('a second slot whose book is written in other words does not stand there twice', () => {
  const own = {
    selectiveLogic: 'and',
    preventRecursion: true,
    groupWeight: null,
    useRegex: true,
    extensions: {},
  };
  const card = cardWith(bookOf(bookEntry()), {
    extensions: {
      character_book: { name: 'Other', entries: [{ id: 0, keys: ['tar'], content: 'Tar.', ...own }] },
    },
  });
  const [name, bytes] = json('card.json', card);
  const opened = openAnyFile(bytes, name);
  for (const target of TARGETS) {
    const { files } = convertAnyFile(opened, { target, privateFields: 'keep' });
    const books = files.flatMap((each) => lorebooksOf(openAnyFile(each.bytes, each.name)));
    expect([target, placedEntries(books).map(({ entry }) => entry.content)]).toEqual([
      target,
      ['Lamp note.', 'Tar.'],
    ]);
  }
});
