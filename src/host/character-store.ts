// Characters on SillyTavern's server: reading one whole, and linking a world to it.

import * as z from 'zod/mini';
import { isObject, type JsonObject, jsonAt } from '../core/json.ts';
import { showLink } from './character-form.ts';
import { context, t, warn } from './context.ts';
import { post, postJson, ServerError } from './server.ts';

/** A character as the server has it. Its identity is the avatar's file name. */
export interface StoredCharacter {
  readonly avatar: string;
  readonly name: string;
  /** The card exactly as it stands in the file; a V1 card stays one. */
  readonly card: JsonObject;
  /** The same card as SillyTavern shows it: always with `data`. */
  readonly view: JsonObject;
  /** The linked world's name as SillyTavern sees it, "" for none. */
  readonly world: string;
}

/** The character's file holds no card that SillyTavern can read. */
export class UnreadableCharacterError extends Error {
  readonly avatar: string;

  constructor(avatar: string) {
    super(t`The card of ${avatar} could not be read.`);
    this.name = 'UnreadableCharacterError';
    this.avatar = avatar;
  }
}

// A file that cannot be read is answered with status 200 and some zeroes (processCharacter).
const Character = z.looseObject({ name: z.optional(z.string()), json_data: z.string() });

/**
 * Reads a character whole; the client's own list may be shallow.
 *
 * @param avatar the avatar file name, e.g. `Alice.png`
 * @throws {ServerError} 404 when there is no such character
 * @throws {UnreadableCharacterError} when its file holds no card
 */
export async function readCharacter(avatar: string): Promise<StoredCharacter> {
  const reply = z.safeParse(Character, await postJson('/api/characters/get', { avatar_url: avatar }));
  if (!reply.success) throw new UnreadableCharacterError(avatar);
  const { json_data: json, ...shown } = reply.data;
  const view = shown as JsonObject;
  const card = parse(json);
  if (!card) throw new UnreadableCharacterError(avatar);
  const world = jsonAt(view, ['data', 'extensions', 'world']);
  return {
    avatar,
    name: shown.name ?? avatar.replace(/\.png$/i, ''),
    card,
    view,
    world: typeof world === 'string' ? world : '',
  };
}

function parse(json: string): JsonObject | undefined {
  try {
    const card: unknown = JSON.parse(json);
    return isObject(card) ? card : undefined;
  } catch {
    return undefined;
  }
}

/** The fields without which SillyTavern's validator takes a card for no V1 card (src/validator). */
const V1_FIELDS = ['name', 'description', 'personality', 'scenario', 'first_mes', 'mes_example'] as const;

/** The root fields that a card lacks, as they stand in its `data`, else "". */
export function missingRootFields(card: JsonObject): Readonly<Record<string, string>> {
  const missing: Record<string, string> = {};
  for (const field of V1_FIELDS) {
    if (Object.hasOwn(card, field)) continue;
    const mirrored = jsonAt(card, ['data', field]);
    missing[field] = typeof mirrored === 'string' ? mirrored : '';
  }
  return missing;
}

/**
 * The body that links a world through `/api/characters/merge-attributes`. The merged card must pass as V1, or
 * as a complete V2 or V3 card; sparse cards are refused with 400, so missing root fields go along: as they
 * stand in `data`, else "". (An empty root beside a full `data` would be an empty character to a V1 reader.)
 *
 * @param character the character as read
 * @param world the world's name, "" to unlink
 */
export function linkBody(
  character: Pick<StoredCharacter, 'avatar' | 'card' | 'view'>,
  world: string,
): JsonObject {
  const { avatar, card, view } = character;
  const missing = missingRootFields(card);
  if (card['spec'] !== undefined) return { avatar, ...missing, data: { extensions: { world } } };
  // A card without `spec` is converted at every reading, and its `data` is thrown away (convertToV2): the link
  // holds only once the card is what SillyTavern's next save would make of it anyway.
  const data = isObject(view['data']) ? view['data'] : {};
  const extensions = isObject(data['extensions']) ? data['extensions'] : {};
  return {
    avatar,
    ...missing,
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: { ...data, extensions: { ...extensions, world } },
  };
}

/** The server took the link and the card does not show it. */
export class LinkError extends Error {
  readonly avatar: string;

  constructor(avatar: string) {
    super(t`The link to the lorebook did not stay in the card of ${avatar}.`);
    this.name = 'LinkError';
    this.avatar = avatar;
  }
}

/**
 * Links a world to a character as its primary book, or unlinks with "". Client and open form are brought in
 * step first, so that an autosave in between carries the link, and put back when the server refuses.
 *
 * @param avatar the avatar file name
 * @param world the world's name as stored, "" for none
 * @returns the world that was linked before, "" for none
 * @throws {ServerError} when the server refuses
 * @throws {UnreadableCharacterError} when the file holds no card
 * @throws {LinkError} when the link does not stay
 */
export async function linkWorld(avatar: string, world: string): Promise<string> {
  const character = await readCharacter(avatar);
  const putBack = showLink(avatar, world);
  // Nothing to write; but the client's copy may have been older than the file.
  if (character.world === world) return world;
  try {
    // Twice: an autosave that was under way may end after us, with the old link in it. A `data.extensions` that
    // is null cannot be merged into at all (deepMerge, src/util.js), and ends in the error.
    for (let attempt = 0; attempt < 2; attempt++) {
      await post('/api/characters/merge-attributes', linkBody(character, world));
      if ((await readCharacter(avatar)).world === world) return character.world;
    }
    throw new LinkError(avatar);
  } catch (error) {
    putBack();
    await unlink(character, world);
    throw error;
  }
}

// Of a request that failed, the answer alone may have been lost.
async function unlink(before: StoredCharacter, world: string): Promise<void> {
  try {
    if ((await readCharacter(before.avatar)).world !== world) return;
    await post('/api/characters/merge-attributes', linkBody(before, before.world));
  } catch (error) {
    warn(`The link of ${before.avatar} could not be put back as it was.`, error);
  }
}

/**
 * Links a world to a character that was imported a moment ago and is in no list yet: one request where
 * {@link linkWorld} makes three. Whether the link stays is for {@link isLinked} to tell, when nobody waits.
 *
 * @throws {ServerError} when the server refuses
 * @throws {UnreadableCharacterError} when the file holds no card
 * @throws {LinkError} when the link does not stay
 */
export async function linkImported(avatar: string, world: string): Promise<void> {
  // Where the reply was not held long enough, SillyTavern's list has the character by now.
  const putBack = showLink(avatar, world);
  try {
    await post('/api/characters/merge-attributes', { avatar, data: { extensions: { world } } });
  } catch (error) {
    // 400: the card is sparse, and its missing fields must go along (src/validator).
    if (!(error instanceof ServerError && error.status === 400)) {
      putBack();
      throw error;
    }
    await linkWorld(avatar, world);
  }
}

/** Whether a character's card holds a link; if so, SillyTavern's list and an open form are brought in step with it. */
export async function isLinked(avatar: string, world: string): Promise<boolean> {
  if ((await readCharacter(avatar)).world !== world) return false;
  showLink(avatar, world);
  return true;
}

/**
 * Keeps SillyTavern from offering to import the embedded book when the character is opened. It asks once per
 * avatar, as long as this key is empty (checkEmbeddedWorld), and forgets the key when the character is deleted.
 */
export function silenceOffer(avatar: string): void {
  const key = `AlertWI_${avatar}`;
  const { accountStorage } = context();
  if (accountStorage) accountStorage.setItem(key, 'true');
  else localStorage.setItem(key, 'true');
}
