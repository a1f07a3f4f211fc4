// The import flow: every upload is read before SillyTavern's server sees it, its lorebooks are extracted before
// SillyTavern hears the answer, and what must be asked is asked once, when the batch has ended (decisions 15).

import { ContainerError } from '../../containers/container.ts';
import { readCharacter, silenceOffer } from '../../host/character-store.ts';
import { t, warn } from '../../host/context.ts';
import type { Upload, UploadWatcher } from '../../host/import-hook.ts';
import type { Journal } from '../../host/journal.ts';
import { notify } from '../../host/notices.ts';
import { refreshWorldList } from '../../host/world-editor.ts';
import type { OpenedFile } from '../../open-file.ts';
import { openFile } from '../../open-file.ts';
import { settings } from '../settings/settings.ts';
import { askWhichCards } from './ask-dialog.tsx';
import { checkLink } from './card-link.ts';
import { askChanges } from './changed-dialog.tsx';
import { answerQuestion, extractCard, leaveCard, mayAsk, type Question } from './extraction.ts';
import { BEFORE_MS } from './import-flow.ts';
import type { ReadCard } from './incoming.ts';
import { readCard, readStoredCard } from './incoming.ts';
import { offerLorebookFile } from './lorebook-file.ts';
import type { CardOutcome } from './outcome.ts';
import { presentOutcomes } from './present.ts';
import { batchShelf } from './shelf.ts';

/** A card whose extraction waits for "which of these?". */
export interface WaitingCard {
  readonly avatar: string;
  readonly read: ReadCard;
  readonly linked: string;
}

/** What is done with the imports of a page. */
export interface ImportWork {
  readonly watch: (upload: Upload) => UploadWatcher;
  /** Shows what became of a batch, after asking what must be asked. */
  readonly endBatch: () => Promise<unknown>;
}

/** Sets up the work; see `startImportFlow` for what calls it. */
export function importWork(journal: Journal): ImportWork {
  let outcomes: CardOutcome[] = [];
  let questions: Question[] = [];
  let waiting: WaitingCard[] = [];
  let lorebookFiles: Exclude<OpenedFile, { kind: 'card' }>[] = [];
  let siblings = new Set<string>();
  let shelf = batchShelf();
  // One card after the other: two that bring a book of the same name must not both find the name free.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };

  const take = (outcome: CardOutcome | Question): void => {
    if (outcome.kind === 'question') questions.push(outcome);
    else outcomes.push(outcome);
    noteSiblings(outcome, siblings);
  };

  const afterImport = async ({ avatar, opened, linked, isNew }: ImportedCard): Promise<void> => {
    const { whenBook, leaveAlone } = settings();
    if (linked === null) return void outcomes.push(unknownLink(avatar));
    const read = opened?.kind === 'card' ? readCard(opened.pieces) : await readStoredCard(avatar);
    const leave = whenBook === 'leave' || leaveAlone.includes(avatar);
    const request = { avatar, read, linked, isNew, journal, siblings, shelf };
    if (read.books.length > 0 && leave) {
      take(await leaveCard(request));
    } else if (read.books.length > 0 && whenBook === 'ask') {
      const known = await mayAsk(request);
      if (known !== 'ask') return take(known);
      silenceOffer(avatar);
      waiting.push({ avatar, read, linked });
    } else {
      take(await extractCard(request));
    }
  };

  const watch = (upload: Upload): UploadWatcher =>
    watchUpload(upload, {
      foresee: () => void shelf.list().catch(() => undefined),
      extract: (card) => inTurn(() => afterImport(card)),
      refuse: (opened) => lorebookFiles.push(opened),
    });

  const endBatch = async (): Promise<void> => {
    const batch = { outcomes, questions, waiting, lorebookFiles, siblings };
    [outcomes, questions, waiting, lorebookFiles, siblings] = [[], [], [], [], new Set()];
    shelf = batchShelf();
    const done: CardOutcome[] = [];
    for (const outcome of batch.outcomes) done.push(await checkLink(outcome));
    const open = [...batch.questions];
    if (done.length + open.length > 0) await refreshWorldList();
    for (const card of batch.waiting.length === 0 ? [] : await askWhichCards(batch.waiting)) {
      const outcome = await inTurn(() => extractCard({ ...card, journal, siblings: batch.siblings }));
      noteSiblings(outcome, batch.siblings);
      if (outcome.kind === 'question') open.push(outcome);
      else done.push(outcome);
    }
    for (const question of open) {
      const answer = await askChanges(question.plan);
      done.push(await inTurn(() => answerQuestion(question, answer, journal)));
    }
    if (batch.waiting.length + open.length > 0) await refreshWorldList();
    presentOutcomes(done, journal);
    for (const file of batch.lorebookFiles) offerLorebookFile(file, journal);
  };

  // Dialogs of one batch must not stand on those of the next.
  let ended: Promise<unknown> = Promise.resolve();
  const endInTurn = (): Promise<unknown> => {
    ended = ended.then(endBatch).catch((error) => {
      warn('The result of an import could not be shown.', error);
      notify({
        kind: 'warning',
        title: t`The result of the import could not be shown`,
        lines: [String(error)],
      });
    });
    return ended;
  };

  return { watch, endBatch: endInTurn };
}

