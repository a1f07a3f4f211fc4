// The note's depth and the prompt's size in SillyTavern's settings.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { readPromptSettings } from '../../src/formats/sillytavern/prompt-settings.ts';

describe('the depth of the author’s note', () => {
  it.each<[string, Json | undefined, number | undefined]>([
    ['the user’s own', { extension_settings: { note: { defaultDepth: 6 } } }, 6],
    ['as text', { extension_settings: { note: { defaultDepth: '6' } } }, 6],
    ['a chat’s name for it', { note_depth: 0 }, 0],
    ['not said', { extension_settings: { note: {} } }, undefined],
    ['a part of a message', { note_depth: 1.5 }, undefined],
    ['below nought', { note_depth: -1 }, undefined],
    ['no settings', undefined, undefined],
    ['a list', [1], undefined],
  ])('%s', (_, json, depth) => {
    expect(readPromptSettings(json).noteDepth).toBe(depth);
  });
});

describe('the size of a prompt', () => {
  const chat = { openai_max_context: 9000, openai_max_tokens: 1000 };
  it.each<[string, Json, number | undefined]>([
    ['is the context without the answer', { max_context: 8192, amount_gen: 350 }, 7842],
    ['is the chat completion’s own', { main_api: 'openai', max_context: 1, oai_settings: chat }, 8000],
    ['is not that of another API', { main_api: 'novel', max_context: 8192, oai_settings: chat }, 8192],
    ['is unknown when the answer takes it all', { max_context: 300, amount_gen: 300 }, undefined],
    ['is unknown without a context', { amount_gen: 300 }, undefined],
    ['is unknown for a blank', { max_context: ' ' }, undefined],
  ])('%s', (_, json, size) => {
    expect(readPromptSettings(json).contextSize).toBe(size);
  });
});
