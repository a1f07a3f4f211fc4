// One card from reading to outcome: planned, applied where nothing is to be asked, else handed on as a question.

import { isObject } from '../../core/json.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import { visibleFingerprint } from '../../formats/sillytavern/visible-fields.ts';
import { silenceOffer } from '../../host/character-store.ts';
import { t, warn } from '../../host/context.ts';
import type { Journal } from '../../host/journal.ts';
import { extraBooks } from '../../host/world-links.ts';
import { changeSettings, settings } from '../settings/settings.ts';
import { applyPlan, type ChangeAnswer, type DecidedPlan } from './apply.ts';
import { dropClaim, settleLink } from './card-link.ts';
import type { ReadCard } from './incoming.ts';
import { incomingCard } from './incoming.ts';
import { type ImportAction, toJournal } from './journal-actions.ts';
import { type BookOutcome, type CardOutcome, outcomeTitle } from './outcome.ts';
import { type BookPlan, type ExtractionPlan, planExtraction } from './plan.ts';
import { type BatchShelf, batchShelf } from './shelf.ts';

/** A plan that waits for a person: at least one of its books is a changed one. */
export interface Question {
  readonly kind: 'question';
  readonly plan: ExtractionPlan;
  readonly read: ReadCard;
  /** The journal's step that holds the new book until there is an answer. */
  readonly step: string | null;
}

/** A card to be extracted. */
export interface ExtractionRequest {
  readonly avatar: string;
  readonly read: ReadCard;
  /** The world linked here before; "" for none. */
  readonly linked: string;
  readonly journal: Journal;
  /** Whether it was imported a moment ago and replaces no one; false when absent. */
  readonly isNew?: boolean;
  /** The worlds as its batch knows them; listed anew when absent. */
  readonly shelf?: BatchShelf;
  /** Worlds made for other cards of the same batch; none when absent. */
  readonly siblings?: ReadonlySet<string>;
}

async function planFor(request: ExtractionRequest): Promise<ExtractionPlan> {
  const extras = request.isNew === true ? [] : await extraBooks(request.avatar);
  return planExtraction(incomingCard({ ...request, extras }), shelfOf(request));
}

const shelfOf = ({ shelf }: ExtractionRequest): BatchShelf => shelf ?? batchShelf();

/** Extracts a card's lorebooks. Failures are outcomes, never thrown. */
export async function extractCard(asked: ExtractionRequest): Promise<CardOutcome | Question> {
  const request = { ...asked, shelf: shelfOf(asked) };
  const { avatar, read } = request;
  try {
    if (read.books.length === 0) return await withoutBook(request);
    const plan = await planFor(request);
    if (plan.books.every(isDecided)) return await carryOut(plan, plan.books, request);
    const step = await setAside(plan, request);
    await settleLink(request);
    silenceOffer(avatar);
    return { kind: 'question', plan, read, step };
  } catch (error) {
    return await failed(request, error);
  }
}

/**
 * For people who want to be asked before anything is extracted: whether this card needs that question. A replaced
 * character whose book is known or changed has its own answers, and its link is restored at once.
 */
export async function mayAsk(request: ExtractionRequest): Promise<CardOutcome | Question | 'ask'> {
  try {
    if (request.linked === '') {
      await settleLink(request);
      return 'ask';
    }
    const plan = await planFor(request);
    if (plan.books.every(({ kind }) => kind !== 'create')) return await extractCard(request);
    await setAside(plan, request);
    await settleLink(request);
    return 'ask';
  } catch (error) {
    return await failed(request, error);
  }
}

const isDecided = (book: BookPlan): book is Exclude<BookPlan, { kind: 'changed' }> => book.kind !== 'changed';

/** Carries a question out with the person's answer. */
export async function answerQuestion(
  question: Question,
  answer: ChangeAnswer,
  journal: Journal,
): Promise<CardOutcome> {
  const { plan, read, step } = question;
  const { avatar, linked } = plan.card;
  const decided = plan.books.map((book): DecidedPlan => (isDecided(book) ? book : { ...book, answer }));
  try {
    const outcome = await carryOut(plan, decided, { avatar, read, linked, journal });
    // A version that was not taken stays in the journal: SillyTavern has written over it in the card by now.
    if (answer === 'keep' || answer === 'beside') rememberKept(plan);
    if (answer !== 'keep' && step !== null) await journal.remove(step);
    return outcome;
  } catch (error) {
    const outcome = await failed({ avatar, read, linked, journal }, error);
    if (outcome.kind !== 'failed' || outcome.retry === null) return outcome;
    const { retry } = outcome;
    const again = async (): Promise<CardOutcome | Question> => {
      const next = await retry();
      // Asked anew, the new book is set aside anew.
      if (step !== null) await journal.remove(step);
      return next;
    };
    return { ...outcome, retry: again };
  }
}

