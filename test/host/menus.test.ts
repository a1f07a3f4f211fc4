// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  onCharacterDeleted,
  onCharacterDuplicated,
  onCharacterRenamed,
  onEvent,
} from '../../src/host/events.ts';
import { addCharacterMenuItem, addImportButton, addSettingsBlock } from '../../src/host/menus.ts';
import { whenReady } from '../../src/host/ready.ts';
import { characterPanel, fakeEvents, startFakeClient } from './fake-client.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve));
const types = {
  APP_READY: 'app_ready',
  CHARACTER_RENAMED: 'character_renamed',
  CHARACTER_DUPLICATED: 'character_duplicated',
  CHARACTER_DELETED: 'characterDeleted',
  CHARACTER_MANAGEMENT_DROPDOWN: 'charManagementDropdown',
};

let events: ReturnType<typeof fakeEvents>;

beforeEach(() => {
  events = fakeEvents();
  startFakeClient({ eventSource: events, eventTypes: types });
  characterPanel({ avatar: 'Alice.png', world: '', json: '' });
});
afterEach(() => vi.unstubAllGlobals());

const ids = (selector: string) => [...document.querySelectorAll(selector)].map((one) => one.id);

it("stands after SillyTavern's own import in the menu, once, in order, and goes again", () => {
  const add = (id: string) => addCharacterMenuItem({ id, label: id, onSelect: () => {} });
  add('lf-extract');
  const remove = [add('lf-extract'), add('lf-other')];
  expect(ids('#char-management-dropdown option').slice(2, 5)).toEqual([
    'import_character_info',
    'lf-extract',
    'lf-other',
  ]);
  for (const one of remove) one();
  expect(ids('.lf-menu-item')).toEqual([]);
});

it('reacts to its own menu item only, with the character whose panel is open', async () => {
  const onSelect = vi.fn();
  const remove = addCharacterMenuItem({ id: 'lf-extract', label: 'Extract lorebook', onSelect });
  await events.emit('charManagementDropdown', 'something_else');
  await events.emit('charManagementDropdown', 'lf-extract');
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('Alice.png');
  remove();
  await events.emit('charManagementDropdown', 'lf-extract');
  expect(onSelect).toHaveBeenCalledTimes(1);
});

it('listens to the menu itself where there is no event, and shows "More..." again', () => {
  startFakeClient();
  const onSelect = vi.fn();
  const remove = addCharacterMenuItem({ id: 'lf-extract', label: 'Extract lorebook', onSelect });
  const menu = document.querySelector('select') as HTMLSelectElement;
  const choose = (id: string) => {
    menu.selectedIndex = [...menu.options].findIndex((option) => option.id === id);
    menu.dispatchEvent(new Event('change', { bubbles: true }));
  };
  choose('renameCharButton');
  expect(onSelect).not.toHaveBeenCalled();
  choose('lf-extract');
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('Alice.png');
  expect(menu.selectedIndex).toBe(0);
  remove();
});

it('has a button beside the import buttons that keyboards and screen readers can use', () => {
  const onSelect = vi.fn();
  addImportButton(onSelect);
  const remove = addImportButton(onSelect);
  expect(ids('#rm_button_bar > *')).toEqual([
    'character_import_button',
    'external_import_button',
    'lf-import-button',
    'rm_button_group_chats',
  ]);
  const button = document.getElementById('lf-import-button');
  expect(button?.getAttribute('aria-label')).toBe('Import from another app...');
  expect([button?.getAttribute('role'), button?.tabIndex]).toEqual(['button', 0]);
  button?.click();
  button?.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
  expect(onSelect).toHaveBeenCalledTimes(2);
  remove();
  expect(document.getElementById('lf-import-button')).toBeNull();
});

it('has a settings block, once', () => {
  const content = document.createElement('div');
  addSettingsBlock({ id: 'lf-settings', title: 'Loreferry', content });
  const remove = addSettingsBlock({ id: 'lf-settings', title: 'Loreferry', content });
  expect(document.querySelectorAll('#extensions_settings2 > #lf-settings')).toHaveLength(1);
  expect(content.closest('.inline-drawer-content')).not.toBeNull();
  remove();
  expect(document.querySelector('#lf-settings')).toBeNull();
});

it('does nothing but warn where a place is missing', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  document.body.innerHTML = '';
  addCharacterMenuItem({ id: 'lf-extract', label: 'x', onSelect: () => {} })();
  addImportButton(() => {})();
  addSettingsBlock({ id: 'lf-settings', title: 'x', content: document.createElement('div') })();
  expect(warned).toHaveBeenCalledTimes(3);
  warned.mockRestore();
});

it('hears events with checked arguments, and never holds SillyTavern up', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const heard: unknown[] = [];
  const stops = [
    onCharacterRenamed((from, to) => heard.push([from, to])),
    onCharacterDuplicated((from, to) => heard.push([from, to])),
    onCharacterDeleted((avatar) => heard.push(avatar)),
    onEvent('CHARACTER_RENAMED', () => new Promise(() => {})),
    onEvent('CHARACTER_RENAMED', () => {
      throw new Error('ours');
    }),
  ];
  await events.emit('character_renamed', 'a.png', 'b.png');
  await events.emit('character_renamed', 'a.png');
  await events.emit('character_duplicated', { oldAvatar: 'a.png', newAvatar: 'a_1.png' });
  await events.emit('character_duplicated', undefined);
  await events.emit('characterDeleted', { id: 1, character: { avatar: 'a.png' } });
  expect(heard).toEqual([['a.png', 'b.png'], ['a.png', 'a_1.png'], 'a.png']);
  await settle();
  expect(warned).toHaveBeenCalledTimes(2);
  for (const stop of stops) stop();
  expect(events.count('character_renamed')).toBe(0);
  warned.mockRestore();
});

it('never hears an event that the client does not know', () => {
  onEvent('CHAT_CHANGED', () => {})();
  startFakeClient();
  onEvent('CHAT_CHANGED', () => {})();
});

it('starts at APP_READY, once', async () => {
  const start = vi.fn();
  whenReady(start);
  expect(start).not.toHaveBeenCalled();
  await events.emit('app_ready');
  await events.emit('app_ready');
  expect(start).toHaveBeenCalledTimes(1);
  expect(events.count('app_ready')).toBe(0);
});

it('starts at once when APP_READY has passed', async () => {
  await events.emit('app_ready');
  const start = vi.fn();
  whenReady(start);
  expect(start).toHaveBeenCalledTimes(1);
  expect(events.count('app_ready')).toBe(0);
});

it('starts when it subscribed while APP_READY was being told', () => {
  vi.useFakeTimers();
  const silent = { ...events, on: () => {} };
  startFakeClient({ eventSource: silent, eventTypes: types });
  document.body.insertAdjacentHTML('beforeend', '<div id="preloader"></div>');
  const start = vi.fn();
  whenReady(start);
  vi.advanceTimersByTime(5000);
  expect(start).not.toHaveBeenCalled();
  document.querySelector('#preloader')?.remove();
  vi.advanceTimersByTime(2000);
  expect(start).toHaveBeenCalledTimes(1);
  whenReady(start)();
  vi.advanceTimersByTime(5000);
  expect(start).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});

it('leaves SillyTavern unharmed when starting fails', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  whenReady(() => {
    throw new Error('ours');
  });
  await events.emit('app_ready');
  await settle();
  expect(warned).toHaveBeenCalledTimes(1);
  warned.mockRestore();
});
