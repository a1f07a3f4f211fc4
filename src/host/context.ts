// The one typed door to the running SillyTavern. Everything behind it may be missing: clients from 1.13 on are
// served, and another extension may have replaced a part. Nothing here is read once and kept, since
// `getContext()` returns a snapshot of the client's variables (SillyTavern 1.19, public/scripts/st-context.js).

/** A character as the client lists it. Lists may be shallow: then `json_data` and most of `data` are absent. */
export interface ListedCharacter {
  avatar: string;
  name: string;
  shallow?: boolean;
  json_data?: string;
  data?: { extensions?: { world?: string } };
}

/** The client's event source (public/lib/eventemitter.js): `emit` awaits every listener in turn. */
export interface EventSource {
  on(type: string, listener: (...args: unknown[]) => void): void;
  removeListener(type: string, listener: (...args: unknown[]) => void): void;
  emit(type: string, ...args: unknown[]): Promise<unknown>;
}

/** The client's small store that follows the account (public/scripts/util/AccountStorage.js). */
export interface AccountStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** One dialog of the client (public/scripts/popup.js). `show` resolves to the result once it is closed. */
export interface PopupInstance {
  readonly dlg?: HTMLElement;
  show(): Promise<unknown>;
  complete(result: number | null): Promise<unknown>;
}

/** The options of a dialog that we use; all exist in 1.13. */
export interface PopupOptions {
  okButton?: string | boolean;
  cancelButton?: string | boolean;
  wide?: boolean;
  wider?: boolean;
  large?: boolean;
  leftAlign?: boolean;
  allowVerticalScrolling?: boolean;
  defaultResult?: number;
  customButtons?: readonly { text: string; result: number; classes?: readonly string[] }[];
  onOpen?: () => void;
  onClosing?: () => boolean | Promise<boolean>;
}

/** The members of `SillyTavern.getContext()` that we touch. All optional: guard each use. */
export interface HostContext {
  readonly characters?: ListedCharacter[];
  readonly characterId?: string | number;
  readonly groupId?: string | null;
  readonly groups?: readonly { readonly id?: unknown; readonly members?: readonly string[] }[];
  readonly name1?: string;
  readonly name2?: string;
  readonly chatId?: string;
  readonly chatMetadata?: Readonly<Record<string, unknown>>;
  readonly powerUserSettings?: Readonly<Record<string, unknown>>;
  readonly extensionSettings?: Record<string, unknown>;
  readonly accountStorage?: AccountStorage;
  readonly eventSource?: EventSource;
  readonly eventTypes?: Readonly<Record<string, string>>;
  readonly getRequestHeaders?: (options?: { omitContentType?: boolean }) => Record<string, string>;
  readonly saveSettingsDebounced?: () => void;
  readonly getCharacters?: () => Promise<void>;
  readonly getOneCharacter?: (avatar: string) => Promise<void>;
  readonly selectCharacterById?: (id: number | string) => Promise<void>;
  readonly updateWorldInfoList?: () => Promise<void>;
  readonly reloadWorldInfoEditor?: (name: string, loadIfNotSelected?: boolean) => void;
  readonly getTokenCountAsync?: (text: string) => Promise<number>;
  readonly getCurrentLocale?: () => string;
  readonly isMobile?: () => boolean;
  readonly t?: (strings: TemplateStringsArray, ...values: string[]) => string;
  readonly Popup?: new (
    content: HTMLElement | string,
    type: number,
    value?: string,
    options?: PopupOptions,
  ) => PopupInstance;
  readonly POPUP_TYPE?: Readonly<Record<string, number>>;
  readonly callGenericPopup?: (
    content: HTMLElement | string,
    type: number,
    value?: string,
    options?: PopupOptions,
  ) => Promise<unknown>;
  readonly tags?: readonly { readonly id: string; readonly name: string }[];
  readonly tagMap?: Readonly<Record<string, readonly string[]>>;
  readonly SlashCommandParser?: { addCommandObject(command: unknown): void };
  readonly SlashCommand?: { fromProps(props: unknown): unknown };
  readonly SlashCommandArgument?: { fromProps(props: unknown): unknown };
  readonly SlashCommandNamedArgument?: { fromProps(props: unknown): unknown };
  readonly ARGUMENT_TYPE?: Readonly<Record<string, string>>;
}

interface HostGlobal {
  readonly SillyTavern?: { readonly getContext?: () => HostContext };
}

/**
 * The client's context as it is now. Call it at each use, never keep it.
 *
 * @returns the context, or an empty one when no SillyTavern runs around us
 */
export function context(): HostContext {
  try {
    return (globalThis as HostGlobal).SillyTavern?.getContext?.() ?? {};
  } catch {
    return {};
  }
}

// `getContext()` builds some hundred members; a panel calls `t` for every row, so its function is kept as long
// as the global it came from is the same.
let translator: { readonly from: unknown; readonly t: HostContext['t'] } | undefined;

/**
 * A template tag for everything that a person reads: translated by SillyTavern where it can, else as written.
 * The key in a locale file is the text with `${0}`, `${1}` in place of the values (public/scripts/i18n.js).
 *
 * @returns the text, with the values in their places
 */
export function t(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  // SillyTavern's tag leaves out the placeholder of an undefined value, which shifts the key: give it words only.
  const words = values.map((value) => String(value ?? ''));
  const from = (globalThis as HostGlobal).SillyTavern;
  if (translator?.from !== from || !translator?.t) translator = { from, t: context().t };
  try {
    if (translator.t) return translator.t(strings, ...words);
  } catch {
    // A broken locale is no reason to show nothing.
  }
  return strings.map((part, index) => part + (words[index] ?? '')).join('');
}

/**
 * Our only line on the console, for something that failed and that the user is told about elsewhere, or that
 * needs no telling.
 *
 * @param what one sentence
 * @param error what was caught, if anything
 */
export function warn(what: string, error?: unknown): void {
  if (error === undefined) console.warn(`[Loreferry] ${what}`);
  else console.warn(`[Loreferry] ${what}`, error);
}
