// What else of SillyTavern's settings an export depends on: where the author's note stands, and how many tokens the
// prompt may have, of which world info gets its part (1.19).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { jsonAt } from '../../core/json.ts';

/** The depth of the author's note unless the user or the chat sets another (1.19, authors-note.js). */
export const NOTE_DEPTH = 4;

/** What the settings say; undefined where they say nothing that can be used. */
export interface PromptSettings {
  readonly noteDepth: number | undefined;
  readonly contextSize: number | undefined;
}

/**
 * Reads SillyTavern's `settings.json`: the note's usual depth (or `note_depth`, a chat's own name for it), and the size
 * of the prompt, which is the context without the answer (script.js, getMaxPromptTokens). Takes any value, never throws.
 */
export function readPromptSettings(json: Json | undefined): PromptSettings {
  const at = (...path: readonly string[]): number => numberFrom(jsonAt(json, path));
  const note = [at('extension_settings', 'note', 'defaultDepth'), at('note_depth')].find(isWhole);
  const isChat = jsonAt(json, ['main_api']) === 'openai';
  const size = isChat
    ? promptSize(at('oai_settings', 'openai_max_context'), at('oai_settings', 'openai_max_tokens'))
    : promptSize(at('max_context'), at('amount_gen'));
  return { noteDepth: note, contextSize: size };
}

const isWhole = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** Tokens of a prompt: the context without the answer; undefined when nothing is left. */
export function promptSize(context: number, answer: number): number | undefined {
  const left = context - (Number.isFinite(answer) ? answer : 0);
  return Number.isFinite(left) && left > 0 ? Math.floor(left) : undefined;
}

function numberFrom(value: Json | undefined): number {
  if (typeof value === 'string') return value.trim() === '' ? Number.NaN : Number(value);
  return typeof value === 'number' ? value : Number.NaN;
}

/** What was said of the settings, with the note's depth among what was assumed (decisions 30). */
export function withAssumedNote(findings: readonly Finding[]): readonly Finding[] {
  const held = findings.find(({ code, path }) => code === 'assumed' && path === 'settings');
  const added = { noteDepth: NOTE_DEPTH };
  if (held !== undefined)
    return findings.map((each) =>
      each === held ? { ...held, after: { ...(held.after as object), ...added } } : each,
    );
  const message = `The depth of the author’s note was not given; SillyTavern’s own, ${NOTE_DEPTH}, was used.`;
  return [...findings, finding('assumed', { bookId: null, entryId: null }, 'settings', null, added, message)];
}
