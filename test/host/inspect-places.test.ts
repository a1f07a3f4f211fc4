// @vitest-environment jsdom
// The ways into the panel that the page gives: buttons, the extensions menu, and a slash command.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listedCharacters, openCharacter, worldUsers } from '../../src/host/character-list.ts';
import { addExtensionsMenuItem, addIconButton } from '../../src/host/menus.ts';
import { addSlashCommand } from '../../src/host/slash-commands.ts';
import { characterPanel, startFakeClient } from './fake-client.ts';

let client: Record<string, unknown>;
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  client = startFakeClient();
  characterPanel({ avatar: 'A.png', world: '', json: '' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('a button stands beside the globe, once, and is pressed by the space bar', () => {
  const pressed = vi.fn();
  const button = { id: 'lf-x', label: 'Inspect', icon: 'ship', after: ['#nowhere', '#world_button'] };
  addIconButton({ ...button, onSelect: pressed });
  const remove = addIconButton({ ...button, onSelect: pressed });
  const [made, ...more] = document.querySelectorAll<HTMLElement>('#lf-x');
  expect(more).toEqual([]);
  expect(made?.previousElementSibling?.id).toBe('world_button');
  made?.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
  expect(pressed).toHaveBeenCalledOnce();
  remove();
  expect(document.querySelector('#lf-x')).toBeNull();
});

it('the extensions menu gets one item; a page without that menu goes on', () => {
  const item = { id: 'lf-m', label: 'Inspect', icon: 'ship', onSelect: vi.fn() };
  addExtensionsMenuItem(item)();
  document.body.insertAdjacentHTML('beforeend', '<div id="extensionsMenu"></div>');
  addExtensionsMenuItem(item);
  const remove = addExtensionsMenuItem(item);
  expect(document.querySelectorAll('#extensionsMenu > div')).toHaveLength(1);
  document.querySelector<HTMLElement>('#lf-m')?.click();
  expect(item.onSelect).toHaveBeenCalledOnce();
  remove();
  expect(document.querySelector('#lf-m')).toBeNull();
});

it('a slash command takes one argument, returns nothing and goes again', () => {
  const run = vi.fn();
  const command = { name: 'lore-inspect', help: 'h', argument: 'a', run };
  expect(() => addSlashCommand(command)()).not.toThrow();
  const commands: Record<string, { callback: (named: unknown, value: unknown) => unknown }> = {};
  client['SlashCommandParser'] = {
    commands,
    addCommandObject: (made: { name: string; callback: () => unknown }) => {
      commands[made.name] = made;
    },
  };
  client['SlashCommand'] = { fromProps: (props: unknown) => props };
  client['SlashCommandArgument'] = { fromProps: (props: unknown) => props };
  addSlashCommand(command);
  const remove = addSlashCommand(command);
  expect(commands['lore-inspect']?.callback({}, ' Mara ')).toBe('');
  expect(run).toHaveBeenLastCalledWith('Mara');
  expect(commands['lore-inspect']?.callback({}, undefined)).toBe('');
  expect(run).toHaveBeenLastCalledWith('');
  run.mockImplementation(() => {
    throw new Error('no');
  });
  expect(commands['lore-inspect']?.callback({}, 'x')).toBe('');
  remove();
  expect(commands).toEqual({});
});

it('characters are listed by name; the one of the chat is told, but none in a group', async () => {
  client['characters'] = [
    { avatar: 'Z.png', name: 'Zoë', data: { extensions: { world: 'W' } } },
    { avatar: 'A.png', name: 'Ada' },
  ];
  client['chatMetadata'] = { world_info: 'W' };
  expect(listedCharacters().map(({ name, world }) => [name, world])).toEqual([
    ['Ada', ''],
    ['Zoë', 'W'],
  ]);
  expect(openCharacter()).toBeUndefined();
  client['characterId'] = '0';
  expect(openCharacter()).toBe('Z.png');
  client['groupId'] = '1';
  expect(openCharacter()).toBeUndefined();
  expect(await worldUsers('W')).toMatchObject({
    main: [{ avatar: 'Z.png' }],
    chat: true,
    persona: false,
    everyChat: false,
  });
});
