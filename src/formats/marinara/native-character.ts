// Marinara's own character file: a card one level deeper, with its pictures beside it. Facts: Marinara Engine 2.3.3.

import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, sameJson } from '../../core/json.ts';
import { withOwnersNote } from '../_shared/owners-note.ts';
import { asEnvelope, marinaraEnvelope } from './envelope.ts';

/** Whether a file is Marinara's own character file. */
export function isMarinaraCharacter(json: Json): json is JsonObject {
  const envelope = marinaraEnvelope(json);
  return envelope?.type === 'marinara_character' && isObject(envelope.data['data']);
}

/** A character out of such a file. */
export interface MarinaraCharacter {
  /** A V2 card with the private note of its owner; it shares the file's own parts. */
  readonly card: JsonObject;
  /** The picture as a data URL, null when there is none. */
  readonly avatar: string | null;
}

/** Reads such a file, null when it is none. Only an embedded book travels in it: a book that is linked does not. */
export function readMarinaraCharacter(json: Json): MarinaraCharacter | null {
  const envelope = marinaraEnvelope(json);
  const data = envelope?.data['data'];
  if (envelope === null || envelope.type !== 'marinara_character' || !isObject(data)) return null;
  const { spec, spec_version: version, avatar, metadata } = envelope.data;
  const comment = isObject(metadata) ? metadata['comment'] : '';
  return {
    card: {
      spec: typeof spec === 'string' ? spec : 'chara_card_v2',
      spec_version: typeof version === 'string' ? version : '2.0',
      data: withOwnersNote(data, typeof comment === 'string' ? comment : ''),
    },
    avatar: typeof avatar === 'string' && avatar.startsWith('data:image/') ? avatar : null,
  };
}

/**
 * Puts a card into the file that its character came in, which keeps the picture, the owner's note and its dates.
 *
 * @returns null when that is none of Marinara's own files
 */
export function onOwnCharacter(card: JsonObject, file: Json | undefined): JsonObject | null {
  if (!isObject(file) || file['type'] !== 'marinara_character' || !isMarinaraCharacter(file)) return null;
  const { data } = file;
  if (!isObject(data)) return null;
  return sameJson(data['data'], card['data']) ? file : { ...file, data: { ...data, data: card['data'] } };
}

/** Writes a card as such a file. Its book stays inside, inactive, until "Import Embedded Lorebook" is pressed. */
export function marinaraCharacter(
  card: JsonObject,
  exportedAt: string,
  avatar: string | null = null,
  note = '',
): JsonObject {
  const { spec, spec_version: version, data } = card;
  const own = {
    spec,
    spec_version: version,
    data,
    ...(avatar === null ? {} : { avatar }),
    ...(note === '' ? {} : { metadata: { comment: note } }),
  };
  return asEnvelope('marinara_character', own, exportedAt);
}
