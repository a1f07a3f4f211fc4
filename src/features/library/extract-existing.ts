// "Extract lorebook" for a character that is already in the library.

import { isObject } from '../../core/json.ts';
import { t } from '../../host/context.ts';
import type { Journal } from '../../host/journal.ts';
import { notify } from '../../host/notices.ts';
import { refreshWorldList } from '../../host/world-editor.ts';
import { readWorld } from '../../host/world-store.ts';
import { askChanges } from '../import/changed-dialog.tsx';
import { answerQuestion, extractCard } from '../import/extraction.ts';
import { readStoredCard } from '../import/incoming.ts';
import { entryCount } from '../import/outcome.ts';
import { presentOutcomes } from '../import/present.ts';

/**
 * Extracts the lorebooks of one character, told apart by its avatar file, and shows what was done. A book that is
 * already extracted and identical creates nothing.
 */
export async function extractExisting(avatar: string, journal: Journal): Promise<void> {
  const read = await readStoredCard(avatar);
  if (read.books.length === 0 && read.unreadable === null) {
    await tellOfNoBook(read.character, read.linked);
    return;
  }
  const first = await extractCard({ avatar, read, linked: read.linked, journal });
  const outcome =
    first.kind === 'question' ? await answerQuestion(first, await askChanges(first.plan), journal) : first;
  await refreshWorldList();
  presentOutcomes([outcome], journal);
}

async function tellOfNoBook(character: string, linked: string): Promise<void> {
  const world = linked === '' ? undefined : await readWorld(linked);
  const entries = world && isObject(world.data['entries']) ? Object.keys(world.data['entries']).length : 0;
  const line =
    linked === ''
      ? t`The card of ${character} brings no lorebook.`
      : world === undefined
        ? t`The card of ${character} brings no lorebook, and the one that it is linked to, “${linked}”, does not exist.`
        : t`The card of ${character} brings no lorebook. It is linked to “${linked}”, ${entryCount(entries)}.`;
  notify({ kind: 'info', title: t`Nothing to extract`, lines: [line] });
}
