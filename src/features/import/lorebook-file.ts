// A lorebook that is a file of its own: what SillyTavern stores of it, and whether it has it already.

import { sameFingerprint } from '../../core/fingerprint.ts';
import type { JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { foreignAppOfBook } from '../../formats/_shared/foreign-book.ts';
import { bringsNothingNew } from '../../formats/sillytavern/visible-fields.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../formats/sillytavern/world-twin.ts';
import type { OpenedFile } from '../../open-file.ts';
import { FILE_BOOK } from '../../open-file.ts';
import { candidateNames } from './candidates.ts';
import { isSameBook, type WorldShelf } from './plan.ts';
import { withTwin } from './twin.ts';

/** A lorebook that is a file of its own. */
export type LorebookFile = Exclude<OpenedFile, { kind: 'card' }>;

/** The lorebook in such a file. */
export const lorebookOf = (file: LorebookFile): CanonicalLorebook =>
  file.kind === 'worldinfo' ? file.world.lorebook : file.lorebook;

/** What is stored of it: a world file as it is, any other lorebook written as one. */
export function worldOf(file: LorebookFile): JsonObject {
  const raw = file.container.json;
  if (file.kind === 'worldinfo' && isObject(raw)) return raw;
  return worldFromLorebook(withTwin(lorebookOf(file)), { character: '', slot: FILE_BOOK });
}

/** Whether SillyTavern would read it worse than we do: every lorebook but a world file in its own shape. */
export const needsWriting = ({ kind, container }: LorebookFile): boolean =>
  kind === 'lorebook' || !container.copies.some(({ json }) => json === container.json);

/** The app in whose own words it came, null for SillyTavern's and the standard's. */
export const appOf = (file: LorebookFile): string | null =>
  file.kind === 'worldinfo' ? null : foreignAppOfBook(file.lorebook);

/** A world that holds the same, and whether it was made of this very book, so that it may have been edited since. */
export interface KnownLorebook {
  readonly name: string;
  readonly because: 'same-card' | 'same-content';
}

/** Finds a world that is the same lorebook by its content, never by its name alone (decisions 13). */
export async function knownLorebook(file: LorebookFile, shelf: WorldShelf): Promise<KnownLorebook | null> {
  const lorebook = file.kind === 'worldinfo' ? file.world.lorebook : withTwin(file.lorebook);
  const { body } = lorebook;
  if (body.entries.length === 0) return null;
  const fingerprint = sameFingerprint(body);
  const names = candidateNames(lorebook.name, '', fingerprint, await shelf.list(), false, new Set());
  for (const name of names) {
    const stored = await shelf.read(name);
    if (stored === undefined) continue;
    const world = lorebookFromWorld(stored.data, name, stored.name);
    const because = isSameBook({ stored, world }, lorebook, fingerprint);
    // A world file can hold more than what SillyTavern embeds in a card, and by which cards are compared.
    const holdsAll = bringsNothingNew(world.lorebook.body.entries, body.entries);
    if (because === 'same-card' || (because === 'same-content' && holdsAll)) return { name, because };
  }
  return null;
}
