// What of the card itself goes to RisuAI and back: what its import needs, the character's note as an entry, outlets as
// markers, and fields that RisuAI does not know.

import { describe, expect, it } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import { NOTE_TITLE, risuCard } from '../../src/formats/risu/card.ts';
import { RISU_EXPORTER } from '../../src/formats/risu/exporter.ts';
import { cardWith, throughJson } from '../support/fixtures.ts';
import { entryOf, lorebookOf, MARA } from '../support/in-force.ts';
import { rewrittenCard } from '../support/risu-app.ts';
import { characterInForce, written } from '../support/risu-wire.ts';
import { keep, NATURAL, resolvedOf } from '../support/sent-books.ts';

const entriesBack = (card: JsonObject) => readPieces(card).lorebooks.flatMap(({ body }) => body.entries);
const rowsOf = (card: JsonObject) =>
  jsonAt(card, ['data', 'character_book', 'entries']) as readonly JsonObject[];

describe('the card', () => {
  it('is V3 with all three settings of the book, which RisuAI takes only together', () => {
    const { card, book } = written({}, NATURAL, { depth: 3, budget: 10, recursive: true });
    expect(card).toMatchObject({ spec: 'chara_card_v3', spec_version: '3.0' });
    expect(book).toMatchObject({
      scan_depth: 3,
      token_budget: 3277,
      recursive_scanning: true,
      extensions: { risu_fullWordMatching: false },
    });
    expect(written({}, NATURAL, { budgetCap: 500 }).book['token_budget']).toBe(500);
    expect(written({}, NATURAL, { maxRecursionSteps: 1 }).book['recursive_scanning']).toBe(false);
  });
  it('holds no extension that RisuAI would migrate', () => {
    const { book } = written({
      position: { slot: 'depth', depth: 2 },
      logic: 'not_any',
      probability: { chance: 20 },
    });
    for (const entry of book['entries'] as readonly JsonObject[]) {
      expect(Object.keys(entry['extensions'] as JsonObject)).toEqual(['loreferry']);
      expect(entry).not.toHaveProperty('position');
    }
  });
  it('always has what the import needs', () => {
    const { card } = risuCard(characterInForce([]), NATURAL);
    const data = card['data'] as JsonObject;
    expect(data).toMatchObject({
      extensions: {},
      character_version: '',
      alternate_greetings: [],
      group_only_greetings: [],
    });
    expect(data).not.toHaveProperty('assets');
    expect(data).not.toHaveProperty('character_book');
  });
});

describe("the character's note", () => {
  const note = { prompt: 'Whisper.', depth: 3, role: 'user' };
  const { character } = readPieces(cardWith(undefined, { extensions: { depth_prompt: note } }));
  const book = lorebookOf([entryOf()]);
  const card = throughJson(risuCard(resolvedOf([book], character), keep('natural')).card);
  it('is an entry that always fires and starts none', () => {
    const rows = rowsOf(card);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({
      constant: true,
      content: '@@depth 3\n@@reverse_depth 3\n@@role user\n@@unrecursive\nWhisper.',
    });
  });
  const noteOf = (from: JsonObject): unknown =>
    readPieces(from).character.body.extensions['depth_prompt'] ?? null;
  const NONE = { depth: 0, prompt: '' };
  it('is the note again on the way back, also where RisuAI has dropped it', () => {
    expect(entriesBack(card).map(({ content }) => content)).toEqual(['Lamp note.']);
    const there = rewrittenCard(card);
    expect((there['data'] as JsonObject)['extensions']).toMatchObject({ depth_prompt: NONE });
    expect(entriesBack(there).map(({ content }) => content)).toEqual(['Lamp note.']);
    expect(noteOf(there)).toEqual(note);
  });
  it('keeps what was edited there, and is an entry only once it can be no note', () => {
    const edited = rewrittenCard(card, (lore) =>
      lore.comment === NOTE_TITLE
        ? { ...lore, content: lore.content.replaceAll('depth 3', 'depth 1').replace('Whisper.', 'Shout.') }
        : lore,
    );
    expect(entriesBack(edited).map(({ content }) => content)).toEqual(['Lamp note.']);
    expect(noteOf(edited)).toEqual({ prompt: 'Shout.', depth: 1, role: 'user' });
    const keyed = rewrittenCard(card, (lore) =>
      lore.comment === NOTE_TITLE ? { ...lore, alwaysActive: false, key: 'lamp' } : lore,
    );
    const [, entry] = entriesBack(keyed);
    expect(entry).toMatchObject({
      content: 'Whisper.',
      constant: false,
      position: { slot: 'depth', depth: 3, role: 'user' },
    });
    expect(entry?.bag.extensions).not.toHaveProperty('loreferry');
    expect(noteOf(keyed)).toEqual(NONE);
  });
  it('alone makes a book of its own, and none on the way back', () => {
    const alone = throughJson(risuCard(resolvedOf([], character), keep('natural')).card);
    expect(rowsOf(alone)).toHaveLength(1);
    expect(readPieces(alone).lorebooks).toEqual([]);
    expect(readPieces(rewrittenCard(alone)).lorebooks).toEqual([]);
    expect(noteOf(rewrittenCard(alone))).toEqual(note);
  });
  it('that is blank keeps its depth, unless one was written there', () => {
    const blank = { prompt: '', depth: 4, role: 'system' };
    const { character: own } = readPieces(cardWith(undefined, { extensions: { depth_prompt: blank } }));
    const there = rewrittenCard(throughJson(risuCard(resolvedOf([book], own), keep('natural')).card));
    expect(noteOf(there)).toEqual(blank);
    const data = there['data'] as JsonObject;
    const extensions = { ...(data['extensions'] as JsonObject), depth_prompt: note };
    expect(noteOf({ ...there, data: { ...data, extensions } })).toEqual(note);
  });
  it('leaves no stash in the card that comes back', () => {
    const { character: back } = readPieces(rewrittenCard(card));
    expect(back.body.extensions).not.toHaveProperty('loreferry');
    expect(JSON.stringify(back.original)).not.toContain('"in":"risu","books"');
  });
});

