// SillyTavern's worlds as a plan asks for them.

import { newWorldName } from '../../host/world-name.ts';
import { listWorlds, readWorld } from '../../host/world-store.ts';
import type { WorldShelf } from './plan.ts';

/** The worlds of the SillyTavern that we run in. */
export const worldShelf: WorldShelf = { list: listWorlds, read: readWorld, freshName: newWorldName };
