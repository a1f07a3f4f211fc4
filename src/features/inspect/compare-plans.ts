// The two copies of a character's lorebook, and the plans that bring one to what the other says.

import type { LorebookDifference } from '../../core/compare.ts';
import { lorebookFromBook } from '../../formats/_shared/character-book.ts';
import { lorebookFromWorld } from '../../formats/sillytavern/world-twin.ts';
import { STANDARD_SLOT } from '../../host/card-book.ts';
import { t } from '../../host/context.ts';
import { compareCopies } from '../../inspection/comparison.ts';
import { cardFromWorld, worldFromCard } from '../../inspection/comparison-writing.ts';
import { isListWorld } from '../../inspection/mends.ts';
import type { ChangePlan } from './change-plan.ts';
import type { Subject, SubjectBook } from './subject.ts';
import { changeOf, writableBook } from './writable-book.ts';

/** The copies of a subject; either may be missing. */
export interface Copies {
  /** The card's first copy: the one that SillyTavern writes into and reads. */
  readonly card: SubjectBook | null;
  /** The world file that the character is linked to. */
  readonly world: SubjectBook | null;
}

/** Finds the copies. */
export function copiesOf({ books }: Subject): Copies {
  const find = (kind: SubjectBook['kind']): SubjectBook | null =>
    books.find((book) => book.kind === kind) ?? null;
  return { card: find('card'), world: find('linked') };
}

// More entries take longer than a press of a button should, and are compared when somebody looks.
const MOST_COMPARED = 1500;

/** In how many entries the two copies differ; null where there are not two, or too many to say at once. */
export function driftOf(subject: Subject): number | null {
  const { card, world } = copiesOf(subject);
  if (card === null || world === null) return null;
  const [ours, theirs] = [card.lorebook.body, world.lorebook.body];
  if (ours.entries.length + theirs.entries.length > MOST_COMPARED) return null;
  const { added, removed, changed } = compareCopies(ours, theirs).difference;
  return added.length + removed.length + changed.length;
}

/** Why neither copy can be brought to the other; null when they can. */
export function hindrance(subject: Subject, { card, world }: Copies): string | null {
  if (world?.stored && isListWorld({ form: 'world', raw: world.stored.data }))
    return t`The world file holds its entries as a list, which SillyTavern does not read. Convert it first, under Findings.`;
  if (card !== null && writableBook(card, subject) === null)
    return t`The card's copy is a part of a larger book, or another app's own, so neither is written over here.`;
  return null;
}

/** What becomes of a copy, in numbers: "2 entries change, 1 is added, 1 is removed". */
export function changeWords(changed: number, added: number, removed: number): string {
  const parts: string[] = [];
  if (changed > 0) parts.push(changed === 1 ? t`1 entry changes` : t`${changed} entries change`);
  if (added > 0) parts.push(added === 1 ? t`1 is added` : t`${added} are added`);
  if (removed > 0) parts.push(removed === 1 ? t`1 is removed` : t`${removed} are removed`);
  return parts.join(', ');
}

/** "Update the card from the world file"; null when it would change nothing. */
export function updateCardPlan(
  subject: Subject,
  { card, world }: Copies,
  { changed, added, removed }: LorebookDifference,
): ChangePlan | null {
  const { character } = subject;
  const stored = world?.stored;
  if (character === null || character.avatar === null || world === null || !stored) return null;
  const source = card === null ? null : writableBook(card, subject);
  if (card !== null && source === null) return null;
  const after = cardFromWorld(
    source?.raw ?? null,
    lorebookFromWorld(stored.data, world.lorebook.id, world.name),
  );
  if (after === source?.raw) return null;
  const slot = card?.slot ?? STANDARD_SLOT;
  const made = lorebookFromBook(after, slot, world.name);
  const words = changeWords(changed.length, added.length, removed.length);
  return {
    title: t`Update the card of ${character.name}`,
    lines: [
      card === null
        ? t`The card gets a copy of “${world.name}”, which travels with it when you share it.`
        : t`The card’s copy becomes what “${world.name}” says: ${words}.`,
      ...(card === null ? [] : [t`What only the card’s copy carries stays in it.`]),
    ],
    button: t`Update the card`,
    difference: { before: card?.lorebook ?? { ...made, body: { ...made.body, entries: [] } }, after: made },
    changes: [{ kind: 'card-book', avatar: character.avatar, slot, before: source?.raw ?? null, after }],
  };
}

/** "Update the world file from the card"; null when it would change nothing. */
export function updateWorldPlan(
  subject: Subject,
  { card, world }: Copies,
  { changed, added, removed }: LorebookDifference,
): ChangePlan | null {
  const { character } = subject;
  const stored = world?.stored;
  const source = world === null ? null : writableBook(world, subject);
  if (character === null || card === null || world === null || !stored || source === null) return null;
  const { id } = world.lorebook;
  const origin = { character: character.name, slot: card.slot };
  const after = worldFromCard(
    stored.data,
    lorebookFromWorld(stored.data, id, world.name),
    card.lorebook,
    origin,
  );
  const change = changeOf(world, subject, source, after);
  // What is added to the file is what the card has and the file has not.
  const words = changeWords(changed.length, removed.length, added.length);
  if (change === null) return null;
  return {
    title: t`Update “${world.name}” from the card`,
    lines: [
      t`“${world.name}” becomes what the card of ${character.name} says: ${words}.`,
      t`SillyTavern generates from this file. As it is now, it is kept in Recent changes.`,
    ],
    button: t`Update the world file`,
    difference: { before: world.lorebook, after: lorebookFromWorld(after, id, world.name).lorebook },
    changes: [change],
  };
}
