// The ways into the export.
// @vitest-environment jsdom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { exportingPlaces } from '../../src/features/export/export-places.ts';
import { characterPanel, startFakeClient } from '../host/fake-client.ts';
import { startFakeServer } from '../host/fake-server.ts';

const opened = vi.fn(async () => undefined);
vi.mock('../../src/features/export/open-export.tsx', () => ({ openExport: opened }));

interface Command {
  readonly name: string;
  readonly namedArgumentList: readonly { readonly name: string }[];
  readonly callback: (named: unknown, value: unknown) => unknown;
}

let commands: Record<string, Command>;
let told: string[];
let stops: readonly (() => void)[];

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  opened.mockClear();
  commands = {};
  told = [];
  const toast = (content: HTMLElement) => {
    told.push(content.textContent ?? '');
    return undefined;
  };
  vi.stubGlobal('toastr', { info: toast, warning: toast, error: toast });
  const server = startFakeServer();
  server.worlds.set('Quay', { entries: {} });
  const plain = { fromProps: (props: unknown) => props };
  startFakeClient({
    characters: [
      { avatar: 'Mara.png', name: 'Mara' },
      { avatar: 'Twin.png', name: 'Twin' },
      { avatar: 'Twin1.png', name: 'Twin' },
    ],
    SlashCommandParser: {
      commands,
      addCommandObject: (made: unknown) => {
        const command = made as Command;
        commands[command.name] = command;
      },
    } as { addCommandObject(command: unknown): void },
    SlashCommand: plain,
    SlashCommandArgument: plain,
    SlashCommandNamedArgument: plain,
  });
  characterPanel({ avatar: 'Mara.png', world: '', json: '' });
  document.body.insertAdjacentHTML(
    'beforeend',
    `<div id="export_format_popup"><div class="export_format list-group-item" data-format="png">PNG</div></div>
     <div id="world_popup_export"></div>`,
  );
  stops = exportingPlaces().map((put) => put());
});
afterEach(() => {
  for (const stop of stops) stop();
  expect(document.querySelectorAll('[id^="lf-export"]')).toHaveLength(0);
  expect(commands).toEqual({});
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const run = (value: string, named: Record<string, string> = {}) =>
  commands['lore-export']?.callback(named, value);

it('SillyTavern’s own list gets an item that it does not take for a format, and closes', async () => {
  const closes = vi.fn();
  document.documentElement.addEventListener('mousedown', closes);
  const item = document.querySelector<HTMLElement>('#export_format_popup > #lf-export-format');
  expect(item?.textContent).toBe('Export to another app...');
  expect(item?.matches('.export_format')).toBe(false);
  item?.click();
  expect(closes).toHaveBeenCalledOnce();
  await vi.waitFor(() =>
    expect(opened).toHaveBeenCalledWith({ kind: 'character', avatar: 'Mara.png' }, undefined),
  );
});

it('while a new character is made there is none to export', () => {
  document.querySelector('#form_create')?.setAttribute('actiontype', 'createcharacter');
  document.querySelector<HTMLElement>('#lf-export-format')?.click();
  expect(told.join()).toContain('Save the new character first.');
});

it('the World Info panel exports the lorebook that is open', async () => {
  document.querySelector<HTMLElement>('#lf-export-world')?.click();
  expect(told.join()).toContain('Open a lorebook in the editor first.');
  const select = document.querySelector('#world_editor_select');
  select?.insertAdjacentHTML('beforeend', '<option value="0" selected>Quay</option>');
  document.querySelector<HTMLElement>('#lf-export-world')?.click();
  await vi.waitFor(() => expect(opened).toHaveBeenCalledWith({ kind: 'world', name: 'Quay' }, undefined));
});

it('/lore-export takes a target and a name', async () => {
  expect(commands['lore-export']?.namedArgumentList.map(({ name }) => name)).toEqual(['target']);
  expect(run(' mara ', { target: ' Marinara' })).toBe('');
  await vi.waitFor(() =>
    expect(opened).toHaveBeenCalledWith({ kind: 'character', avatar: 'Mara.png' }, 'marinara'),
  );
  run('quay');
  await vi.waitFor(() => expect(opened).toHaveBeenCalledWith({ kind: 'world', name: 'Quay' }, undefined));
  run('');
  await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(3));
});

it('/lore-export says when a name means nothing, or several', async () => {
  run('nobody');
  await vi.waitFor(() => expect(told.join()).toContain('No character and no lorebook is called “nobody”.'));
  run('twin');
  await vi.waitFor(() => expect(told.join()).toContain('Several characters are called “twin”'));
  run('Twin1.png');
  await vi.waitFor(() =>
    expect(opened).toHaveBeenCalledWith({ kind: 'character', avatar: 'Twin1.png' }, undefined),
  );
  expect(opened).toHaveBeenCalledOnce();
});