function noteSiblings(outcome: CardOutcome | Question, siblings: Set<string>): void {
  if (outcome.kind !== 'done') return;
  for (const { how, world } of outcome.books) if (how === 'created') siblings.add(world);
}

/** A card that SillyTavern has just stored. */
interface ImportedCard {
  readonly avatar: string;
  /** The file as we read it ourselves; null when we cannot. */
  readonly opened: OpenedFile | null;
  /** The link of the character that it replaced; "" for none, null when it could not be read. */
  readonly linked: string | null;
  readonly isNew: boolean;
}

interface UploadWork {
  /** Asks for what will be needed, while the server has the file. */
  readonly foresee: () => void;
  readonly extract: (card: ImportedCard) => Promise<void>;
  readonly refuse: (opened: Exclude<OpenedFile, { kind: 'card' }>) => void;
}

function watchUpload(upload: Upload, work: UploadWork): UploadWatcher {
  let opened: OpenedFile | null = null;
  let linked: Promise<string | null> = Promise.resolve('');
  return {
    before: async () => {
      if (upload.preservedName !== undefined) linked = linkOf(upload.preservedName);
      await linked;
      opened = await openUpload(upload.file);
      if (opened?.kind === 'card' && opened.pieces.lorebooks.length > 0) work.foresee();
    },
    answer: () => {
      if (opened === null || opened.kind === 'card') return undefined;
      // SillyTavern would make a blank character of it; its own page knows this answer.
      work.refuse(opened);
      return new Response(JSON.stringify({ error: true }), {
        headers: { 'Content-Type': 'application/json' },
      });
    },
    after: async ({ avatar }) =>
      work.extract({ avatar, opened, linked: await linked, isNew: upload.preservedName === undefined }),
  };
}

// An answer that comes after the server has stored the new file may be about that one; then nothing is known.
async function linkOf(avatar: string): Promise<string | null> {
  const began = Date.now();
  try {
    const { world } = await readCharacter(avatar);
    return Date.now() - began < BEFORE_MS ? world : null;
  } catch (error) {
    warn('The old link of the replaced character could not be read.', error);
    return null;
  }
}

// Which book was linked before the Replace is not known, so nothing is written: any guess could take it away.
function unknownLink(avatar: string): CardOutcome {
  return {
    kind: 'failed',
    avatar,
    character: avatar.replace(/\.png$/, ''),
    reason: t`Which lorebook was linked before could not be read, so nothing was extracted. Check the link, then use “Extract lorebook” in the More... menu.`,
    retry: null,
  };
}

// A file that we cannot read (byaf, yaml) may be one that SillyTavern can; then the stored character is read.
async function openUpload(file: File): Promise<OpenedFile | null> {
  try {
    return openFile(new Uint8Array(await file.arrayBuffer()), file.name);
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error;
    return null;
  }
}
