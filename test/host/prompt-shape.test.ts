// The depth of the author's note: of the chat, or of new chats.

import { afterEach, describe, expect, it } from 'vitest';
import { noteDepth, promptTokens } from '../../src/host/prompt-shape.ts';
import { startFakeClient } from './fake-client.ts';

afterEach(() => {
  startFakeClient({});
});

const characters = [
  { avatar: 'a.png', name: 'A' },
  { avatar: 'b.png', name: 'B' },
];
const note = { defaultDepth: 6 };

describe('the note stands', () => {
  it.each<[string, Record<string, unknown>, string | null, number]>([
    ['where the chat has it', { characterId: '0' }, 'a.png', 2],
    ['where the chat has it, for a lorebook alone', { characterId: 0 }, null, 2],
    ['where new chats have it, for another character', { characterId: '0' }, 'b.png', 6],
    ['where new chats have it, while none is open', {}, null, 6],
    ['where the group’s chat has it', { groupId: 'g' }, 'b.png', 2],
    ['where new chats have it, for who is not in the group', { groupId: 'g' }, 'a.png', 6],
    ['where SillyTavern puts it, where nothing is set', { extensionSettings: {} }, null, 4],
    ['where new chats have it, when the chat says no number', { characterId: 0, chatMetadata: {} }, null, 6],
    [
      'where new chats have it, when the chat says nothing',
      { characterId: 0, chatMetadata: { note_depth: null } },
      null,
      6,
    ],
    [
      'where SillyTavern puts it, where what is set is blank',
      {
        characterId: 0,
        chatMetadata: { note_depth: ' ' },
        extensionSettings: { note: { defaultDepth: '' } },
      },
      null,
      4,
    ],
  ])('%s', (_, given, avatar, depth) => {
    startFakeClient({
      characters,
      groups: [{ id: 'g', members: ['b.png'] }],
      chatMetadata: { note_depth: '2' },
      extensionSettings: { note },
      ...given,
    });
    expect(noteDepth(avatar)).toBe(depth);
  });
});

it('the size of a prompt is unknown where SillyTavern does not tell', async () => {
  expect(await promptTokens()).toBeUndefined();
});
