// The lorebook file that Marinara calls compatible: the look of a world info file, with keys and switches of its own.
// Facts: Marinara Engine 2.3.3.

import type { Finding } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, withoutKey } from '../../core/json.ts';
import { readBookHead } from '../_shared/book-fields.ts';
import { noteMarinaraBook } from '../_shared/marinara/complete.ts';
import { rawEntries } from '../_shared/raw-entries.ts';
import type { ReadFile } from './native-lorebook.ts';
import { READ_MARINARA, readEntries } from './reading.ts';

/** The name of this dialect: the key of a raw file in a lorebook's `original`. */
export const MARINARA_COMPATIBLE = 'marinara-compatible';

/** Whether a file is a lorebook that Marinara wrote for SillyTavern's family. */
export function isMarinaraCompatible(json: Json): json is JsonObject {
  if (!isObject(json) || !isObject(json['entries']) || !isObject(json['extensions'])) return false;
  return isObject(json['extensions']['marinara']);
}

/**
 * Reads such a file: keys are bare patterns where the regex switch is on, a chance may be null, a scan depth of 0 is
 * the whole chat. Takes any JSON value and never throws.
 */
export function readMarinaraCompatible(json: Json, id: string, fallbackName: string): ReadFile {
  const file: JsonObject = isObject(json) ? json : {};
  const findings: Finding[] = [];
  const note = noteInto(findings, { bookId: id, entryId: null });
  const { items } = rawEntries(file);
  const read = readEntries('compatible', items, id);
  const whole = readBookHead(file, MARINARA_COMPATIBLE, note);
  noteMarinaraBook(items, note);
  // The app's own mark says when it was exported, which is nothing of the lorebook.
  const head = { ...whole, extensions: withoutKey(whole.extensions, 'marinara') };
  const body = { ...head, entries: read.entries };
  const name = head.name.trim() === '' ? fallbackName : head.name;
  return {
    lorebook: { id, name, body, original: { [MARINARA_COMPATIBLE]: { raw: json } } },
    body,
    findings: [...findings, ...read.findings],
    known: read.known,
    options: READ_MARINARA,
  };
}
