// Our places in SillyTavern's page. Each is put there once, works by keyboard and can be taken away again.

import { panelAvatar } from './character-form.ts';
import { t, warn } from './context.ts';
import { element, keepEnter } from './element.ts';
import { knowsEvent, onEvent } from './events.ts';
import { notify, notifyError } from './notices.ts';

const DROPDOWN = '#char-management-dropdown';

/**
 * Adds an item to the character panel's "More..." menu, after "Import Card Lore" and our own items before it.
 *
 * @param item an id for the page (start it with `lf-`), what it says, and what happens with the character whose
 *   panel is open
 * @returns a function that takes it away
 */
export function addCharacterMenuItem(item: {
  readonly id: string;
  readonly label: string;
  readonly onSelect: (avatar: string) => unknown;
}): () => void {
  const dropdown = document.querySelector<HTMLSelectElement>(DROPDOWN);
  if (!dropdown) {
    warn('The "More..." menu of the character panel was not found.');
    return () => {};
  }
  document.getElementById(item.id)?.remove();
  const option = element('option', { id: item.id, class: 'lf-menu-item', text: item.label });
  const ours = [...dropdown.querySelectorAll('.lf-menu-item')].at(-1);
  const after = ours ?? dropdown.querySelector('#import_character_info');
  if (after) after.after(option);
  else dropdown.append(option);

  const chosen = () => {
    const avatar = panelAvatar();
    if (avatar) run(item.label, () => item.onSelect(avatar));
    else notify({ kind: 'info', title: item.label, lines: [t`Save the new character first.`] });
  };
  // SillyTavern announces an item that it does not know by its element id, then shows "More..." again (1.13 to
  // 1.19). Without that event the menu itself is listened to.
  let stop: () => void;
  if (knowsEvent('CHARACTER_MANAGEMENT_DROPDOWN')) {
    stop = onEvent('CHARACTER_MANAGEMENT_DROPDOWN', (id) => (id === item.id ? chosen() : undefined));
  } else {
    const onChange = () => {
      if (dropdown.options[dropdown.selectedIndex]?.id !== item.id) return;
      dropdown.selectedIndex = 0;
      chosen();
    };
    dropdown.addEventListener('change', onChange);
    stop = () => dropdown.removeEventListener('change', onChange);
  }
  return () => {
    stop();
    option.remove();
  };
}

/**
 * Adds an icon button in one of SillyTavern's rows of buttons.
 *
 * @param button an id for the page, what it does in words, a Font Awesome icon, selectors of the buttons that it
 *   may stand after (the first that exists), and what happens
 * @returns a function that takes it away
 */
export function addIconButton(button: {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly after: readonly string[];
  readonly onSelect: () => unknown;
}): () => void {
  document.getElementById(button.id)?.remove();
  const neighbour = button.after.map((selector) => document.querySelector(selector)).find(Boolean);
  if (!neighbour) {
    warn(`No place was found for the button "${button.label}".`);
    return () => {};
  }
  // A div, as all its neighbours: SillyTavern presses a focused `.menu_button` at Enter itself, which would press
  // a real button twice.
  const made = element('div', {
    id: button.id,
    class: `menu_button fa-solid fa-${button.icon} lf-icon-button interactable`,
    attributes: { title: button.label, 'aria-label': button.label, role: 'button', tabindex: '0' },
    onClick: () => run(button.label, button.onSelect),
  });
  made.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    made.click();
  });
  neighbour.after(made);
  return () => made.remove();
}

/** Adds "Import from another app..." beside SillyTavern's two import buttons, see {@link addIconButton}. */
export function addImportButton(onSelect: () => unknown): () => void {
  return addIconButton({
    id: 'lf-import-button',
    label: t`Import from another app...`,
    icon: 'ferry',
    after: ['#external_import_button', '#character_import_button', '#rm_button_create'],
    onSelect,
  });
}

/**
 * Adds an item to the menu behind the magic wand, in SillyTavern's own markup (scripts/templates/wandMenu.html; its
 * items are those of 1.19's own extensions).
 *
 * @param item an id for the page, what it says, a Font Awesome icon, and what happens
 * @returns a function that takes it away
 */
export function addExtensionsMenuItem(item: {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly onSelect: () => unknown;
}): () => void {
  document.getElementById(item.id)?.remove();
  const menu = document.querySelector('#extensionsMenu');
  if (!menu) {
    warn('The extensions menu was not found.');
    return () => {};
  }
  // SillyTavern makes such items interactable by itself and presses them at Enter (public/scripts/keyboard.js).
  const made = element(
    'div',
    {
      id: item.id,
      class: 'list-group-item flex-container flexGap5 interactable',
      attributes: { role: 'button', tabindex: '0' },
      onClick: () => run(item.label, item.onSelect),
    },
    element('div', {
      class: `fa-solid fa-${item.icon} extensionsMenuExtensionButton`,
      attributes: { 'aria-hidden': 'true' },
    }),
    element('span', { text: item.label }),
  );
  menu.append(made);
  return () => made.remove();
}

/**
 * Adds an item to the list that SillyTavern's export button opens. SillyTavern takes `.export_format` items only; the
 * list goes away at a press of the mouse anywhere else (1.13 to 1.19, public/script.js).
 *
 * @param item an id for the page, what it says, and what happens with the character whose panel is open
 * @returns a function that takes it away
 */
export function addExportFormat(item: {
  readonly id: string;
  readonly label: string;
  readonly onSelect: (avatar: string) => unknown;
}): () => void {
  document.getElementById(item.id)?.remove();
  const list = document.querySelector('#export_format_popup');
  if (!list) {
    warn('The list of export formats was not found.');
    return () => {};
  }
  const made = element('div', {
    id: item.id,
    class: 'list-group-item interactable',
    text: item.label,
    attributes: { role: 'button', tabindex: '0' },
    onClick: () => {
      document.documentElement.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
      const avatar = panelAvatar();
      if (avatar) run(item.label, () => item.onSelect(avatar));
      else notify({ kind: 'info', title: item.label, lines: [t`Save the new character first.`] });
    },
  });
  list.append(made);
  return () => made.remove();
}

/**
 * Adds our block to the extension settings: a drawer in SillyTavern's own markup, closed at first.
 *
 * @param block an id for the page, its title, and what stands in it
 * @returns a function that takes it away
 */
export function addSettingsBlock(block: {
  readonly id: string;
  readonly title: string;
  readonly content: HTMLElement;
}): () => void {
  document.getElementById(block.id)?.remove();
  const place =
    document.querySelector('#extensions_settings2') ?? document.querySelector('#extensions_settings');
  if (!place) {
    warn('The extension settings were not found.');
    return () => {};
  }
  const arrow = element('div', {
    class: 'inline-drawer-icon fa-solid fa-circle-chevron-down down interactable',
    attributes: { role: 'button', tabindex: '0', 'aria-label': t`Show or hide ${block.title}` },
  });
  // SillyTavern opens and closes every `.inline-drawer` of the page.
  const drawer = element(
    'div',
    { class: 'inline-drawer' },
    element(
      'div',
      { class: 'inline-drawer-toggle inline-drawer-header' },
      element('b', { text: block.title }),
      arrow,
    ),
    element('div', { class: 'inline-drawer-content' }, keepEnter(block.content)),
  );
  const made = element('div', { id: block.id, class: 'extension_container lf lf-settings' }, drawer);
  place.append(made);
  return () => made.remove();
}

function run(label: string, action: () => unknown): void {
  void (async () => action())().catch((error) => notifyError(t`“${label}” did not work`, error));
}
