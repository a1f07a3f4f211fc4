// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { panelAvatar, withWorld } from '../../src/host/character-form.ts';
import {
  LinkError,
  linkBody,
  linkWorld,
  readCharacter,
  silenceOffer,
  UnreadableCharacterError,
} from '../../src/host/character-store.ts';
import { activeWorlds, extraBooks, scanSettings, setExtraBooks } from '../../src/host/world-links.ts';
import { characterPanel, startFakeClient, value } from './fake-client.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';

const module = vi.hoisted(() => ({
  world_info: {} as { charLore?: { name: string; extraBooks?: string[] }[] },
  selected_world_info: ['Everywhere'],
  world_info_depth: 4,
  world_info_recursive: true,
  world_info_position: { before: 0 },
  world_names: ['x'],
}));
vi.mock('../../src/host/world-info-module.ts', () => ({ worldInfoModule: async () => module }));

const V3 = {
  spec: 'chara_card_v3',
  spec_version: '3.0',
  name: 'Alice',
  data: { name: 'Alice', description: 'text', extensions: { world: 'Old', depth_prompt: { depth: 2 } } },
};

let server: FakeServer;
let client: Record<string, unknown>;

beforeEach(() => {
  server = startFakeServer();
  client = startFakeClient();
  server.cards.set('Alice.png', V3);
  characterPanel({ avatar: 'Other.png', world: '', json: '{}' });
});
afterEach(() => vi.unstubAllGlobals());

describe('reading', () => {
  it('gives the card as it stands in the file, and as SillyTavern shows it', async () => {
    const alice = await readCharacter('Alice.png');
    expect(alice).toMatchObject({ avatar: 'Alice.png', name: 'Alice', world: 'Old', card: V3 });
    expect(alice.view).not.toHaveProperty('json_data');
  });

  it('fails for no character, and for a file without a card', async () => {
    await expect(readCharacter('None.png')).rejects.toMatchObject({ status: 404 });
    server.instead.set('/api/characters/get', () => Response.json({ date_added: 0, chat_size: 0 }));
    await expect(readCharacter('Alice.png')).rejects.toBeInstanceOf(UnreadableCharacterError);
  });
});

describe('the body of a link', () => {
  const link = { data: { extensions: { world: 'Lore' } } };
  const complete = {
    name: 'A',
    description: '',
    personality: '',
    scenario: '',
    first_mes: '',
    mes_example: '',
  };

  it('is only the link for a card with all root fields', () => {
    const card = { spec: 'chara_card_v2', ...complete };
    expect(linkBody({ avatar: 'A.png', card, view: card }, 'Lore')).toEqual({ avatar: 'A.png', ...link });
  });

  it('brings what a sparse card lacks: from its data, else empty', () => {
    const card = { spec: 'chara_card_v2', name: 'A', data: { name: 'A', description: 'text', scenario: 7 } };
    expect(linkBody({ avatar: 'A.png', card, view: card }, 'Lore')).toEqual({
      avatar: 'A.png',
      description: 'text',
      personality: '',
      scenario: '',
      first_mes: '',
      mes_example: '',
      ...link,
    });
  });

  it('makes a V1 card what SillyTavern would make of it, or the link would be thrown away', () => {
    const view = { data: { name: 'A', extensions: { world: '', fav: true } } };
    expect(linkBody({ avatar: 'A.png', card: complete, view }, 'Lore')).toEqual({
      avatar: 'A.png',
      spec: 'chara_card_v2',
      spec_version: '2.0',
      data: { name: 'A', extensions: { world: 'Lore', fav: true } },
    });
  });
});

