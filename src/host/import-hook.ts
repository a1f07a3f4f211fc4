// Seeing a character import: the file before the server has it, and the reply before SillyTavern has it, so that
// the list that SillyTavern then loads already carries the link.

import { type EndpointHandler, type FetchHookOptions, installFetchHook } from './fetch-hook.ts';
import { createImportBatch } from './import-batch.ts';
import { inTime, guarded as withReport } from './in-time.ts';

/** Where all of SillyTavern's character imports end (public/script.js, importCharacter; 1.13 to 1.19). */
export const CHARACTER_IMPORT = '/api/characters/import';
/** Where the World Info panel's imports end, and the deletions that make room for them (world-info.js). */
export const WORLD_IMPORT = '/api/worldinfo/import';
export const WORLD_DELETE = '/api/worldinfo/delete';

/** What SillyTavern uploads. `file` may be read: that does not consume it. */
export interface Upload {
  readonly file: File;
  /** What SillyTavern takes the file for, by its name: png, json, yaml, yml, charx, byaf. */
  readonly fileType: string;
  /** The avatar file name of the character that is replaced (`Alice.png`), when one is. */
  readonly preservedName: string | undefined;
  /** The persona's name; clients before 1.14 do not send it. */
  readonly userName: string | undefined;
}

/** What we do about one upload. Whatever it throws, rejects or takes too long for: the import goes on. */
export interface UploadWatcher {
  /** Before the server gets the file, e.g. to note the old link of a replaced character. */
  before?(): Promise<void>;
  /** To answer ourselves after `before`; the file then never reaches the server. */
  answer?(): Response | undefined;
  /** Asked after `before`: what the server gets in place of the file; the rest of the form stays. */
  replacement?(): Replacement | undefined;
  /** After the character is stored. The reply is held back for it, though not for ever. */
  after(reply: ImportReply): Promise<void>;
}

/** A file in another form. */
export interface Replacement {
  readonly file: File;
  readonly fileType: string;
}

/** What the server made of the upload. */
export interface ImportReply {
  /** The new character's avatar file name: its identity. */
  readonly avatar: string;
}

/** A failure of ours during an import. `late`: `after` goes on while SillyTavern already has its reply. */
export interface ImportProblem {
  readonly stage: 'request' | 'watch' | 'before' | 'answer' | 'replacement' | 'after' | 'late' | 'batch';
  readonly error: unknown;
}

/** How the hook is set up. */
export interface ImportHookOptions {
  readonly enabled: () => boolean;
  readonly onUpload: (upload: Upload) => UploadWatcher | undefined;
  readonly onError?: (problem: ImportProblem) => void;
  /** What is done at other endpoints, by path. */
  readonly endpoints?: FetchHookOptions['endpoints'];
  /** How long `before` may take; 2 s when absent. */
  readonly beforeMs?: number;
  /** How long we may hold the reply back in all; 5 s when absent (decisions.md 15). */
  readonly holdMs?: number;
  /** The silence that ends a batch; 1.5 s when absent. */
  readonly quietMs?: number;
}

/** The hook in place. */
export interface ImportHook {
  /** False when another copy of this extension has the hook. */
  readonly installed: boolean;
  inFlight(): number;
  /** Calls back when the last import is over and the silence has passed; returns a function that ends this. */
  onBatchEnd(callback: () => void): () => void;
  uninstall(): void;
}

// An `after` that never ends must not keep the batch open for ever.
const ABANDON_MS = 60_000;

/**
 * Starts watching character imports.
 *
 * @returns the handle to stop again, and to hear of ended batches
 */
export function installImportHook(options: ImportHookOptions): ImportHook {
  const report = (stage: ImportProblem['stage'], error: unknown) => {
    try {
      options.onError?.({ stage, error });
    } catch {
      // Telling of a failure may not become one.
    }
  };
  const batch = createImportBatch(options.quietMs ?? 1500, (error) => report('batch', error));

  const watchImport: EndpointHandler = async (request, send) => {
    const over = batch.begin();
    let work: Promise<unknown> = Promise.resolve();
    try {
      const began = performance.now();
      const form = await guarded(() => request.form(), report, 'request');
      const watcher = await watcherOf(async () => uploadOf(form), options.onUpload, report);
      if (!watcher) return await send();
      if (watcher.before) {
        const before = guarded(async () => watcher.before?.(), report, 'before');
        if (!(await inTime(before, options.beforeMs ?? 2000))) report('before', new Error('took too long'));
      }
      const answer = await guarded(async () => watcher.answer?.(), report, 'answer');
      if (answer) return answer;

      const other = await guarded(async () => replaced(form, watcher.replacement?.()), report, 'replacement');
      // All of our own time counts, that before the upload too.
      const left = (options.holdMs ?? 5000) - (performance.now() - began);
      const response = await send(other);
      const reply = await guarded(() => replyOf(response), report, 'after');
      if (reply) {
        work = guarded(() => watcher.after(reply), report, 'after');
        if (!(await inTime(work, Math.max(0, left)))) report('late', new Error('took too long'));
      }
      return response;
    } finally {
      inTime(work, ABANDON_MS).then(over);
    }
  };

  const hook = installFetchHook({
    enabled: options.enabled,
    endpoints: { ...options.endpoints, [CHARACTER_IMPORT]: watchImport },
    onError: (error) => report('request', error),
  });
  return {
    installed: hook.installed,
    inFlight: batch.inFlight,
    onBatchEnd: batch.onEnd,
    uninstall: hook.uninstall,
  };
}

type Report = (stage: ImportProblem['stage'], error: unknown) => void;

const guarded = <T>(
  work: () => Promise<T>,
  report: Report,
  stage: ImportProblem['stage'],
): Promise<T | undefined> => withReport(work, (error) => report(stage, error));

async function watcherOf(
  read: () => Promise<Upload | undefined>,
  onUpload: ImportHookOptions['onUpload'],
  report: Report,
): Promise<UploadWatcher | undefined> {
  const upload = await guarded(read, report, 'request');
  return upload && guarded(async () => onUpload(upload), report, 'watch');
}

function uploadOf(form: FormData | undefined): Upload | undefined {
  const file = form?.get('avatar');
  if (!form || !file || typeof file === 'string') return undefined;
  return {
    file,
    fileType: text(form, 'file_type') ?? '',
    preservedName: text(form, 'preserved_name'),
    userName: text(form, 'user_name'),
  };
}

// The form as it was, field by field, with another file and the type that goes with it.
function replaced(form: FormData | undefined, other: Replacement | undefined): FormData | undefined {
  if (form === undefined || other === undefined) return undefined;
  const made = new FormData();
  for (const [name, value] of form.entries()) {
    if (name === 'avatar') made.append(name, other.file, other.file.name);
    else if (name === 'file_type') made.append(name, other.fileType);
    else made.append(name, value);
  }
  return made;
}

function text(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

// A stored character is {file_name}, the avatar's name without `.png` (src/endpoints/characters.js, import
// route); {error: true} comes with status 200. SillyTavern appends `.png` whatever the name ends in.
async function replyOf(response: Response): Promise<ImportReply | undefined> {
  if (!response.ok) return undefined;
  const reply: unknown = await response.clone().json();
  if (typeof reply !== 'object' || reply === null || !('file_name' in reply)) return undefined;
  const { file_name: name } = reply;
  return typeof name === 'string' && name !== '' ? { avatar: `${name}.png` } : undefined;
}
