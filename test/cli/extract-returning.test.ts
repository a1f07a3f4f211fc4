// A character that was exported to RisuAI and written anew there comes home: its books as world files, its note as a note.

import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { bookEntry, bookOf, cardWith, worldEntriesOf } from '../support/fixtures.ts';
import { rewrittenCard } from '../support/risu-app.ts';
import { done, jsonOf, put } from './run-cli.ts';

it('the linked card has its note again, and nothing of ours is left in it', () => {
  const note = { prompt: 'Whisper.', depth: 3, role: 'user' };
  put('mara.json', cardWith(bookOf(bookEntry({ id: 0 })), { extensions: { depth_prompt: note } }));
  done('convert', 'mara.json', '--to', 'risu', '-o', 'there.json');
  put('back.json', rewrittenCard(jsonOf('there.json')));
  done('extract', 'back.json', '-o', 'home');
  const data = jsonOf('home/back.json')['data'] as JsonObject;
  expect((data['extensions'] as JsonObject)['depth_prompt']).toEqual(note);
  expect(JSON.stringify(data)).not.toContain('loreferry');
  expect((data['character_book'] as JsonObject)['entries']).toHaveLength(1);
  expect(Object.values(worldEntriesOf(jsonOf('home/Quay Notes.json')))).toMatchObject([
    { comment: 'Lamp', constant: false, key: ['lamp'] },
  ]);
});
