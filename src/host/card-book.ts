// The lorebook inside a character's card: written so that the card then holds exactly that book.
//
// SillyTavern writes over it: at every save of a character that is linked to a world, also by its autosave, it converts
// that world file anew into `data.character_book` (src/endpoints/characters.js, charaFormatData; 1.13 to 1.19). What is
// written here into that slot stays only while the character has no link, or its world holds the same.

import * as z from 'zod/mini';
import { hashJson } from '../core/hash.ts';
import { type JsonObject, sameJson } from '../core/json.ts';
import { bookAt, isCardSlot, type SlotMerge, slotMerge, withBook } from './card-slot.ts';
import { showBook } from './character-form.ts';
import { missingRootFields, readCharacter, type StoredCharacter } from './character-store.ts';
import { t, warn } from './context.ts';
import { post, postJson, ServerError } from './server.ts';

/** The slot that SillyTavern itself reads, and writes a linked world into. */
export const STANDARD_SLOT = 'data.character_book';

/** The book in a card is not what it was, cannot be written, or did not stay; one sentence for a person. */
export class CardBookError extends Error {
  readonly avatar: string;

  constructor(avatar: string, message: string) {
    super(message);
    this.name = 'CardBookError';
    this.avatar = avatar;
  }
}

/** A hash by which a card's book is recognised; of null where there is none. */
export function cardBookHash(book: JsonObject | null): string {
  return hashJson(book);
}

/** The book that stands in a slot of a character's card now, or null. */
export async function readCardBook(avatar: string, slot: string): Promise<JsonObject | null> {
  return bookAt((await readCharacter(avatar)).card, slot);
}

/**
 * Replaces the book in a slot of a character's card, or takes it out. Client and open form are brought in step first,
 * so that an autosave in between carries the new book; the card is read back and compared, and what reads back wrong is
 * put back.
 *
 * @param avatar the avatar file name
 * @param slot the place in the card, e.g. `data.character_book`
 * @param book the whole book; null for none
 * @param expected {@link cardBookHash} of the book that was read when planning
 * @throws {CardBookError} when the card's book is another by now, or does not become this one
 * @throws {ServerError} when the server refuses
 * @throws {UnreadableCharacterError} when the file holds no card
 */
export async function writeCardBook(
  avatar: string,
  slot: string,
  book: JsonObject | null,
  expected: string,
): Promise<void> {
  const character = await readCharacter(avatar);
  const { name, card } = character;
  const before = bookAt(card, slot);
  if (!isCardSlot(slot)) throw new CardBookError(avatar, t`No lorebook can be written into ${slot}.`);
  if (cardBookHash(before) !== expected)
    throw new CardBookError(avatar, t`The lorebook in the card of ${name} was changed in the meantime.`);
  if (sameJson(before, book)) return;
  const unshow = showBook(avatar, slot, book);
  try {
    let now = character;
    // Twice: an autosave that was under way may end after us, with the old book in it.
    for (let attempt = 0; attempt < 2; attempt++) {
      await replaceBook(now, slot, book);
      now = await readCharacter(avatar);
      if (sameJson(bookAt(now.card, slot), book)) return;
    }
    throw new CardBookError(avatar, t`The lorebook did not stay in the card of ${name}.`);
  } catch (error) {
    unshow();
    await putBack(avatar, slot, before);
    throw error;
  }
}

async function putBack(avatar: string, slot: string, before: JsonObject | null): Promise<void> {
  try {
    const now = await readCharacter(avatar);
    if (!sameJson(bookAt(now.card, slot), before)) await replaceBook(now, slot, before);
  } catch (error) {
    warn(`The lorebook in the card of ${avatar} could not be put back as it was.`, error);
  }
}

async function replaceBook(character: StoredCharacter, slot: string, book: JsonObject | null): Promise<void> {
  const { card } = character;
  const wanted = withBook(card, slot, book);
  const merge = slotMerge(card, wanted, slot);
  if (!merge.blocked) return send(character, merge, slot);
  // In two steps: the slot is emptied, and into nothing a book is put whole.
  const emptied = withBook(card, slot, null);
  await send(character, slotMerge(card, emptied, slot), slot);
  const rest = slotMerge(emptied, wanted, slot);
  if (rest.blocked) throw refusal(character);
  await send({ ...character, card: emptied }, rest, slot);
}

// The fields that a sparse card lacks go along only when it is refused without them, as for a link.
async function send(character: StoredCharacter, merge: SlotMerge, slot: string): Promise<void> {
  if (await sendBulk(character, merge.body)) return;
  const { avatar } = character;
  // Taking the whole book out can be said in the older way; taking out a part of it cannot.
  if (merge.unsets && bookAt(merge.body, slot) !== null) throw refusal(character);
  const body = merge.unsets ? slotMerge({}, nullAt(slot), slot).body : merge.body;
  try {
    await post(PATH, { ...body, avatar });
  } catch (error) {
    if (!(error instanceof ServerError && error.status === 400)) throw error;
    await post(PATH, { ...missingRootFields(character.card), ...body, avatar });
  }
}

const PATH = '/api/characters/merge-attributes';
const BulkReply = z.object({ updated: z.array(z.string()), failed: z.array(z.string()) });

/**
 * Merges through the endpoint's form for several characters (1.19), for it alone takes keys out and adds no `avatar` to
 * the card. Older servers answer it with an error and write nothing (1.16: the path of the file is undefined).
 *
 * @returns false when this server does not know that form
 */
async function sendBulk(character: StoredCharacter, data: JsonObject): Promise<boolean> {
  const { avatar, card } = character;
  const bodies = [data, { ...missingRootFields(card), ...data }];
  for (const body of bodies) {
    const reply = z.safeParse(
      BulkReply,
      await postJson(PATH, { avatars: [avatar], data: body }).catch((error: unknown) => {
        if (error instanceof ServerError && (error.status === 500 || error.status === 400)) return null;
        throw error;
      }),
    );
    if (!reply.success) return false;
    if (reply.data.updated.includes(avatar)) return true;
  }
  throw refusal(character);
}

const nullAt = (slot: string): JsonObject =>
  slot.split('.').reduceRight<JsonObject | null>((inner, key) => ({ [key]: inner }), null) as JsonObject;

const refusal = ({ avatar, name }: StoredCharacter): CardBookError =>
  new CardBookError(avatar, t`This SillyTavern does not write that lorebook into the card of ${name}.`);
