// The character's note on its way to Lumiverse and back: an entry there, whose text is the note again here, also after it
// was edited.

import { describe, expect, it } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { readLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';
import { NOTE_TITLE } from '../../src/formats/lumiverse/note-entry.ts';
import { cardWith } from '../support/fixtures.ts';
import { entryOf, lorebookOf } from '../support/in-force.ts';
import { type AppBook, editedBooks, importedBooks, nativeFile } from '../support/lumiverse-app.ts';
import { handOver, type Parts, piecesOf, THROUGH_THE_APP, WAYS } from '../support/lumiverse-ways.ts';
import { keep, resolvedOf } from '../support/sent-books.ts';

describe("the character's note", () => {
  const note = { prompt: 'Whisper.', depth: 3, role: 'user' };
  const { character } = readPieces(cardWith(undefined, { extensions: { depth_prompt: note } }));
  const { there } = handOver(resolvedOf([lorebookOf([entryOf()])], character), keep('natural'));
  const noteOf = (parts: Parts) => piecesOf(parts).character.body.extensions['depth_prompt'] ?? null;
  const entriesOf = (parts: Parts) => piecesOf(parts).lorebooks.flatMap(({ body }) => body.entries);
  it('is an entry that always fires at its depth and starts none', () => {
    const book = (there.card['data'] as JsonObject)['character_book'] as JsonObject;
    expect((book['entries'] as readonly JsonObject[])[1]).toMatchObject({
      comment: NOTE_TITLE,
      constant: true,
      content: 'Whisper.',
      position: 4,
      depth: 3,
      role: 'user',
      extensions: { prevent_recursion: true },
    });
  });
  it.each(WAYS)('is the note again on the way back, %s', (_, back) => {
    const again = back(there);
    expect(entriesOf(again).map(({ content }) => content)).toEqual(['Lamp note.']);
    expect(noteOf(again)).toEqual(note);
  });
  it.each(THROUGH_THE_APP)(
    'keeps what was edited there, and is an entry once it can be no note, %s',
    (_, back) => {
      const edited = back(there, (books) =>
        editedBooks(books, (entry) =>
          entry.comment === NOTE_TITLE ? { ...entry, content: 'Shout.', depth: 1 } : entry,
        ),
      );
      expect(entriesOf(edited).map(({ content }) => content)).toEqual(['Lamp note.']);
      expect(noteOf(edited)).toEqual({ prompt: 'Shout.', depth: 1, role: 'user' });
      const keyed = back(there, (books) =>
        editedBooks(books, (entry) =>
          entry.comment === NOTE_TITLE ? { ...entry, constant: false, key: ['lamp'] } : entry,
        ),
      );
      const [, entry] = entriesOf(keyed);
      expect(entry).toMatchObject({
        content: 'Whisper.',
        constant: false,
        position: { slot: 'depth', depth: 3 },
      });
      expect(entry?.bag.extensions).not.toHaveProperty('loreferry');
    },
  );
  it('is no entry of a world book that was exported alone, unless it was edited and no card has it', () => {
    const [book] = importedBooks(there.card, there.modules);
    const contents = (edited: AppBook): readonly string[] => {
      const { lorebook } = readLumiverseWorldBook(nativeFile(edited), 'b', 'x');
      return lorebook.body.entries.map(({ content }) => content);
    };
    expect(contents(book as AppBook)).toEqual(['Lamp note.']);
    const [edited] = editedBooks([book as AppBook], (entry) =>
      entry.comment === NOTE_TITLE ? { ...entry, content: 'Shout.' } : entry,
    );
    expect(contents(edited as AppBook)).toEqual(['Lamp note.', 'Shout.']);
  });
  it.each(WAYS)('alone makes a book of its own, and none on the way back, %s', (_, back) => {
    const again = back(handOver(resolvedOf([], character), keep('natural')).there);
    expect(piecesOf(again).lorebooks).toEqual([]);
    expect(noteOf(again)).toEqual(note);
  });
  it('leaves no stash in the card that comes back', () => {
    const { body, original } = piecesOf(there).character;
    expect(body.extensions).toEqual({ depth_prompt: note });
    for (const { raw } of Object.values(original))
      expect(((raw as JsonObject)['data'] as JsonObject)['extensions']).toEqual({ depth_prompt: note });
  });
});
