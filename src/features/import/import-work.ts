// The import flow: every upload is read before SillyTavern's server sees it, its lorebooks are extracted before
// SillyTavern hears the answer, and what must be asked is asked once, when the batch has ended (decisions 15).

import { defaultBookName } from '../../formats/_shared/extract-books.ts';
import { silenceOffer } from '../../host/character-store.ts';
import { t, warn } from '../../host/context.ts';
import type { Upload, UploadWatcher } from '../../host/import-hook.ts';
import type { Journal } from '../../host/journal.ts';
import { notify } from '../../host/notices.ts';
import { refreshWorldList } from '../../host/world-editor.ts';
import { settings } from '../settings/settings.ts';
import { askWhichCards } from './ask-dialog.tsx';
import { checkLink } from './card-link.ts';
import { askChanges } from './changed-dialog.tsx';
import { answerQuestion, extractCard, leaveCard, mayAsk, type Question } from './extraction.ts';
import { offerLorebookFile } from './import-lorebooks.ts';
import type { ReadCard } from './incoming.ts';
import { readStoredCard } from './incoming.ts';
import type { LorebookFile } from './lorebook-file.ts';
import type { CardOutcome } from './outcome.ts';
import { presentOutcomes } from './present.ts';
import { type BatchShelf, batchShelf } from './shelf.ts';
import { type ImportedCard, unknownLink, watchUpload } from './upload.ts';

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
  let lorebookFiles: LorebookFile[] = [];
  let unconverted: string[] = [];
  let missed: string[] = [];
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

  const afterImport = async ({ avatar, card, linked, isNew }: ImportedCard): Promise<void> => {
    const { whenBook, leaveAlone } = settings();
    if (linked === null) return void outcomes.push(unknownLink(avatar));
    const read = card ?? (await readStoredCard(avatar));
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
      foresee: (read) => void foresee(read, shelf).catch(() => undefined),
      extract: (card) => inTurn(() => afterImport(card)),
      refuse: (opened) => lorebookFiles.push(opened),
      leave: (reason) => unconverted.push(reason),
      missPart: (what) => missed.push(what),
    });

  const endBatch = async (): Promise<void> => {
    const batch = { outcomes, questions, waiting, lorebookFiles, unconverted, missed, siblings };
    [outcomes, questions, waiting, lorebookFiles] = [[], [], [], []];
    [unconverted, missed, siblings] = [[], [], new Set()];
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
    if (batch.unconverted.length > 0)
      notify({ kind: 'warning', title: t`Not converted`, lines: batch.unconverted, sticky: true });
    if (batch.missed.length > 0)
      notify({ kind: 'warning', title: t`Not all came along`, lines: batch.missed, sticky: true });
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

// What is not foreseen here is asked for later.
async function foresee({ books, character }: ReadCard, shelf: BatchShelf): Promise<void> {
  for (const { lorebook } of books) await shelf.foresee(lorebook.name, defaultBookName(character));
}

function noteSiblings(outcome: CardOutcome | Question, siblings: Set<string>): void {
  if (outcome.kind !== 'done') return;
  for (const { how, world } of outcome.books) if (how === 'created') siblings.add(world);
}