describe('linking', () => {
  it.each([
    ['a complete card', V3],
    ['a sparse card', { spec: 'chara_card_v2', spec_version: '2.0', name: 'Alice', data: { name: 'Alice' } }],
    ['a V1 card', { name: 'Alice', description: 'text' }],
  ])('links %s, and back', async (_name, card) => {
    server.cards.set('Alice.png', card);
    await linkWorld('Alice.png', 'Lore');
    expect((await readCharacter('Alice.png')).world).toBe('Lore');
    expect(await linkWorld('Alice.png', '')).toBe('Lore');
    expect((await readCharacter('Alice.png')).world).toBe('');
  });

  it('keeps the rest of the card', async () => {
    expect(await linkWorld('Alice.png', 'Lore')).toBe('Old');
    expect(server.cards.get('Alice.png')).toMatchObject({
      data: { description: 'text', extensions: { world: 'Lore', depth_prompt: { depth: 2 } } },
    });
  });

  it('brings the open character in step: list, form, JSON, globe', async () => {
    const listed = { avatar: 'Alice.png', name: 'Alice', json_data: JSON.stringify(V3), data: V3.data };
    client['characters'] = [structuredClone(listed)];
    characterPanel({ avatar: 'Alice.png', world: 'Old', json: JSON.stringify(V3) });
    await linkWorld('Alice.png', 'Lore');
    expect(value('#character_world')).toBe('Lore');
    expect(JSON.parse(value('#character_json_data'))).toEqual(
      JSON.parse(withWorld(JSON.stringify(V3), 'Lore')),
    );
    expect(document.querySelector('#world_button')?.classList.contains('world_set')).toBe(true);
    expect(document.querySelector('#set_character_world')?.classList.contains('world_set')).toBe(true);
    const [alice] = client['characters'] as { data: { extensions: { world: string } }; json_data: string }[];
    expect(alice?.data.extensions.world).toBe('Lore');
    expect(JSON.parse(alice?.json_data ?? '').data.extensions.world).toBe('Lore');
    await linkWorld('Alice.png', '');
    expect(document.querySelector('#world_button')?.classList.contains('world_set')).toBe(false);
  });

  it('puts everything back when the server refuses', async () => {
    client['characters'] = [{ avatar: 'Alice.png', name: 'Alice', data: { extensions: { world: 'Old' } } }];
    const json = JSON.stringify(V3);
    characterPanel({ avatar: 'Alice.png', world: 'Old', json });
    document.querySelector('#world_button')?.classList.add('world_set');
    server.instead.set('/api/characters/merge-attributes', () =>
      Response.json({ message: 'Validation failed for Alice', error: 'description' }, { status: 400 }),
    );
    await expect(linkWorld('Alice.png', '')).rejects.toMatchObject({
      message: 'SillyTavern answered with error 400 (Validation failed for Alice: description).',
    });
    expect([value('#character_world'), value('#character_json_data')]).toEqual(['Old', json]);
    expect(document.querySelector('#world_button')?.classList.contains('world_set')).toBe(true);
    expect(client['characters']).toMatchObject([{ data: { extensions: { world: 'Old' } } }]);
  });

  it('leaves the form of another character, and of a new one, alone', async () => {
    await linkWorld('Alice.png', 'Lore');
    expect(value('#character_world')).toBe('');
    characterPanel({ avatar: 'Alice.png', world: '', json: '', type: 'createcharacter' });
    expect(panelAvatar()).toBeUndefined();
    await linkWorld('Alice.png', 'Lore 2');
    expect(value('#character_world')).toBe('');
  });

  it('links again when an autosave came in between', async () => {
    let autosaves = 1;
    server.instead.set('/api/characters/merge-attributes', () =>
      autosaves-- > 0 ? new Response('OK') : undefined,
    );
    await linkWorld('Alice.png', 'Lore');
    expect((await readCharacter('Alice.png')).world).toBe('Lore');
  });

  it('fails when the link does not stay', async () => {
    server.instead.set('/api/characters/merge-attributes', () => new Response('OK'));
    await expect(linkWorld('Alice.png', 'Lore')).rejects.toBeInstanceOf(LinkError);
  });

  it('leaves JSON that it cannot read alone', () => {
    expect(withWorld('', 'Lore')).toBe('');
    expect(withWorld('[1]', 'Lore')).toBe('[1]');
    expect(withWorld('{"data":{"extensions":null}}', 'Lore')).toBe(
      '{"data":{"extensions":{"world":"Lore"}}}',
    );
  });
});

describe("SillyTavern's own offer", () => {
  it('is silenced with the key that SillyTavern looks at', () => {
    const setItem = vi.fn();
    client['accountStorage'] = { setItem };
    silenceOffer('Alice.png');
    expect(setItem).toHaveBeenCalledWith('AlertWI_Alice.png', 'true');
  });
});

describe('additional books', () => {
  it('are settings, by the name of the file without its extension', async () => {
    const save = vi.fn();
    client['saveSettingsDebounced'] = save;
    module.world_info.charLore = [{ name: 'Bob', extraBooks: ['B'] }];
    expect(await extraBooks('Alice.v2.png')).toEqual([]);
    expect(await setExtraBooks('Alice.v2.png', ['One', 'Two', 'One'])).toBe(true);
    expect(await extraBooks('Alice.v2.png')).toEqual(['One', 'Two']);
    expect(module.world_info.charLore).toEqual([
      { name: 'Bob', extraBooks: ['B'] },
      { name: 'Alice.v2', extraBooks: ['One', 'Two'] },
    ]);
    await setExtraBooks('Alice.v2.png', []);
    expect(module.world_info.charLore).toEqual([{ name: 'Bob', extraBooks: ['B'] }]);
    expect(save).toHaveBeenCalledTimes(2);
  });

  it('are left alone where nothing could save them', async () => {
    module.world_info.charLore = [];
    expect(await setExtraBooks('Alice.png', ['One'])).toBe(false);
    expect(module.world_info.charLore).toEqual([]);
  });
});

it('tells which worlds are in force, and how they are scanned', async () => {
  client['chatMetadata'] = { world_info: 'Chat' };
  client['powerUserSettings'] = { persona_description_lorebook: '' };
  expect(await activeWorlds()).toEqual({ chat: 'Chat', persona: undefined, global: ['Everywhere'] });
  expect(await scanSettings()).toEqual({ world_info_depth: 4, world_info_recursive: true });
});
