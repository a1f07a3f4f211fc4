// One card from reading to outcome, against a stand-in server: what is planned, written, linked and taken back.
// @vitest-environment jsdom

import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import { type JsonObject, jsonAt } from '../../src/core/json.ts';
import { checkLink } from '../../src/features/import/card-link.ts';
import {
  answerQuestion,
  extractCard,
  leaveCard,
  mayAsk,
  type Question,
} from '../../src/features/import/extraction.ts';
import { readCard, readStoredCard } from '../../src/features/import/incoming.ts';
import type { CardOutcome } from '../../src/features/import/outcome.ts';
import { outcomeLines, outcomeTitle } from '../../src/features/import/outcome.ts';
import { batchShelf } from '../../src/features/import/shelf.ts';
import { setAsideOf, undoStep } from '../../src/features/import/undo.ts';
import { followRename } from '../../src/features/settings/settings.ts';
import { openJournal } from '../../src/host/journal.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';

let server: FakeServer;
let settings: Record<string, unknown>;
let client: Record<string, unknown>;
const context = (): Record<string, unknown> => client;
const journal = openJournal();

// The client's own module is only there in a real SillyTavern; without it its cache is left alone, with a warning.
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server = startFakeServer();
  settings = {};
  client = startFakeClient({ extensionSettings: settings, saveSettingsDebounced: () => undefined });
  await journal.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const caseOf = (name: string): { worlds?: Record<string, JsonObject>; cards: JsonObject[] } =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/cases', `${name}.json`), 'utf8'));

function cardOf(character: string, book: JsonObject | null, world?: string): JsonObject {
  const extensions = world === undefined ? {} : { world };
  return {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: {
      name: character,
      description: '',
      personality: '',
      scenario: '',
      first_mes: '',
      mes_example: '',
      extensions,
      character_book: book,
    },
  };
}

const bookOf = (name: string, ...contents: readonly string[]): JsonObject => ({
  name,
  entries: contents.map((content, id) => ({
    id,
    keys: [`key ${id}`],
    content,
    enabled: true,
    insertion_order: 100,
    position: 'before_char',
    extensions: { note_of_maker: id },
    x_top: id,
  })),
});

/** Stores a card as SillyTavern's import would, and lets us extract it. `linked`: a Replace of a linked character. */
async function importCard(avatar: string, card: JsonObject, linked = ''): Promise<CardOutcome | Question> {
  server.cards.set(avatar, card);
  return extractCard({ avatar, read: readCard(readPieces(card)), linked, journal });
}

const worldOf = (avatar: string): unknown =>
  jsonAt(server.cards.get(avatar), ['data', 'extensions', 'world']);

function done(outcome: CardOutcome | Question): Extract<CardOutcome, { kind: 'done' }> {
  if (outcome.kind !== 'done') throw new Error(`expected done, got ${JSON.stringify(outcome)}`);
  return outcome;
}

function asked(outcome: CardOutcome | Question): Question {
  if (outcome.kind !== 'question') throw new Error(`expected a question, got ${JSON.stringify(outcome)}`);
  return outcome;
}

