// Cards of Wyvern, Chub and RoleCall, which use the standard's words: SillyTavern gets them in its own where it would
// read them otherwise than we do, and byte for byte where it would not.

import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sameFingerprint } from '../../src/core/fingerprint.ts';
import { type JsonObject, jsonAt } from '../../src/core/json.ts';
import type { LorebookBody } from '../../src/core/lorebook.ts';
import { arrivalOf } from '../../src/features/import/arrival.ts';
import { foreignAppOf, type OpenedCard } from '../../src/features/import/foreign-card.ts';
import { foreignAppOfBook } from '../../src/formats/_shared/foreign-book.ts';
import { bringsNothingNew } from '../../src/formats/sillytavern/visible-fields.ts';
import { readWorldInfo } from '../../src/formats/sillytavern/world-info.ts';
import { worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { openFile } from '../../src/open-file.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { anyCard } from '../support/arbitrary-books.ts';
import { bookEntry, bookOf, cardWith } from '../support/fixtures.ts';
import { embedAsSillyTavern, extractAsSillyTavern } from '../support/sillytavern.ts';
import { ALL_WORDED_CARDS } from '../support/worded-cards.ts';

vi.setConfig({ testTimeout: 60_000 });
beforeEach(() => void startFakeClient({}));

const openCard = (card: JsonObject): OpenedCard =>
  openFile(new TextEncoder().encode(JSON.stringify(card)), 'x.json') as OpenedCard;

async function sent(card: OpenedCard, app: string): Promise<OpenedCard> {
  const { replacement } = await arrivalOf(card, app, 'x.json');
  return openFile(new Uint8Array(await replacement.file.arrayBuffer()), replacement.file.name) as OpenedCard;
}

const worldOf = ({ pieces }: OpenedCard): JsonObject => {
  const [lorebook] = pieces.lorebooks;
  if (lorebook === undefined) throw new Error('no lorebook');
  return worldFromLorebook(lorebook, { character: pieces.character.name, slot: '' });
};
const entriesOf = (world: JsonObject) => readWorldInfo(world, 'w').body.entries;
const rowsOf = (world: JsonObject): unknown[] => Object.values(world['entries'] as JsonObject);
/** What SillyTavern itself would make of the book in its slot. */
const stockWorld = ({ card }: OpenedCard): JsonObject => {
  const book = jsonAt(card, ['data', 'character_book']);
  return book === undefined ? { entries: {} } : extractAsSillyTavern(book as JsonObject);
};

const MARKS = { rolecall: { tagline: 'Lit.' }, chub: { id: 7, full_path: 'a/b' } };

describe.each(ALL_WORDED_CARDS)('%s', (_, { app, card, slot, entries }) => {
  const opened = openCard(card);

  it('is read by SillyTavern otherwise than by us, so it is known as another app’s', () => {
    expect([...opened.pieces.slots.values()]).toEqual([slot]);
    expect(rowsOf(worldOf(opened))).toMatchObject(entries);
    expect(rowsOf(worldOf(opened))).toHaveLength(entries.length);
    // In the test's own telling of SillyTavern's import, a field of the world file at least is another one.
    const stock = stockWorld(opened);
    expect(() => expect(rowsOf(stock)).toMatchObject(entries)).toThrow();
    expect(foreignAppOf(opened)).toBe(app);
  });

  it('reaches SillyTavern so that it reads the same entries as we do', async () => {
    const again = await sent(opened, app);
    expect(rowsOf(stockWorld(again))).toMatchObject(entries);
    const [ours, stock] = [entriesOf(worldOf(opened)), entriesOf(stockWorld(again))];
    expect(stock).toHaveLength(ours.length);
    expect(bringsNothingNew(ours, stock)).toBe(true);
    expect(bringsNothingNew(stock, ours)).toBe(true);
    // So it is the same book where the character's own copy is extracted again.
    const [raw, stored] = [opened, again].map(({ pieces }) => pieces.lorebooks[0]?.body);
    expect(sameFingerprint(stored as LorebookBody)).toBe(sameFingerprint(raw as LorebookBody));
    expect(bringsNothingNew(raw?.entries ?? [], stored?.entries ?? [])).toBe(true);
    // In one place, and not converted once more.
    expect([...again.pieces.slots.values()]).toEqual(['data.character_book']);
    expect(foreignAppOf(again)).toBeNull();
    // The character as it was, with what the app keeps in it.
    const data = (card['data'] ?? card) as JsonObject;
    for (const name of ['name', 'description', 'first_mes', 'alternate_greetings', 'tags'])
      expect(jsonAt(again.card, ['data', name])).toEqual(data[name]);
    const marks = jsonAt(data, ['extensions', 'rolecall']);
    expect(jsonAt(again.card, ['data', 'extensions', 'rolecall'])).toEqual(marks);
  });

  it('keeps the book as the app wrote it, in the world file and in the card', async () => {
    const raw = opened.pieces.lorebooks[0]?.original['character-book']?.raw;
    const { read } = await arrivalOf(opened, app, 'x.json');
    const [incoming] = read.books;
    if (incoming === undefined) throw new Error('no lorebook');
    const world = worldFromLorebook(incoming.lorebook, { character: read.character, slot });
    expect(jsonAt(world, ['loreferry', 'original', 'character-book', 'raw'])).toEqual(raw);
    const again = await sent(opened, app);
    const rider = ['data', 'character_book', 'extensions', 'loreferry', 'original', 'character-book', 'raw'];
    expect(jsonAt(again.card, rider)).toEqual(raw);
  });

  it('that SillyTavern has stored, linked and written out again comes back byte for byte', async () => {
    const again = await sent(opened, app);
    const book = embedAsSillyTavern(worldOf(opened), 'w');
    const exported = cardWith(book, { extensions: { ...MARKS, talkativeness: '0.5', fav: false } });
    expect(foreignAppOf(openCard(exported))).toBeNull();
    const unlinked = embedAsSillyTavern(stockWorld(again), 'w');
    expect(foreignAppOf(openCard(cardWith(unlinked, { extensions: MARKS })))).toBeNull();
  });
});

it('of entries without ids under null SillyTavern keeps one, so they are not left to it', () => {
  const book = bookOf(bookEntry({ id: null, content: 'One.' }), bookEntry({ id: null, content: 'Two.' }));
  expect(foreignAppOf(openCard(cardWith(book, { extensions: MARKS })))).not.toBeNull();
});

describe('marks that change nothing', () => {
  const plain = bookEntry({
    extensions: { excludeRecursion: true, weight: 10, addMemo: true, linked: false },
  });
  it.each([
    ['Chub’s spelling beside what SillyTavern reads', bookOf(plain), {}],
    ['an app’s name in the card', bookOf(bookEntry()), MARKS],
    ['Wyvern’s ids', bookOf(bookEntry({ entry_id: 'w-1', scan_persona: false })), {}],
    [
      'one name of Chub’s',
      bookOf(bookEntry({ name: 'W', comment: '', extensions: { displayIndex: 1 } })),
      {},
    ],
    ['a position of Chub’s alone', bookOf(bookEntry({ position: 0 })), {}],
    ['no book at all', undefined, MARKS],
    ['no entries', bookOf(), MARKS],
  ])('%s: the card is left as it is', (_, book, extensions) => {
    expect(foreignAppOf(openCard(cardWith(book, { extensions })))).toBeNull();
  });

  it('a book that SillyTavern extracted from Chub’s and embedded again is its own', () => {
    const raw = bookOf(
      bookEntry({
        name: 'Weir',
        comment: '',
        position: 0,
        case_sensitive: true,
        extensions: { excludeRecursion: true, displayIndex: '1', depth: '9', position: 4 },
      }),
    );
    const once = openCard(cardWith(raw));
    expect(foreignAppOf(once)).toBe('chub');
    const through = embedAsSillyTavern(extractAsSillyTavern(raw), 'Quay Notes');
    expect(foreignAppOf(openCard(cardWith(through, { extensions: MARKS })))).toBeNull();
  });

  it('whatever SillyTavern embedded is its own, whose marks it may carry', () => {
    fc.assert(
      fc.property(anyCard, (raw) => {
        for (const lorebook of openCard(raw).pieces.lorebooks) {
          const world = worldFromLorebook(lorebook, { character: '', slot: '' });
          const entries = Object.values(world['entries'] as JsonObject) as JsonObject[];
          const marked = entries.map((entry, at) => [
            String(entry['uid'] ?? at),
            { ...entry, extensions: { addMemo: true, weight: 3, linked: true } },
          ]);
          const book = embedAsSillyTavern({ entries: Object.fromEntries(marked) }, 'w');
          const card = openCard(cardWith(JSON.parse(JSON.stringify(book)), { extensions: MARKS }));
          for (const each of card.pieces.lorebooks)
            expect(foreignAppOfBook(each, card.pieces.character.body.extensions)).toBeNull();
        }
      }),
      { seed: 20_261_130, numRuns: 300 },
    );
  });

  it('whatever was converted is not converted once more', async () => {
    const apps: string[] = [];
    await fc.assert(
      fc.asyncProperty(anyCard, async (raw) => {
        const data = (raw['data'] ?? raw) as JsonObject;
        const held = data['extensions'];
        const extensions = { ...(typeof held === 'object' ? held : {}), chub: { id: 7 } } as JsonObject;
        const card = openCard(
          raw['data'] === undefined ? { ...raw, extensions } : { ...raw, data: { ...data, extensions } },
        );
        const app = foreignAppOf(card);
        if (app === null || !['chub', 'wyvern', 'rolecall'].includes(app)) return;
        apps.push(app);
        const again = await sent(card, app);
        expect(foreignAppOf(again)).toBeNull();
        const [ours, stored] = [card, again].map(({ pieces }) =>
          pieces.lorebooks.flatMap(({ body }) => body.entries),
        );
        expect(bringsNothingNew(ours ?? [], stored ?? [])).toBe(true);
      }),
      { seed: 20_261_201, numRuns: 400 },
    );
    expect(apps.length).toBeGreaterThan(50);
    expect(new Set(apps).size).toBe(3);
  });
});
