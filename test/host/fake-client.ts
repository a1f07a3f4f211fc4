// A stand-in for the running client: `SillyTavern.getContext()` and the parts of its page.

import { vi } from 'vitest';
import type { HostContext } from '../../src/host/context.ts';

/** Puts a context behind the global `SillyTavern`; members can be changed later. */
export function startFakeClient(members: Partial<HostContext> = {}): Record<string, unknown> {
  const context: Record<string, unknown> = {
    getRequestHeaders: () => ({ 'Content-Type': 'application/json', 'X-CSRF-Token': 'token' }),
    ...members,
  };
  vi.stubGlobal('SillyTavern', { getContext: () => context });
  return context;
}

/** An event source like SillyTavern's, which repeats the events named to late listeners. */
export function fakeEvents(repeated: readonly string[] = ['app_ready']) {
  const listeners = new Map<string, ((...args: unknown[]) => void)[]>();
  const past = new Map<string, unknown[]>();
  return {
    on(type: string, listener: (...args: unknown[]) => void) {
      listeners.set(type, [...(listeners.get(type) ?? []), listener]);
      const args = past.get(type);
      if (args) listener(...args);
    },
    removeListener(type: string, listener: (...args: unknown[]) => void) {
      listeners.set(
        type,
        (listeners.get(type) ?? []).filter((one) => one !== listener),
      );
    },
    async emit(type: string, ...args: unknown[]) {
      for (const listener of listeners.get(type) ?? []) await listener(...args);
      if (repeated.includes(type)) past.set(type, args);
    },
    count: (type: string) => (listeners.get(type) ?? []).length,
  };
}

/** The character panel with its form, as far as src/host touches it (public/index.html). */
export function characterPanel(state: { avatar: string; world: string; json: string; type?: string }): void {
  document.body.innerHTML = `
    <form id="form_create" actiontype="${state.type ?? 'editcharacter'}">
      <input id="avatar_url_pole" type="hidden"><input id="character_world" type="hidden">
      <input id="character_json_data" type="hidden">
      <div id="world_button" class="menu_button"></div>
      <select id="char-management-dropdown">
        <option value="default" disabled selected>More...</option>
        <option id="set_character_world">Link to World Info</option>
        <option id="import_character_info">Import Card Lore</option>
        <option id="renameCharButton">Rename</option>
      </select>
    </form>
    <div id="rm_button_bar"><div id="character_import_button"></div><div id="external_import_button"></div>
      <div id="rm_button_group_chats"></div></div>
    <div id="extensions_settings2"></div>
    <select id="world_editor_select"><option value="">--- Pick to Edit ---</option></select>`;
  value('#avatar_url_pole', state.avatar);
  value('#character_world', state.world);
  value('#character_json_data', state.json);
}

/** The value of a field of the page; sets it when one is given. */
export function value(selector: string, set?: string): string {
  const input = document.querySelector<HTMLInputElement>(selector);
  if (!input) throw new Error(`no ${selector}`);
  if (set !== undefined) input.value = set;
  return input.value;
}
