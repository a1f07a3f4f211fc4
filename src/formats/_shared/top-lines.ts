// A text that begins as SillyTavern's own instructions do. Its engine takes every line with @@ at the top of an entry for
// one, obeys the two that it knows and leaves all of them out of the prompt (1.19, parseDecorators).

import type { Note } from '../../core/finding.ts';

/** Says of another app's entry that the lines at the top of its text do not reach the prompt in SillyTavern. */
export function noteTopLines(text: string, note: Note): void {
  if (!text.startsWith('@@')) return;
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('@@'));
  const top = end === -1 ? lines : lines.slice(0, end);
  const message =
    'SillyTavern takes lines with @@ at the top of a text for instructions of its own and leaves them out of the prompt.';
  note('approximated', 'content', top, null, message);
}
