// Leaving for good: our keys are taken out of world files and settings. Every file keeps working without them.

import { isObject, type JsonObject, withoutKey } from '../../core/json.ts';
import { OWN_KEY } from '../../formats/sillytavern/world-info.ts';
import { context, warn } from '../../host/context.ts';
import { openJournal } from '../../host/journal.ts';
import { listWorlds, readWorld, writeWorld } from '../../host/world-store.ts';

/** Removes our mark and twin from every world file, our settings and our journal. */
export async function removeOwnTraces(): Promise<void> {
  for (const { name } of await listWorlds()) {
    try {
      const world = await readWorld(name);
      const clean = world && withoutOwnKeys(world.data);
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

/** A world file without our keys; the same object when it has none. */
export function withoutOwnKeys(world: JsonObject): JsonObject {
  const bare = withoutKey(world, OWN_KEY);
  const extensions = bare['extensions'];
  if (!isObject(extensions) || !Object.hasOwn(extensions, OWN_KEY)) return bare;
  const rest = withoutKey(extensions, OWN_KEY);
  return Object.keys(rest).length === 0 ? withoutKey(bare, 'extensions') : { ...bare, extensions: rest };
}
