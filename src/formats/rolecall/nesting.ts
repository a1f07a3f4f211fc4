// RoleCall groups the fields of an entry (export schema 1.0.0); the table sees each under the group's name and a dot.

import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';

/** Groups of an entry that the table looks into. `unsupportedFields` holds what RoleCall carries and does not use. */
const GROUPS = [
  'triggers',
  'matching',
  'injection',
  'priority',
  'timing',
  'grouping',
  'advanced',
  'scanSources',
  'unsupportedFields',
] as const;
const IS_GROUP: ReadonlySet<string> = new Set(GROUPS);

/** The group of fields that RoleCall only carries along. */
export const CARRIED = 'unsupportedFields';

/** An entry with the fields of its groups at its own level. */
export function flatEntry(raw: JsonObject): JsonObject {
  const flat: [string, Json | undefined][] = [];
  for (const [key, value] of Object.entries(raw)) {
    if (!IS_GROUP.has(key) || !isObject(value)) flat.push([key, value]);
    else for (const [inner, held] of Object.entries(value)) flat.push([`${key}.${inner}`, held]);
  }
  // fromEntries defines each key, so that a key called __proto__ stays a key.
  return Object.fromEntries(flat);
}

/** The opposite: every field back in its group, groups in the order in which their first field stands. */
export function nestedEntry(flat: JsonObject): JsonObject {
  const groups = new Map<string, [string, Json | undefined][]>();
  const all: [string, Json | undefined | typeof groups][] = [];
  for (const [key, value] of Object.entries(flat)) {
    const dot = key.indexOf('.');
    const group = dot < 0 ? '' : key.slice(0, dot);
    if (!IS_GROUP.has(group)) {
      all.push([key, value]);
      continue;
    }
    const held = groups.get(group);
    const field: [string, Json | undefined] = [key.slice(dot + 1), value];
    if (held) held.push(field);
    else {
      groups.set(group, [field]);
      all.push([group, groups]);
    }
  }
  return Object.fromEntries(
    all.map(([key, value]) => [
      key,
      value instanceof Map ? Object.fromEntries(groups.get(key) ?? []) : value,
    ]),
  );
}