describe('outlets that the card shows', () => {
  const { character } = readPieces(
    cardWith(undefined, {
      post_history_instructions: 'Recall {{outlet::shelf}}.',
      description: 'See {{outlet::shelf}}.',
    }),
  );
  const shelf = lorebookOf([entryOf({ position: { slot: 'outlet', outlet: 'shelf' } })]);
  it('are RisuAI’s markers where it has some, and come back', () => {
    const { card, findings } = risuCard(resolvedOf([shelf], character), keep('exact'));
    const data = card['data'] as JsonObject;
    expect(data['post_history_instructions']).toBe('Recall {{position::shelf}}.');
    const said = findings.filter(({ path }) => path.startsWith('data.'));
    expect(said.map(({ code, path }) => [code, path])).toEqual([
      ['approximated', 'data.description'],
      ['repaired', 'data.post_history_instructions'],
    ]);
    const back = readPieces(rewrittenCard(throughJson(card))).character.original['sillytavern']?.raw;
    expect(jsonAt(back, ['data', 'post_history_instructions'])).toBe('Recall {{outlet::shelf}}.');
  });
  it('need no marker in the prompt template', () => {
    const steps = (from: typeof character) =>
      RISU_EXPORTER.write(resolvedOf([shelf], from), { style: 'exact', privateFields: 'keep' }).steps;
    expect(steps(character).join(' ')).not.toContain('{{position::shelf}}');
    expect(steps(MARA).join(' ')).toContain('{{position::shelf}}');
  });
});

describe('fields of the card that RisuAI does not know', () => {
  const own = { x_own: { a: [1] }, creator_notes_multilingual: { de: 'Notiz' }, nickname: 'M' };
  const { character } = readPieces(cardWith(undefined, own));
  it.each([[[]], [[lorebookOf([entryOf()])]]])('are named, and come back', (books) => {
    const { card, findings } = risuCard(resolvedOf(books, character), keep('natural'));
    const said = findings
      .filter(({ path }) => path.startsWith('data.'))
      .map(({ code, path }) => [code, path]);
    expect(said).toEqual([
      ['stashed', 'data.x_own'],
      ['stashed', 'data.creator_notes_multilingual'],
    ]);
    const there = rewrittenCard(throughJson(card));
    expect(there['data']).not.toHaveProperty('x_own');
    const back = readPieces(there);
    expect(jsonAt(back.character.original['sillytavern']?.raw, ['data'])).toMatchObject(own);
    expect(back.lorebooks).toHaveLength(books.length);
  });
});
