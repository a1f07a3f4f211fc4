// The private note of a character's owner, which Marinara's own file holds beside the card (2.3.3, `metadata.comment`). In
// SillyTavern it stands in the card's extensions, and it goes nowhere but back to Marinara.

import type { CanonicalCharacter } from '../../core/character.ts';
import { isObject, type JsonObject, jsonAt, withoutKey } from '../../core/json.ts';

const KEY = 'comment';

/** A card's data with its owner's note; the same object where there is none. */
export function withOwnersNote(data: JsonObject, note: string): JsonObject {
  const extensions = isObject(data['extensions']) ? data['extensions'] : {};
  const own = extensions['marinara'] ?? {};
  if (note === '' || !isObject(own)) return data;
  return { ...data, extensions: { ...extensions, marinara: { ...own, [KEY]: note } } };
}

/** A card's data without that note; the same object where there is none. */
export function withoutOwnersNote(data: JsonObject): JsonObject {
  const { extensions } = data;
  const own = isObject(extensions) ? extensions['marinara'] : undefined;
  if (!isObject(extensions) || !isObject(own) || typeof own[KEY] !== 'string') return data;
  const rest = withoutKey(own, KEY);
  const isEmpty = Object.keys(rest).length === 0;
  const others = withoutKey(extensions, 'marinara');
  return { ...data, extensions: isEmpty ? others : { ...extensions, marinara: rest } };
}

/** The note that came with a character; "" for none. */
export function ownersNote({ original }: CanonicalCharacter): string {
  const notes = Object.values(original).map(({ raw }) =>
    jsonAt(raw, ['data', 'extensions', 'marinara', KEY]),
  );
  return notes.find((note): note is string => typeof note === 'string') ?? '';
}