describe('a new card', () => {
  it('01: leaves a same-named world of other content byte for byte and takes a free name', async () => {
    const { worlds, cards } = caseOf('01-same-name-world-exists');
    for (const [name, data] of Object.entries(worlds ?? {})) server.worlds.set(name, data);
    const before = JSON.stringify(server.worlds.get('Quay Notes'));
    const outcome = done(await importCard('Mara Lint.png', cards[0] as JsonObject));
    expect(JSON.stringify(server.worlds.get('Quay Notes'))).toBe(before);
    expect(worldOf('Mara Lint.png')).toBe('Quay Notes (2)');
    expect(outcomeTitle(outcome)).toBe('Extracted as “Quay Notes (2)”');
    expect(outcomeLines(outcome).join(' ')).toContain(
      'You have another “Quay Notes” with other content; it was not touched.',
    );
  });

  it('06: a second import of the same card creates nothing', async () => {
    const card = caseOf('06-extract-twice-no-duplicate').cards[0] as JsonObject;
    await importCard('Mara Lint.png', card);
    const again = done(await importCard('Mara Lint1.png', card));
    expect([...server.worlds.keys()]).toEqual(['Quay Notes']);
    expect(again.books[0]?.how).toBe('same-card');
    expect(worldOf('Mara Lint1.png')).toBe('Quay Notes');
  });

  it('creates nothing either when the world was edited since', async () => {
    const card = cardOf('Odo', bookOf('Notes', 'One.', 'Two.'));
    await importCard('Odo.png', card);
    editEntry('Notes', '0', { content: 'My own words.' });
    await importCard('Odo1.png', card);
    expect([...server.worlds.keys()]).toEqual(['Notes']);
    expect(worldOf('Odo1.png')).toBe('Notes');
  });

  it('08: two books of one name and other content become two worlds, each linked to its own character', async () => {
    const [first, second] = caseOf('08-same-name-different-content').cards as [JsonObject, JsonObject];
    await importCard('Mara Lint.png', first);
    await importCard('Odo Pell.png', second);
    expect(worldOf('Mara Lint.png')).toBe('Quay Notes');
    expect(worldOf('Odo Pell.png')).toBe('Quay Notes (2)');
    expect(JSON.stringify(server.worlds.get('Quay Notes (2)'))).toContain('Lamp was smashed in the storm.');
  });

  it('takes the name that the server stores, free also when folded for case and accents', async () => {
    server.worlds.set('ÁCDC Lore', { entries: {} });
    await importCard('Odo.png', cardOf('Odo', bookOf('AC/DC: lore', 'One.')));
    expect([...server.worlds.keys()]).toEqual(['ÁCDC Lore', 'ACDC lore (2)']);
    expect(worldOf('Odo.png')).toBe('ACDC lore (2)');
  });

  it('does not take the link in the file for a link: another book of that name is not linked', async () => {
    server.worlds.set('Notes', { entries: { 0: { uid: 0, key: ['x'], content: 'Other.' } } });
    const outcome = done(await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.'), 'Notes')));
    expect(worldOf('Odo.png')).toBe('Notes (2)');
    expect(outcome.books[0]?.nameTaken).toBe(true);
  });

  it('a claim without a book is taken off and offered, or reported dead', async () => {
    server.worlds.set('Notes', { entries: {} });
    expect(await importCard('Odo.png', cardOf('Odo', null, 'Notes'))).toMatchObject({
      kind: 'claim',
      exists: true,
    });
    expect(worldOf('Odo.png')).toBe('');
    expect(await importCard('Pia.png', cardOf('Pia', null, 'Gone'))).toMatchObject({
      kind: 'claim',
      exists: false,
    });
  });

  it('a book in a second slot is extracted too and becomes an additional book', async () => {
    const card = cardOf('Odo', bookOf('First', 'One.'));
    ((card['data'] as JsonObject)['extensions'] as Record<string, unknown>)['character_book'] = bookOf(
      'Second',
      'Two.',
    );
    const outcome = done(await importCard('Odo.png', card));
    expect([...server.worlds.keys()]).toEqual(['First', 'Second']);
    expect(outcome.books.map(({ world }) => world)).toEqual(['First', 'Second']);
    expect(worldOf('Odo.png')).toBe('First');
  });
});

describe('when the server fails', () => {
  it('76: nothing is linked and nothing is called a success; a retry yields all 49 entries', async () => {
    const card = caseOf('76-save-fails').cards[0] as JsonObject;
    server.instead.set('/api/worldinfo/edit', () => new Response('', { status: 500 }));
    const outcome = await importCard('Mara Lint.png', card);
    if (outcome.kind !== 'failed' || outcome.retry === null)
      throw new Error('expected a failure that can be retried');
    expect(outcome.reason).toContain('error 500');
    expect(worldOf('Mara Lint.png')).toBeUndefined();
    server.instead.clear();
    expect(done(await outcome.retry()).books[0]).toMatchObject({ entries: 49, how: 'created' });
    expect(Object.keys(server.worlds.get('Quay Notes')?.['entries'] as JsonObject)).toHaveLength(49);
    expect(worldOf('Mara Lint.png')).toBe('Quay Notes');
  });

  it('takes the world back when the link cannot be set', async () => {
    server.instead.set('/api/characters/merge-attributes', () => new Response('', { status: 400 }));
    expect((await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.')))).kind).toBe('failed');
    expect([...server.worlds.keys()]).toEqual([]);
    expect(await journal.list()).toEqual([]);
  });

  it('reports a file that reads back with fewer entries, and does not link it', async () => {
    let posted = false;
    server.instead.set('/api/worldinfo/edit', () => {
      posted = true;
      return undefined;
    });
    server.instead.set('/api/worldinfo/get', () =>
      posted ? new Response(JSON.stringify({ entries: { 0: { uid: 0 } } })) : undefined,
    );
    const outcome = await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.', 'Two.')));
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcomeLines(outcome as CardOutcome)[0]).toContain('1 of 2 entries');
    expect(worldOf('Odo.png')).toBe('');
  });
});

describe('Replace of a linked character', () => {
  const first = cardOf('Odo', bookOf('Notes', 'One.', 'Two.'));
  const second = cardOf('Odo', bookOf('Notes', 'One.', 'Two, newer.', 'Three.'));

  it('keeps the link and writes nothing when the book is the same', async () => {
    await importCard('Odo.png', first);
    const before = JSON.stringify(server.worlds.get('Notes'));
    const outcome = done(await importCard('Odo.png', first, 'Notes'));
    expect(outcome.books[0]?.how).toBe('already-linked');
    expect(JSON.stringify(server.worlds.get('Notes'))).toBe(before);
    expect(worldOf('Odo.png')).toBe('Notes');
  });

  it('02: shows one added entry of a book that another hand extracted', async () => {
    const { worlds, cards } = caseOf('02-newer-card-same-book');
    for (const [name, data] of Object.entries(worlds ?? {})) server.worlds.set(name, data);
    const question = asked(await importCard('Mara Lint.png', cards[0] as JsonObject, 'Quay Notes'));
    const [book] = question.plan.books;
    if (book?.kind !== 'changed') throw new Error('expected a changed book');
    const { added, changed, removed, unchanged } = book.change.difference;
    expect([added.length, changed.length, removed.length, unchanged]).toEqual([1, 0, 0, 1]);
    expect(book.change.edited).toBeNull();
    expect(worldOf('Mara Lint.png')).toBe('Quay Notes');
  });

  it('a new card without a book never unlinks the old one', async () => {
    await importCard('Odo.png', first);
    await importCard('Odo.png', cardOf('Odo', null), 'Notes');
    expect(worldOf('Odo.png')).toBe('Notes');
  });

  it('sets the new book aside in the journal before there is an answer', async () => {
    await importCard('Odo.png', first);
    asked(await importCard('Odo.png', second, 'Notes'));
    const [newest] = await journal.list();
    const step = await journal.get(newest?.id ?? '');
    const aside = step && setAsideOf(step);
    expect(Object.keys(aside?.data['entries'] as JsonObject)).toHaveLength(3);
  });

  it('Keep: the file is untouched, and the same new version does not ask again', async () => {
    await importCard('Odo.png', first);
    const before = JSON.stringify(server.worlds.get('Notes'));
    const kept = await answerQuestion(asked(await importCard('Odo.png', second, 'Notes')), 'keep', journal);
    expect(done(kept).books[0]?.how).toBe('kept');
    expect(JSON.stringify(server.worlds.get('Notes'))).toBe(before);
    expect(done(await importCard('Odo.png', second, 'Notes')).books[0]?.how).toBe('kept');
  });

  it('Replace: the new version stands in the file, and undo brings the old one back', async () => {
    await importCard('Odo.png', first);
    const before = JSON.stringify(server.worlds.get('Notes'));
    const outcome = done(
      await answerQuestion(asked(await importCard('Odo.png', second, 'Notes')), 'replace', journal),
    );
    expect(Object.keys(server.worlds.get('Notes')?.['entries'] as JsonObject)).toHaveLength(3);
    const step = await journal.get(outcome.step ?? '');
    await undoStep(step as NonNullable<typeof step>, journal);
    expect(JSON.stringify(server.worlds.get('Notes'))).toBe(before);
  });

  it('Save beside: a second file, not linked', async () => {
    await importCard('Odo.png', first);
    await answerQuestion(asked(await importCard('Odo.png', second, 'Notes')), 'beside', journal);
    expect([...server.worlds.keys()]).toEqual(['Notes', 'Notes (2)']);
    expect(worldOf('Odo.png')).toBe('Notes');
  });

  it('Take new, keep my edits: edited stays, added comes, deleted stays deleted', async () => {
    await importCard('Odo.png', first);
    editEntry('Notes', '0', { content: 'My own words.' });
    const question = asked(await importCard('Odo.png', second, 'Notes'));
    const [book] = question.plan.books;
    expect(book?.kind === 'changed' && book.change.edited?.size).toBe(1);
    await answerQuestion(question, 'merge', journal);
    const entries = server.worlds.get('Notes')?.['entries'] as Record<string, JsonObject>;
    expect(Object.values(entries).map(({ content }) => content)).toEqual([
      'My own words.',
      'Two, newer.',
      'Three.',
    ]);
    expect(done(await importCard('Odo.png', second, 'Notes')).books[0]?.how).toBe('already-linked');
  });
});

describe('an entry that the user deleted', () => {
  it('stays deleted through a merge and a newer version, and its text is purged from the twin', async () => {
    await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.', 'A secret.', 'Three.')));
    deleteEntry('Notes', '1');
    const newer = cardOf('Odo', bookOf('Notes', 'One.', 'A secret.', 'Three, newer.'));
    await answerQuestion(asked(await importCard('Odo.png', newer, 'Notes')), 'merge', journal);
    expect(contentsOf('Notes')).toEqual(['One.', 'Three, newer.']);
    expect(JSON.stringify(server.worlds.get('Notes'))).not.toContain('A secret.');
    expect(done(await importCard('Odo.png', newer, 'Notes')).books[0]?.how).toBe('already-linked');
    const newest = cardOf('Odo', bookOf('Notes', 'One.', 'A secret.', 'Three, newer.', 'Four.'));
    await answerQuestion(asked(await importCard('Odo.png', newest, 'Notes')), 'merge', journal);
    expect(contentsOf('Notes')).toEqual(['One.', 'Three, newer.', 'Four.']);
  });
});

describe('undo', () => {
  it('deletes the world and removes the link', async () => {
    const outcome = done(await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.'))));
    const step = await journal.get(outcome.step ?? '');
    const result = await undoStep(step as NonNullable<typeof step>, journal);
    expect(result.left).toEqual([]);
    expect([...server.worlds.keys()]).toEqual([]);
    expect(worldOf('Odo.png')).toBe('');
    expect(await journal.list()).toEqual([]);
  });

  it('refuses to delete a world that was edited since, and says so', async () => {
    const outcome = done(await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.'))));
    editEntry('Notes', '0', { content: 'My own words.' });
    const step = await journal.get(outcome.step ?? '');
    const result = await undoStep(step as NonNullable<typeof step>, journal);
    expect(result.left.join(' ')).toContain('was edited since');
    expect([...server.worlds.keys()]).toEqual(['Notes']);
    expect(await journal.list()).toHaveLength(1);
  });
});

describe('a character of the library', () => {
  it('04: only the avatar that was meant is changed', async () => {
    const [first, second] = caseOf('04-two-characters-one-display-name').cards as [JsonObject, JsonObject];
    server.cards.set('Mara Lint.png', first);
    server.cards.set('Mara Lint1.png', second);
    const read = await readStoredCard('Mara Lint1.png');
    await extractCard({ avatar: 'Mara Lint1.png', read, linked: read.linked, journal });
    expect(worldOf('Mara Lint.png')).toBeUndefined();
    expect(worldOf('Mara Lint1.png')).toBe('Mara Book B');
    expect([...server.worlds.keys()]).toEqual(['Mara Book B']);
  });

  it('11: behind a dead link the world of the same content is linked, and the old file is not made again', async () => {
    const { worlds, cards } = caseOf('11-link-points-to-renamed-world');
    for (const [name, data] of Object.entries(worlds ?? {})) server.worlds.set(name, data);
    server.cards.set('Mara Lint.png', cards[0] as JsonObject);
    const read = await readStoredCard('Mara Lint.png');
    const outcome = done(await extractCard({ avatar: 'Mara Lint.png', read, linked: read.linked, journal }));
    expect(outcome.books[0]?.how).toBe('same-content');
    expect([...server.worlds.keys()]).toEqual(['Quay Notes revised']);
    expect(worldOf('Mara Lint.png')).toBe('Quay Notes revised');
  });
});

function editEntry(world: string, uid: string, change: JsonObject): void {
  const data = server.worlds.get(world) as JsonObject;
  const entries = data['entries'] as Record<string, JsonObject>;
  server.worlds.set(world, { ...data, entries: { ...entries, [uid]: { ...entries[uid], ...change } } });
}

function deleteEntry(world: string, uid: string): void {
  const data = server.worlds.get(world) as JsonObject;
  const { [uid]: _gone, ...entries } = data['entries'] as Record<string, JsonObject>;
  server.worlds.set(world, { ...data, entries });
}

function contentsOf(world: string): readonly unknown[] {
  const entries = server.worlds.get(world)?.['entries'] as Record<string, JsonObject>;
  return Object.values(entries).map(({ content }) => content);
}

describe('what a card costs', () => {
  const paths = (): readonly string[] => server.requests.map(({ path }) => path.replace('/api/', ''));

  it('a new card takes four requests behind the list: is it free, write, read back, link', async () => {
    const shelf = batchShelf();
    await shelf.list();
    server.requests.length = 0;
    // As SillyTavern gives a stored card back.
    const card = { ...cardOf('Odo', bookOf('Notes', 'One.')), spec: 'chara_card_v3' };
    server.cards.set('Odo.png', card);
    const read = readCard(readPieces(card));
    done(await extractCard({ avatar: 'Odo.png', read, linked: '', isNew: true, shelf, journal }));
    expect(paths()).toEqual([
      'worldinfo/get',
      'worldinfo/edit',
      'worldinfo/get',
      'characters/merge-attributes',
    ]);
    expect(worldOf('Odo.png')).toBe('Notes');
  });

  it('the link of a card without spec, which SillyTavern throws away, is found and set anew', async () => {
    const card: JsonObject = {
      name: 'Odo',
      description: '',
      personality: '',
      scenario: '',
      first_mes: '',
      mes_example: '',
    };
    server.cards.set('Odo.png', card);
    const read = { ...readCard(readPieces(cardOf('Odo', bookOf('Notes', 'One.')))) };
    const outcome = done(await extractCard({ avatar: 'Odo.png', read, linked: '', isNew: true, journal }));
    expect((await readStoredCard('Odo.png')).linked).toBe('');
    expect(await checkLink(outcome)).toBe(outcome);
    expect((await readStoredCard('Odo.png')).linked).toBe('Notes');
  });

  it('a world that somebody made since the batch was listed is not written over', async () => {
    const shelf = batchShelf();
    await shelf.list();
    server.worlds.set('Notes', { entries: { 0: { uid: 0, content: 'Mine.' } } });
    const card = cardOf('Odo', bookOf('Notes', 'One.'));
    server.cards.set('Odo.png', card);
    const read = readCard(readPieces(card));
    const outcome = await extractCard({ avatar: 'Odo.png', read, linked: '', isNew: true, shelf, journal });
    expect(outcome.kind).toBe('failed');
    expect(JSON.stringify(server.worlds.get('Notes'))).toContain('Mine.');
  });
});

describe('a world that the write may have reached', () => {
  it('holds the old text again when the read-back fails after a Replace', async () => {
    await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.')));
    editEntry('Notes', '0', { content: 'My own words.' });
    const question = asked(
      await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One, newer.')), 'Notes'),
    );
    let written = false;
    server.instead.set('/api/worldinfo/edit', () => {
      written = true;
      return undefined;
    });
    let failed = false;
    server.instead.set('/api/worldinfo/get', () => {
      if (!written || failed) return undefined;
      failed = true;
      return new Response('', { status: 500 });
    });
    expect((await answerQuestion(question, 'replace', journal)).kind).toBe('failed');
    expect(contentsOf('Notes')).toEqual(['My own words.']);
  });

  it('is taken back when the answer to a new file is lost', async () => {
    server.instead.set('/api/worldinfo/edit', (body) => {
      server.worlds.set(String(body['name']), body['data'] as JsonObject);
      throw new TypeError('network');
    });
    expect((await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.')))).kind).toBe('failed');
    expect([...server.worlds.keys()]).toEqual([]);
  });
});

describe('what a person sees changed', () => {
  const first = cardOf('Odo', bookOf('Notes', 'One.'));
  const retitled = (title: string): JsonObject => {
    const book = bookOf('Notes', 'One.');
    const [entry] = book['entries'] as JsonObject[];
    return cardOf('Odo', { ...book, entries: [{ ...entry, comment: title }] });
  };

  it('a new title alone is a changed book', async () => {
    await importCard('Odo.png', first);
    expect((await importCard('Odo.png', retitled('Gate'), 'Notes')).kind).toBe('question');
  });

  it('Keep is remembered for that version, not for another title', async () => {
    await importCard('Odo.png', first);
    await answerQuestion(asked(await importCard('Odo.png', retitled('Gate'), 'Notes')), 'keep', journal);
    expect(done(await importCard('Odo.png', retitled('Gate'), 'Notes')).books[0]?.how).toBe('kept');
    expect((await importCard('Odo.png', retitled('Door'), 'Notes')).kind).toBe('question');
  });

  it('Save beside is remembered too: the same card again makes no third file', async () => {
    await importCard('Odo.png', first);
    await answerQuestion(asked(await importCard('Odo.png', retitled('Gate'), 'Notes')), 'beside', journal);
    expect(done(await importCard('Odo.png', retitled('Gate'), 'Notes')).books[0]?.how).toBe('kept');
    expect([...server.worlds.keys()]).toEqual(['Notes', 'Notes (2)']);
  });
});

describe('a claim that is not proven', () => {
  const card = cardOf('Odo', bookOf('Notes', 'One.'), 'Notes');
  const mine: JsonObject = { entries: { 0: { uid: 0, key: ['x'], content: 'Mine.' } } };
  const request = (): Parameters<typeof extractCard>[0] => {
    server.worlds.set('Notes', mine);
    server.cards.set('Odo.png', { ...card, spec: 'chara_card_v3' });
    return { avatar: 'Odo.png', read: readCard(readPieces(card)), linked: '', isNew: true, journal };
  };

  it('is taken off when the extraction fails, when the book is left and while the question waits', async () => {
    server.instead.set('/api/worldinfo/edit', () => new Response('', { status: 500 }));
    expect((await extractCard(request())).kind).toBe('failed');
    expect(worldOf('Odo.png')).toBe('');
    server.instead.clear();
    expect((await leaveCard(request())).kind).toBe('left');
    expect(worldOf('Odo.png')).toBe('');
    expect(await mayAsk(request())).toBe('ask');
    expect(worldOf('Odo.png')).toBe('');
  });

  it('is not what undo gives back', async () => {
    const outcome = done(await extractCard(request()));
    expect(worldOf('Odo.png')).toBe('Notes (2)');
    const step = await journal.get(outcome.step ?? '');
    await undoStep(step as NonNullable<typeof step>, journal);
    expect(worldOf('Odo.png')).toBe('');
  });
});

describe('undo of a card that names its own book', () => {
  it('takes away the file and the link, which led nowhere before', async () => {
    const outcome = done(await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.'), 'Notes')));
    context()['characters'] = [{ avatar: 'Odo.png', name: 'Odo', data: { extensions: { world: 'Notes' } } }];
    const step = await journal.get(outcome.step ?? '');
    const result = await undoStep(step as NonNullable<typeof step>, journal);
    expect(result.left).toEqual([]);
    expect(result.cardKeepsCopy).toBe(true);
    expect([...server.worlds.keys()]).toEqual([]);
    expect(worldOf('Odo.png')).toBe('');
  });
});

describe('undo, when not all of it can be done', () => {
  it('leaves the file when the link cannot be taken off', async () => {
    const outcome = done(await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.'))));
    server.instead.set('/api/characters/merge-attributes', () => new Response('', { status: 500 }));
    const step = await journal.get(outcome.step ?? '');
    const result = await undoStep(step as NonNullable<typeof step>, journal);
    expect(result.left).toHaveLength(1);
    expect([...server.worlds.keys()]).toEqual(['Notes']);
  });

  it('offers the old version when the replaced file is gone', async () => {
    await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.')));
    const question = asked(await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'Two.')), 'Notes'));
    const outcome = done(await answerQuestion(question, 'replace', journal));
    server.worlds.delete('Notes');
    const step = await journal.get(outcome.step ?? '');
    const result = await undoStep(step as NonNullable<typeof step>, journal);
    expect(result.saveBeside.map(({ name }) => name)).toEqual(['Notes']);
  });

  it('is about the character that had the file then, not about one that took its name since', async () => {
    const card = cardOf('Alice', bookOf('Notes', 'One.'));
    await importCard('Alice.png', card);
    server.cards.set('Alicia.png', server.cards.get('Alice.png') as JsonObject);
    followRename('Alice.png', 'Alicia.png');
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1000);
    const second = done(await importCard('Alice.png', card));
    const step = await journal.get(second.step ?? '');
    await undoStep(step as NonNullable<typeof step>, journal);
    expect(worldOf('Alicia.png')).toBe('Notes');
    expect(worldOf('Alice.png')).not.toBe('Notes');
  });
});

describe('what is not the book in a world file', () => {
  it('stays through Replace: other extensions keep their keys', async () => {
    await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'One.')));
    const world = server.worlds.get('Notes') as JsonObject;
    const extensions = { ...(world['extensions'] as JsonObject), other: { keep: 1 } };
    server.worlds.set('Notes', { ...world, extensions, other_top: 2 });
    const question = asked(await importCard('Odo.png', cardOf('Odo', bookOf('Notes', 'Two.')), 'Notes'));
    await answerQuestion(question, 'replace', journal);
    const now = server.worlds.get('Notes') as JsonObject;
    expect(now['other_top']).toBe(2);
    expect((now['extensions'] as JsonObject)['other']).toEqual({ keep: 1 });
  });
});
