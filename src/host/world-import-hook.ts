// Seeing the import of a World Info panel: the file before the server has it, and the world of the same name before
// SillyTavern deletes it. SillyTavern 1.19 asks, deletes without waiting, and posts the file at once (public/scripts/
// world-info.js, importWorldInfo; utils.js, checkOverwriteExistingData): so the file waits here for the deletion.

import type { EndpointHandler, Send } from './fetch-hook.ts';
import { guarded, inTime } from './in-time.ts';
import { foldName, storedNameHere } from './world-name.ts';
import { readWorld, type StoredWorld } from './world-store.ts';
import { NOBODY, usesOf, type WorldUses } from './world-uses.ts';

/** What SillyTavern's World Info panel uploads. */
export interface WorldUpload {
  readonly file: File;
  /** The world that it has deleted to make room, as it was; absent when there was none. */
  readonly deleted?: DeletedWorld;
}

/** A world as it was, and who used it. */
export interface DeletedWorld extends StoredWorld {
  readonly uses: WorldUses;
}

/** What we do about one upload. Whatever it throws, rejects or takes too long for: the import goes on. */
export interface WorldUploadWatcher {
  /** Before the server gets the file. */
  before(): Promise<void>;
  /** Asked after `before`: what is stored in place of the file, and of what SillyTavern's page has made of it itself. */
  replacement(): File | undefined;
  /** After the world is stored under a name. The reply is held back for it, though not for ever. */
  after(name: string): Promise<void>;
  /** After the server has refused, or could not be reached. */
  failed(): Promise<void>;
}

/** How the hook is set up. */
export interface WorldImportOptions {
  readonly onUpload: (upload: WorldUpload) => WorldUploadWatcher | undefined;
  readonly onError: (error: unknown) => void;
  /** How long `before` may take, and the reading of a world that is to be deleted; 2 s when absent. */
  readonly beforeMs?: number;
  /** How long we may hold the reply back in all; 5 s when absent (decisions.md 15). */
  readonly holdMs?: number;
}

/** The handlers of both endpoints. */
export interface WorldImportHandlers {
  readonly onDelete: EndpointHandler;
  readonly onImport: EndpointHandler;
}

interface Deletion {
  readonly name: Promise<string>;
  readonly began: number;
  readonly copy: Promise<DeletedWorld | undefined>;
  readonly over: Promise<unknown>;
}

// SillyTavern posts the file in the same moment; what was deleted longer ago was deleted for itself.
const SAME_MOMENT_MS = 1000;

/** The handlers for the fetch hook. */
export function worldImportHandlers(options: WorldImportOptions): WorldImportHandlers {
  const { onError, beforeMs = 2000, holdMs = 5000 } = options;
  let last: Deletion | undefined;

  const onDelete: EndpointHandler = async (request, send) => {
    const name = guarded(() => request.json(), onError).then(nameIn);
    const copy = name.then((known) => (known === '' ? undefined : guarded(() => copyOf(known), onError)));
    let over = (): void => {};
    const done = new Promise<void>((resolve) => {
      over = resolve;
    });
    // Before anything is waited for: the file follows in the same moment.
    const deletion: Deletion = { name, began: performance.now(), copy, over: done };
    last = deletion;
    try {
      await inTime(copy, beforeMs);
      return await send();
    } finally {
      over();
      // A copy of a big world is not kept for nothing.
      setTimeout(() => {
        if (last === deletion) last = undefined;
      }, SAME_MOMENT_MS);
    }
  };

  const deletedFor = async (file: File, now: number): Promise<Deletion | undefined> => {
    const deletion = last;
    if (deletion === undefined || now - deletion.began > SAME_MOMENT_MS) return undefined;
    const stem = storedNameHere(file.name.replace(/\.[^.]*$/, ''));
    return foldName(await deletion.name) === foldName(stem) ? deletion : undefined;
  };

  const onImport: EndpointHandler = async (request, send) => {
    const began = performance.now();
    const form = await guarded(() => request.form(), onError);
    const file = form?.get('avatar');
    if (!form || !file || typeof file === 'string') return send();
    const deletion = await deletedFor(file, began);
    // A deletion that comes after the new file would take that one.
    if (deletion) await inTime(deletion.over, holdMs);
    const deleted = await deletion?.copy;
    const upload: WorldUpload = deleted === undefined ? { file } : { file, deleted };
    const watcher = await guarded(async () => options.onUpload(upload), onError);
    if (!watcher) return send();
    const before = guarded(() => watcher.before(), onError);
    if (!(await inTime(before, beforeMs))) onError(new Error('took too long'));
    const other = await guarded(async () => replaced(form, watcher.replacement()), onError);
    const left = (): number => Math.max(0, holdMs - (performance.now() - began));
    const response = await sent(send, other, async () => void (await inTime(told(watcher.failed), left())));
    const name = await guarded(() => storedName(response), onError);
    const work = name === undefined ? told(watcher.failed) : told(() => watcher.after(name));
    if (!(await inTime(work, left()))) onError(new Error('took too long'));
    return response;
  };

  const told = (work: () => Promise<void>): Promise<unknown> => guarded(work, onError);
  return { onDelete, onImport };
}

// The copy counts, also where a page does not tell who uses it.
async function copyOf(name: string): Promise<DeletedWorld | undefined> {
  const [uses, stored] = await Promise.all([usesOf(name).catch(() => NOBODY), readWorld(name)]);
  return stored && { ...stored, uses };
}

async function sent(send: Send, form: FormData | undefined, failed: () => Promise<void>): Promise<Response> {
  try {
    return await send(form);
  } catch (error) {
    await failed();
    throw error;
  }
}

// SillyTavern's own conversion, which its page adds beside the file, would be stored instead of it.
function replaced(form: FormData, file: File | undefined): FormData | undefined {
  if (file === undefined) return undefined;
  const made = new FormData();
  for (const [name, value] of form.entries()) {
    if (name === 'avatar') made.append(name, file, file.name);
    else if (name !== 'convertedData') made.append(name, value);
  }
  return made;
}

function nameIn(body: unknown): string {
  const name = typeof body === 'object' && body !== null ? (body as { name?: unknown }).name : undefined;
  return typeof name === 'string' ? name : '';
}

// A stored world is {name}; a file that is none is answered with 400 (src/endpoints/worldinfo.js).
async function storedName(response: Response): Promise<string | undefined> {
  if (!response.ok) return undefined;
  return nameIn(await response.clone().json()) || undefined;
}