function rememberKept(plan: ExtractionPlan): void {
  const [primary] = plan.books;
  if (primary === undefined) return;
  const fingerprint = visibleFingerprint(primary.book.lorebook.body.entries);
  changeSettings({ kept: { ...settings().kept, [plan.card.avatar]: fingerprint } });
}

async function carryOut(
  plan: ExtractionPlan,
  decided: readonly DecidedPlan[],
  request: ExtractionRequest,
): Promise<CardOutcome> {
  const { avatar, read, journal, isNew = false } = request;
  const { actions, worlds, hasExtras } = await applyPlan(plan, decided, shelfOf(request));
  const outcome: CardOutcome = {
    kind: 'done',
    avatar,
    character: read.character,
    ...(read.app === undefined ? {} : { app: read.app }),
    books: decided.map(bookOutcome),
    findings: read.findings,
    step: null,
    changed: actions.length > 0,
    hasExtras,
    linkToCheck: isNew ? (worlds[0] ?? null) : null,
  };
  if (actions.length === 0) return outcome;
  const title = `${read.character}: ${outcomeTitle(outcome)}`;
  const step = await journal.add(title, actions.map(toJournal));
  return { ...outcome, step: step?.id ?? null };
}

const HOW = { replace: 'replaced', merge: 'merged', keep: 'kept', beside: 'beside' } as const;

function bookOutcome(book: DecidedPlan): BookOutcome {
  const { lorebook, slot } = book.book;
  return {
    world: book.name,
    wanted: lorebook.name,
    entries: lorebook.body.entries.length,
    slot,
    how: book.kind === 'create' ? 'created' : book.kind === 'reuse' ? book.because : HOW[book.answer],
    nameTaken: book.kind === 'create' && book.nameTaken,
  };
}

// SillyTavern saves a replaced character within seconds and writes the linked world over the new card's book, so a
// new book that is not taken at once is kept in the journal before SillyTavern gets its reply.
async function setAside(
  plan: ExtractionPlan,
  { avatar, read, journal }: ExtractionRequest,
): Promise<string | null> {
  const actions: ImportAction[] = [];
  for (const { kind, book } of plan.books) {
    const raw = book.lorebook.original[CHARACTER_BOOK]?.raw;
    if (kind !== 'changed' || !isObject(raw)) continue;
    actions.push({ kind: 'set-aside', avatar, name: book.lorebook.name, slot: book.slot, raw });
  }
  if (actions.length === 0) return null;
  const step = await journal.add(t`New lorebook of ${read.character}, set aside`, actions.map(toJournal));
  return step?.id ?? null;
}

/** Leaves a card's books in the card; a character that was linked before keeps its link. */
export async function leaveCard(request: ExtractionRequest): Promise<CardOutcome> {
  const { avatar, read, linked } = request;
  try {
    if (linked === '' && read.claim === '') return { kind: 'left', avatar, character: read.character };
    const plan = await planFor(request);
    if (linked !== '') await setAside(plan, request);
    const [primary] = plan.books;
    await settleLink(request, primary?.kind === 'reuse' && primary.name === read.claim);
    return { kind: 'left', avatar, character: read.character };
  } catch (error) {
    return await failed(request, error);
  }
}

// A new card without a book never unlinks the old one. A claim alone is no link: the file may be its author's.
// SillyTavern itself would offer an empty book for import, and fail at one that is none.
async function withoutBook(request: ExtractionRequest): Promise<CardOutcome> {
  const { avatar, read, linked } = request;
  const { character, claim, unreadable, app } = read;
  const none: CardOutcome = { kind: 'none', avatar, character, ...(app === undefined ? {} : { app }) };
  silenceOffer(avatar);
  if (linked !== '') {
    await settleLink(request);
    return none;
  }
  if (unreadable !== null) return { kind: 'failed', avatar, character, reason: unreadable, retry: null };
  if (claim === '') return none;
  const exists = await dropClaim(request);
  return { kind: 'claim', avatar, character, world: claim, exists };
}

async function failed(request: ExtractionRequest, error: unknown): Promise<CardOutcome> {
  const { avatar, read } = request;
  await settleLink(request).catch((again) => warn('The link could not be settled.', again));
  const reason = error instanceof Error ? error.message : String(error);
  const isFlat = read.books.some(({ slot }) => !slot.startsWith('data.'));
  const where = isFlat
    ? t`${read.character} is in your list; the book is in the file that you imported.`
    : t`${read.character} is in your list; the book is still in the card.`;
  return {
    kind: 'failed',
    avatar,
    character: read.character,
    reason: `${reason} ${where}`,
    // By then the batch is over: its list is old, and the character may be open.
    retry: () => {
      const { shelf: _old, isNew: _past, ...again } = request;
      return extractCard(again);
    },
  };
}
