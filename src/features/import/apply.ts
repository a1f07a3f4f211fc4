// Executes a plan: world files first, each read back and counted, then the link. What was done is returned for the
// journal; what was begun and failed is taken back.

import type { JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import { BOOK_FIELD_NAMES } from '../../formats/_shared/book-fields.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import { mergeNewVersion } from '../../formats/sillytavern/world-merge.ts';
import { worldFromLorebook } from '../../formats/sillytavern/world-twin.ts';
import { linkImported, linkWorld, readCharacter, silenceOffer } from '../../host/character-store.ts';
import { t, warn } from '../../host/context.ts';
import { extraBooks, setExtraBooks } from '../../host/world-links.ts';
import { deleteWorld, listWorlds, type SentWorld, sendWorld, writeWorld } from '../../host/world-store.ts';
import type { ImportAction } from './journal-actions.ts';
import type { BookChange, BookPlan, ExtractionPlan } from './plan.ts';
import { type BatchShelf, worldShelf } from './shelf.ts';

/** What a person says to a changed book. */
export type ChangeAnswer = 'replace' | 'keep' | 'beside' | 'merge';

/** A plan in which nothing is left to be asked. */
export type DecidedPlan =
  | Exclude<BookPlan, { kind: 'changed' }>
  | (Extract<BookPlan, { kind: 'changed' }> & { readonly answer: ChangeAnswer });

/** What was done. */
export interface Applied {
  readonly actions: readonly ImportAction[];
  /** The worlds that now hold the card's books, the primary one first; null where a book was only set beside. */
  readonly worlds: readonly (string | null)[];
  /** Whether the additional books stand in SillyTavern's settings; older clients do not let us. */
  readonly hasExtras: boolean;
}

/** A new world that the server has taken, while it is read back. */
interface Sent extends SentWorld {
  readonly action: ImportAction;
}

// A world that did not read back as it was written is gone again already.
async function failedOf(sent: readonly Sent[]): Promise<readonly ImportAction[]> {
  const results = await Promise.allSettled(sent.map(({ written }) => written));
  return sent.filter((_one, index) => results[index]?.status === 'rejected').map(({ action }) => action);
}

/**
 * Applies decided plans of one card: writes what is to be written, links the primary book and adds the others to the
 * character's additional books. On a failure everything that was done is taken back and the error is thrown on.
 * @throws ServerError, WorldWriteError, WorldChangedError or LinkError of the host, with one sentence for a person
 */
export async function applyPlan(
  plan: ExtractionPlan,
  decided: readonly DecidedPlan[],
  shelf: BatchShelf,
): Promise<Applied> {
  const actions: ImportAction[] = [];
  const sent: Sent[] = [];
  const { avatar } = plan.card;
  try {
    const worlds: (string | null)[] = [];
    for (const book of decided) worlds.push(await applyBook(plan, book, actions, shelf, sent));
    const [primary, ...others] = worlds;
    if (typeof primary === 'string') await link(plan, primary, actions);
    const extras = others.filter((name): name is string => name !== null && name !== primary);
    const hasExtras = await addBooks(avatar, extras, actions);
    // Read back while the link was written; all that failed is taken back together.
    await Promise.all(sent.map(({ written }) => written));
    silenceOffer(avatar);
    return { actions, worlds, hasExtras };
  } catch (error) {
    const lost = await failedOf(sent);
    await takeBack(actions.filter((action) => !lost.includes(action)));
    throw error;
  }
}

async function applyBook(
  plan: ExtractionPlan,
  book: DecidedPlan,
  actions: ImportAction[],
  shelf: BatchShelf,
  sent: Sent[],
): Promise<string | null> {
  if (book.kind === 'reuse') return book.name;
  if (book.kind === 'create') {
    const { name, world } = book;
    const one = await sendWorld(name, world, await shelf.absent(name));
    const action: ImportAction = { kind: 'world-created', name, hash: one.hash };
    actions.push(action);
    sent.push({ ...one, action });
    shelf.add({ name, extensions: isObject(world['extensions']) ? world['extensions'] : {} });
    return name;
  }
  const { lorebook, slot } = book.book;
  const source = { character: plan.card.character, slot };
  const { stored } = book.change;
  if (book.answer === 'keep') return book.name;
  if (book.answer === 'beside') {
    const taken = (await listWorlds()).map(({ name }) => name);
    const free = await worldShelf.freshName(lorebook.name || book.name, book.name, taken);
    const { name, hash } = await writeWorld(free, worldFromLorebook(lorebook, source), 'absent');
    actions.push({ kind: 'world-created', name, hash });
    return book.name;
  }
  const next: JsonObject | null =
    book.answer === 'merge'
      ? mergeNewVersion(stored.data, book.change.world, lorebook, source)
      : replaced(book.change, worldFromLorebook(lorebook, source));
  if (next === null) throw new Error(t`The lorebook “${book.name}” does not say which version it came from.`);
  const { hash } = await writeWorld(book.name, next, { hash: stored.hash });
  actions.push({ kind: 'world-replaced', name: book.name, hash, before: stored.data });
  return book.name;
}

// The new book takes the file over; what is not the old book's, such as other extensions' keys, stays.
function replaced({ stored, world }: BookChange, next: JsonObject): JsonObject {
  const { entries: _entries, originalData: _frozen, extensions, ...kept } = stored.data;
  const oldBook = world.lorebook.original[CHARACTER_BOOK]?.raw;
  const ofOldBook = isObject(oldBook) && isObject(oldBook['extensions']) ? oldBook['extensions'] : {};
  const others = without(kept, (key) => BOOK_FIELD_NAMES.includes(key));
  const foreign = without(isObject(extensions) ? extensions : {}, (key) => Object.hasOwn(ofOldBook, key));
  return { ...others, ...next, extensions: { ...foreign, ...(next['extensions'] as JsonObject) } };
}

const without = (object: JsonObject, isGone: (key: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !isGone(key)));

// After a Replace the card holds the new file's claim; what undo gives back is the link that was there before it, and
// to a new card none: its claim never was one.
async function link({ card }: ExtractionPlan, world: string, actions: ImportAction[]): Promise<void> {
  const { avatar, linked, claim, isNew } = card;
  // A name that led nowhere until now was no link, whoever wrote it: only a world that was there can be gone back to.
  const isMade = actions.some((action) => action.kind === 'world-created' && action.name === world);
  const done = (known: string): void => {
    const before = isMade && known === world ? '' : known;
    if (before !== world) actions.push({ kind: 'link', avatar, before, after: world });
  };
  // Of a request that fails, the answer alone may be lost.
  const failed = (error: unknown): never => {
    done(linked);
    throw error;
  };
  if (isNew) await linkImported(avatar, world).catch(failed);
  const found = isNew ? claim : await linkWorld(avatar, world).catch(failed);
  done(linked === '' && (isNew ? found === world : true) ? found : linked);
}

async function addBooks(avatar: string, names: readonly string[], actions: ImportAction[]): Promise<boolean> {
  if (names.length === 0) return true;
  const before = await extraBooks(avatar);
  const after = [...new Set([...before, ...names])];
  if (after.length === before.length) return true;
  if (!(await setExtraBooks(avatar, after))) return false;
  actions.push({ kind: 'extra-books', avatar, before, after });
  return true;
}

async function takeBack(actions: readonly ImportAction[]): Promise<void> {
  // Links that stay, because the server does not take them off, must not lead nowhere.
  const linked = new Set<string>();
  for (const action of [...actions].reverse()) {
    try {
      if (action.kind === 'world-created' && !linked.has(action.name))
        await deleteWorld(action.name, { hash: action.hash });
      if (action.kind === 'world-replaced')
        await writeWorld(action.name, action.before, { hash: action.hash });
      if (action.kind === 'link') await unlink(action);
      if (action.kind === 'extra-books') await setExtraBooks(action.avatar, action.before);
    } catch (error) {
      if (action.kind === 'link') linked.add(action.after);
      warn(`A change could not be taken back (${action.kind}).`, error);
    }
  }
}

async function unlink({ avatar, before, after }: Extract<ImportAction, { kind: 'link' }>): Promise<void> {
  if ((await readCharacter(avatar)).world === after) await linkWorld(avatar, before);
}
