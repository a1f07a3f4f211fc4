// The character's note as an entry that always fires at its depth: Lumiverse knows no such note of a card (1.1.0).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import { newEntry } from '../../core/lorebook.ts';
import type { DepthPrompt } from '../../core/resolved.ts';
import { writeEntry } from '../_shared/entry-writer.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import { noteMark } from '../_shared/stashed-books.ts';
import type { WrittenForm } from './entry-writing.ts';
import { LUMIVERSE_TABLES } from './fields.ts';
import { READ_LUMIVERSE } from './reading.ts';

/** The title under which the character's note stands among the entries. */
export const NOTE_TITLE = "Character's Note";

/** Writes it. SillyTavern does not search it for keys, so it starts nothing. */
export function noteEntry(
  { prompt, depth, role }: DepthPrompt,
  form: WrittenForm,
  priority: number,
  number: number,
): JsonObject {
  const blank = newEntry('');
  const entry = {
    ...blank,
    title: NOTE_TITLE,
    content: prompt,
    constant: true,
    selective: false,
    position: { slot: 'depth', depth: Math.max(0, Math.round(depth)), role, outlet: '' } as const,
    recursion: { ...blank.recursion, prevent: true },
  };
  const identity: JsonObject = form === 'card' ? { id: number } : {};
  const {
    extensions,
    uid: _uid,
    ...written
  } = writeEntry(LUMIVERSE_TABLES[form], entry, identity, undefined, READ_LUMIVERSE);
  const mark: JsonObject = {
    v: STASH_VERSION,
    in: 'lumiverse',
    of: 'depth_prompt',
    shown: noteMark({ prompt, depth: entry.position.depth, role }),
  };
  const bag = form === 'card' ? { priority, ...(extensions as JsonObject) } : {};
  return { ...written, ...(form === 'card' ? {} : { priority }), extensions: { ...bag, [STASH_KEY]: mark } };
}

/** What is said of it. */
export function noteFinding({ prompt, depth, role }: DepthPrompt): Finding {
  const message =
    'Lumiverse knows no such note; it is an entry of the lorebook that always fires at its depth.';
  const card = { bookId: null, entryId: null };
  return finding(
    'approximated',
    card,
    'data.extensions.depth_prompt',
    { prompt, depth, role },
    'an entry',
    message,
  );
}
