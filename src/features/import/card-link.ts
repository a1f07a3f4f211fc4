// The link in a card: a claim until it is proven, and looked at again once it is set.

import { isLinked, linkWorld } from '../../host/character-store.ts';
import { t } from '../../host/context.ts';
import { listWorlds } from '../../host/world-store.ts';
import type { ExtractionRequest } from './extraction.ts';
import { type ImportAction, toJournal } from './journal-actions.ts';
import type { CardOutcome } from './outcome.ts';

/**
 * Settles the link of a card whose book was not extracted. The file's own claim is no link (decisions 12): a character
 * that was linked before it was replaced keeps its link, and a new one must not enter the prompt with a world of the
 * user's that only has the same name.
 */
export async function settleLink(request: ExtractionRequest, isProven = false): Promise<void> {
  const { avatar, read, linked } = request;
  if (linked !== '') {
    if (read.claim !== linked) await linkWorld(avatar, linked);
  } else if (!isProven) {
    await dropClaim(request);
  }
}

/** Takes an unproven claim off and journals it. Returns whether a world of that name exists. */
export async function dropClaim({ avatar, read, journal }: ExtractionRequest): Promise<boolean> {
  const { claim, character } = read;
  if (claim === '' || !(await listWorlds()).some(({ name }) => name === claim)) return false;
  await linkWorld(avatar, '');
  const action: ImportAction = { kind: 'link', avatar, before: claim, after: '' };
  await journal.add(t`${character}: the link in the file was taken off`, [toJournal(action)]);
  return true;
}

/**
 * Looks whether the link of a card that was just imported has stayed, once nobody waits for it: SillyTavern 1.19
 * throws the link of a card without `spec` away at its next reading. A link that did not stay is set anew.
 */
export async function checkLink(outcome: CardOutcome): Promise<CardOutcome> {
  if (outcome.kind !== 'done' || outcome.linkToCheck === null) return outcome;
  const { avatar, character, linkToCheck: world } = outcome;
  try {
    if (!(await isLinked(avatar, world))) await linkWorld(avatar, world);
    return outcome;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', avatar, character, reason, retry: () => checkLink(outcome) };
  }
}
