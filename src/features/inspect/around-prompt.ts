// What stands around the entries of the panel's prompt map: the notes, and the outlets that the card shows.

import { isObject, type JsonObject, jsonAt } from '../../core/json.ts';
import { outletsIn } from '../../formats/_shared/outlet-macro.ts';
import { noteDepth } from '../../host/prompt-shape.ts';
import type { PromptSurroundings } from '../../inspection/prompt-readers.ts';
import type { Subject } from './subject.ts';

/** The surroundings of a subject: its character, and the note of the chat of now. */
export function aroundPrompt({ character }: Subject): PromptSurroundings {
  const depth = noteDepth(character?.avatar ?? null);
  if (!character) return { noteDepth: depth, character: null };
  const data = character.card['data'];
  const { character_book: _book, extensions: _bag, ...texts } = isObject(data) ? data : character.card;
  return {
    noteDepth: depth,
    character: {
      noteDepth: ownNoteDepth(character.card),
      outlets: new Set(outletsIn(JSON.stringify(texts))),
    },
  };
}

// As the exporters take it: a note without words is none.
function ownNoteDepth(card: JsonObject): number | null {
  const at = (key: string) => jsonAt(card, ['data', 'extensions', 'depth_prompt', key]);
  const prompt = at('prompt');
  if (typeof prompt !== 'string' || prompt.trim() === '') return null;
  const depth = Number(at('depth') ?? 4);
  return Number.isFinite(depth) && depth >= 0 ? depth : 4;
}
