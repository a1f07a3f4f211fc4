// Leaving for good: our keys are taken out of world files, cards and settings. Every file keeps working without them.

import { withoutOwnMarks } from '../../formats/_shared/own-marks.ts';
import { OWN_KEY } from '../../formats/sillytavern/world-info.ts';
import { withoutTwin } from '../../formats/sillytavern/world-twin.ts';
import { cardBookHash, readCardBook, STANDARD_SLOT, writeCardBook } from '../../host/card-book.ts';
import { listedCharacters } from '../../host/character-list.ts';
import { context, warn } from '../../host/context.ts';
import { openJournal } from '../../host/journal.ts';
import { listWorlds, readWorld, writeWorld } from '../../host/world-store.ts';

/** Removes our mark and twin from every world file, what rides along in cards, our settings and our journal. */
export async function removeOwnTraces(): Promise<void> {
  for (const { name } of await listWorlds()) {
    try {
      const world = await readWorld(name);
      const clean = world && withoutTwin(world.data);
      if (world && clean !== world.data && clean) await writeWorld(name, clean, { hash: world.hash });
    } catch (error) {
      warn(`Our keys could not be taken out of the lorebook "${name}".`, error);
    }
  }
  for (const { avatar } of listedCharacters()) {
    try {
      const book = await readCardBook(avatar, STANDARD_SLOT);
      const clean = book && withoutOwnMarks(book);
      if (book && clean && clean !== book)
        await writeCardBook(avatar, STANDARD_SLOT, clean, cardBookHash(book));
    } catch (error) {
      warn(`Our keys could not be taken out of the card "${avatar}".`, error);
    }
  }
  await openJournal().clear();
  const { extensionSettings, saveSettingsDebounced } = context();
  if (extensionSettings) delete extensionSettings[OWN_KEY];
  saveSettingsDebounced?.();
}
