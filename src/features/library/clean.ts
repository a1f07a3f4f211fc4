// Leaving for good: our keys are taken out of world files and settings. Every file keeps working without them.

import { OWN_KEY } from '../../formats/sillytavern/world-info.ts';
import { withoutTwin } from '../../formats/sillytavern/world-twin.ts';
import { context, warn } from '../../host/context.ts';
import { openJournal } from '../../host/journal.ts';
import { listWorlds, readWorld, writeWorld } from '../../host/world-store.ts';

/** Removes our mark and twin from every world file, our settings and our journal. */
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
  await openJournal().clear();
  const { extensionSettings, saveSettingsDebounced } = context();
  if (extensionSettings) delete extensionSettings[OWN_KEY];
  saveSettingsDebounced?.();
}
