// What an export takes along and what stays: live books, the user's own fields, private fields, twins.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { ExportChoices, ExportOffer, WorldInForce } from '../../src/features/export/export-material.ts';
import { exportWork } from '../../src/features/export/export-work.ts';
import { leavingCard } from '../../src/features/export/leaving-card.ts';
import { EXPORTERS } from '../../src/formats/exporters.ts';
import { worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { openFile } from '../../src/open-file.ts';
import { bookEntry, bookOf, cardWith, readCase, worldEntry, worldOf } from '../support/fixtures.ts';

const bytesOf = (json: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(json));
const jsonOf = (bytes: Uint8Array | undefined): JsonObject =>
  JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
const inForce = (name: string, world: JsonObject, ...roles: WorldInForce['roles']): WorldInForce => ({
  name,
  roles,
  bytes: bytesOf(world),
});

/** Opens a character and offers what there is. */
function offered(card: JsonObject, worlds: readonly WorldInForce[] = []) {
  const work = exportWork();
  const opened = work.open({ kind: 'character', name: 'Mara.json', bytes: bytesOf(card) });
  return { work, opened, offer: work.offer(worlds, { userName: 'Ann' }) };
}

const choicesFor = (offer: ExportOffer, given: Partial<ExportChoices> = {}): ExportChoices => ({
  target: 'sillytavern',
  form: 'json',
  version: null,
  style: 'natural',
  options: {},
  books: offer.books.filter(({ isTicked }) => isTicked).map(({ key }) => key),
  privateFields: 'keep',
  ...given,
});

const bookIn = (card: JsonObject): JsonObject | undefined =>
  (card['data'] as JsonObject)['character_book'] as JsonObject | undefined;
const contentsIn = (card: JsonObject): unknown =>
  (bookIn(card)?.['entries'] as readonly JsonObject[] | undefined)?.map(({ content }) => content);
const linkedTo = (world: string): JsonObject => ({ extensions: { world } });

describe('a card that leaves', () => {
  it('leaves the user’s own fields behind, at every level', () => {
    const card = {
      ...cardWith(undefined, {
        extensions: { fav: true, chat: 'x', talkativeness: 0.5, world: 'W' },
        chat: 'x',
      }),
      fav: 'true',
      chat: 'Mara - 2026',
      avatar: 'Mara.png',
      create_date: '2026-1-1',
      json_data: '{}',
      author_note: 'stays',
    };
    const left = leavingCard(card);
    expect(Object.keys(left).sort()).toEqual(['author_note', 'data', 'fav', 'spec', 'spec_version']);
    expect(left['fav']).toBe(false);
    expect((left['data'] as JsonObject)['extensions']).toEqual({
      fav: false,
      talkativeness: 0.5,
      world: 'W',
    });
    expect(left['data']).not.toHaveProperty('chat');
  });
  it('is the same one when it has none', () => {
    const card = { ...cardWith(bookOf(bookEntry()), { extensions: { fav: false } }), fav: false };
    expect(leavingCard(card)).toBe(card);
  });
  it('keeps a key called __proto__ as what it is', () => {
    const card = JSON.parse('{"__proto__":{"a":1},"chat":"x","data":{"name":"A"}}') as JsonObject;
    expect(JSON.stringify(leavingCard(card))).toBe('{"__proto__":{"a":1},"data":{"name":"A"}}');
  });
});

describe('the books on offer', () => {
  it('are the live files, with whose each is; those of others are not ticked', () => {
    const card = cardWith(bookOf(bookEntry({ content: 'Old.' })), linkedTo('Quay'));
    const world = (content: string) => worldOf(worldEntry(0, { content }));
    const { offer, opened } = offered(card, [
      inForce('Quay', world('New.'), 'linked'),
      inForce('More', world('More.'), 'additional', 'chat'),
      inForce('Chat', world('Chat.'), 'chat'),
      inForce('Me', world('Me.'), 'persona'),
      inForce('All', world('All.'), 'global'),
    ]);
    expect(opened).toEqual({ isCard: true, linked: 'Quay' });
    expect(offer.books.map(({ name, roles, isTicked, drift }) => [name, roles, isTicked, drift])).toEqual([
      ['Quay', ['linked'], true, 1],
      ['More', ['additional', 'chat'], true, 0],
      ['Chat', ['chat'], false, 0],
      ['Me', ['persona'], false, 0],
      ['All', ['global'], false, 0],
    ]);
  });
  it('a stale copy in the card is not among them, and its entries do not travel (case 62)', () => {
    const { cards, worlds } = readCase('62-') as unknown as {
      readonly cards: readonly JsonObject[];
      readonly worlds: Record<string, JsonObject>;
    };
    const [[name, world] = ['', {}]] = Object.entries(worlds);
    const { work, offer } = offered(cards[0] as JsonObject, [inForce(name, world, 'linked')]);
    expect(offer.books).toHaveLength(1);
    expect(offer.books[0]?.drift).toBeGreaterThan(0);
    const { files } = work.convert(choicesFor(offer));
    const live = Object.values(world['entries'] as Record<string, JsonObject>).map(({ content }) => content);
    expect(contentsIn(jsonOf(files[0]?.bytes))).toEqual(live);
  });
  it('a book that only the card holds is ticked', () => {
    const { offer } = offered(cardWith(bookOf(bookEntry())));
    expect(offer.books.map(({ roles, isTicked }) => [roles, isTicked])).toEqual([[['card'], true]]);
  });
  it('the targets are SillyTavern and every app with an exporter', () => {
    const { offer } = offered(cardWith(undefined));
    expect(offer.targets.map(({ id }) => id)).toEqual(['sillytavern', ...EXPORTERS.map(({ id }) => id)]);
    // The usual form first: the file's own, unless the app has another that holds more than a card.
    expect(offer.targets.map(({ forms }) => forms[0])).toEqual([
      'json',
      ...EXPORTERS.map(({ forms, hasBestFit }) =>
        hasBestFit === true || forms.includes('native') ? 'auto' : 'json',
      ),
    ]);
  });
});

describe('for SillyTavern', () => {
  it('an untouched card goes as it is', () => {
    const card = cardWith(bookOf(bookEntry({ x_own: 1 }), bookEntry({ id: 3, content: 'b' })));
    const { work, offer } = offered(card);
    const { files, counts } = work.convert(choicesFor(offer));
    expect(jsonOf(files[0]?.bytes)).toEqual(card);
    expect(counts).toMatchObject({ total: 2, exact: 2 });
  });
  it('a book that is not ticked does not stay in its slot, whichever that is', () => {
    const extensions = { character_book: bookOf(bookEntry({ content: 'Second slot.' })) };
    const card = cardWith(bookOf(bookEntry({ content: 'First slot.' })), { extensions });
    const { work, offer } = offered(card);
    expect(offer.books).toHaveLength(2);
    const none = work.convert(choicesFor(offer, { books: [] }));
    expect(JSON.stringify(jsonOf(none.files[0]?.bytes))).not.toMatch(/slot\./);
    expect(none.counts.total).toBe(0);
    const second = work.convert(choicesFor(offer, { books: [offer.books[1]?.key ?? ''] }));
    const text = JSON.stringify(jsonOf(second.files[0]?.bytes));
    expect(text).toContain('Second slot.');
    expect(text).not.toContain('First slot.');
    // And the first choice is still there to be taken.
    const both = work.convert(choicesFor(offer));
    expect(contentsIn(jsonOf(both.files[0]?.bytes))).toEqual(['First slot.', 'Second slot.']);
  });
  it('private fields stay behind only when that is chosen', () => {
    const world = worldOf(
      worldEntry(0, { characterFilter: { names: ['Secret Friend'], tags: [], isExclude: false } }),
    );
    const { work, offer } = offered(cardWith(undefined, linkedTo('Quay')), [
      inForce('Quay', world, 'linked'),
    ]);
    expect(offer.books[0]?.hasPrivate).toBe(true);
    const text = (privateFields: 'keep' | 'drop') =>
      JSON.stringify(jsonOf(work.convert(choicesFor(offer, { privateFields })).files[0]?.bytes));
    expect(text('keep')).toContain('Secret Friend');
    expect(text('drop')).not.toContain('Secret Friend');
  });
  it('a world file goes without its twin', () => {
    const opened = openFile(bytesOf(cardWith(bookOf(bookEntry({ x_own: 'twin only' })))), 'a.json');
    if (opened.kind !== 'card') throw new Error('no card');
    const book = opened.pieces.lorebooks[0];
    if (book === undefined) throw new Error('no book');
    const world = worldFromLorebook(book, { character: 'Mara', slot: book.id });
    expect(JSON.stringify(world)).toContain('loreferry');
    const work = exportWork();
    work.open({ kind: 'world', name: 'Quay. Notes', bytes: bytesOf(world) });
    const offer = work.offer([], {});
    expect([offer.isCard, offer.books.map(({ roles }) => roles)]).toEqual([false, [['alone']]]);
    const { files } = work.convert(choicesFor(offer, { form: 'lorebook' }));
    const written = jsonOf(files[0]?.bytes);
    expect(written).not.toHaveProperty('loreferry');
    expect(written['extensions'] ?? {}).not.toHaveProperty('loreferry');
    expect(written['entries']).toEqual(world['entries']);
  });
  it('as a card’s book a world file is the book that it was made of again, with what was edited', () => {
    const raw = bookOf(
      bookEntry({ x_own: 'of the card', priority: 7 }),
      bookEntry({ id: 1, content: 'Taken out.' }),
    );
    const opened = openFile(bytesOf(raw), 'quay.json');
    if (opened.kind !== 'lorebook') throw new Error('no lorebook');
    const world = worldFromLorebook(opened.lorebook, { character: '', slot: 'worldinfo' });
    const written = (entries: JsonObject): JsonObject => {
      const work = exportWork();
      work.open({ kind: 'world', name: 'Quay', bytes: bytesOf({ ...world, entries }) });
      const { files, findings } = work.convert(choicesFor(work.offer([], {}), { form: 'book' }));
      expect(findings).toEqual([]);
      return jsonOf(files[0]?.bytes);
    };
    const entries = world['entries'] as JsonObject;
    expect(written(entries)).toEqual(raw);
    const [first, second] = raw['entries'] as readonly JsonObject[];
    const edited = { ...(entries['0'] as JsonObject), content: 'Edited.' };
    expect(written({ ...entries, 0: edited })).toEqual({
      ...raw,
      entries: [{ ...first, content: 'Edited.' }, second],
    });
    // What the user took out is not told.
    expect(JSON.stringify(written({ 0: entries['0'] ?? {} }))).not.toContain('Taken out.');
  });
});

describe.each(EXPORTERS.map(({ id }) => id))('for %s', (target) => {
  it('several books travel together, and every entry is in the report', () => {
    const card = cardWith(undefined, linkedTo('Quay'));
    const { work, offer } = offered(card, [
      inForce('Quay', worldOf(worldEntry(0, { content: 'Of the quay.' })), 'linked'),
      inForce('All', worldOf(worldEntry(0, { content: 'Of every chat.' })), 'global'),
    ]);
    const given = { target, form: 'json', privateFields: 'drop' } as const;
    const some = work.convert(choicesFor(offer, given));
    const all = work.convert(choicesFor(offer, { ...given, books: offer.books.map(({ key }) => key) }));
    const text = (outcome: typeof all): string =>
      outcome.files.map(({ bytes }) => new TextDecoder('latin1').decode(bytes)).join('\n');
    expect(text(some)).not.toContain('Of every chat.');
    expect(text(all)).toContain('Of every chat.');
    expect([some.counts.total, all.counts.total]).toEqual([1, 2]);
    expect(all.entries.map(({ bookName }) => bookName)).toEqual(['Quay', 'All']);
    for (const { bookId, entryId } of all.findings.filter((found) => found.entryId !== null))
      expect(all.entries).toContainEqual(expect.objectContaining({ bookId, entryId }));
  });
  it('nothing of the user’s own is in the file', () => {
    const card = {
      ...cardWith(bookOf(bookEntry()), { extensions: { fav: true } }),
      chat: 'my chat',
      fav: true,
    };
    const { work, offer } = offered(card);
    for (const form of offer.targets.find(({ id }) => id === target)?.forms ?? []) {
      const { files } = work.convert(choicesFor(offer, { target, form, privateFields: 'drop' }));
      const text = files.map(({ bytes }) => new TextDecoder('latin1').decode(bytes)).join('\n');
      expect(text).not.toContain('my chat');
    }
  });
});
