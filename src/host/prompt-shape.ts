// How the prompt of now is shaped, apart from world info: where the author's note stands, and how many tokens there are.

import { isObject } from '../core/json.ts';
import { context } from './context.ts';

/** The note's depth where nobody set one (SillyTavern 1.19, authors-note.js; the same in 1.13). */
const OWN_DEPTH = 4;

/**
 * The depth of the author's note: that of the chat while it is the character's, else the one that new chats get
 * (1.19, authors-note.js, loadSettings).
 *
 * @param avatar the character, null for none in particular
 */
export function noteDepth(avatar: string | null): number {
  const { chatMetadata, extensionSettings } = context();
  const settings = extensionSettings?.['note'];
  const usual = isObject(settings) ? settings['defaultDepth'] : undefined;
  const ofChat = isSpeaking(avatar) ? chatMetadata?.['note_depth'] : undefined;
  return [ofChat, usual].map(numberFrom).find((depth) => Number.isInteger(depth) && depth >= 0) ?? OWN_DEPTH;
}

// Nothing is no number: of `null` and "" the language itself makes 0.
function numberFrom(value: unknown): number {
  if (typeof value === 'string') return value.trim() === '' ? Number.NaN : Number(value);
  return typeof value === 'number' ? value : Number.NaN;
}

function isSpeaking(avatar: string | null): boolean {
  const { characters, characterId, groupId, groups } = context();
  if (groupId) {
    const members = groups?.find(({ id }) => id === groupId)?.members ?? [];
    return avatar === null || members.includes(avatar);
  }
  const open = characterId === undefined ? undefined : characters?.[Number(characterId)];
  return open !== undefined && (avatar === null || open.avatar === avatar);
}

/**
 * Tokens that a prompt may have with the API of now, of which world info gets its part (1.19, script.js,
 * getMaxPromptTokens; getMaxContextSize before).
 *
 * @returns undefined where SillyTavern does not tell
 */
export async function promptTokens(): Promise<number | undefined> {
  // A variable, so that no bundler tries to resolve a path that only SillyTavern's server knows.
  const path = '/script.js';
  try {
    const module = (await import(/* @vite-ignore */ path)) as Readonly<Record<string, unknown>>;
    const ask = module['getMaxPromptTokens'] ?? module['getMaxContextSize'];
    const tokens = typeof ask === 'function' ? Number(ask()) : Number.NaN;
    return Number.isFinite(tokens) && tokens > 0 ? Math.floor(tokens) : undefined;
  } catch {
    return undefined;
  }
}
