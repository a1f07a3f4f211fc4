// The wrapper of Marinara's own files: what kind of thing is inside, and the thing itself.

import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';

/** The kinds of files that hold lore (Marinara Engine 2.3.3, `ExportEnvelope`). */
export type MarinaraKind = 'marinara_lorebook' | 'marinara_character';

/** A file of Marinara's own. */
export interface MarinaraEnvelope {
  readonly type: MarinaraKind;
  readonly version: 1;
  readonly exportedAt: string;
  readonly data: JsonObject;
}

/**
 * The envelope of a file, also out of a folder's manifest, whose first configuration counts, as Marinara reads it;
 * null when it is none. `version` must be the number 1; `exportedAt` is never read.
 */
export function marinaraEnvelope(json: Json): MarinaraEnvelope | null {
  if (!isObject(json)) return null;
  const { type, version, exportedAt, data } = json;
  if ((type === 'marinara_lorebook' || type === 'marinara_character') && version === 1 && isObject(data)) {
    return { type, version, exportedAt: typeof exportedAt === 'string' ? exportedAt : '', data };
  }
  const presets = json['presets'];
  if (!isArray(presets) || (typeof json['kind'] !== 'string' && !isObject(json['manifest']))) return null;
  for (const preset of presets) {
    const config = isObject(preset) ? (preset['config'] ?? preset) : null;
    const found = isObject(config) && !isArray(config['presets']) ? marinaraEnvelope(config) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Puts something into an envelope. */
export function asEnvelope(type: MarinaraKind, data: JsonObject, exportedAt: string): JsonObject {
  return { type, version: 1, exportedAt, data };
}
