// Short results, as SillyTavern shows its own: through the global toastr (2.1.3). Texts of cards stand in them.

import { t, warn } from './context.ts';
import { element, keepEnter } from './element.ts';

/** A button in a notice. Choosing it closes the notice. */
export interface NoticeAction {
  readonly label: string;
  /** What it rejects with is shown as a notice of its own. */
  readonly onSelect: () => void | Promise<void>;
}

/** What a notice says. All of it is plain text. */
export interface Notice {
  readonly kind: 'info' | 'success' | 'warning' | 'error';
  readonly title: string;
  readonly lines?: readonly string[];
  readonly actions?: readonly NoticeAction[];
  /** Stays until it is dismissed. */
  readonly sticky?: boolean;
}

/** A notice on the screen. */
export interface ShownNotice {
  close(): void;
}

interface Toast {
  readonly 0?: HTMLElement;
}

interface Toastr {
  readonly [kind: string]: unknown;
  clear?(toast: Toast, options?: { force?: boolean }): void;
}

type ShowToast = (message: HTMLElement, title: string, options: Record<string, unknown>) => Toast | undefined;

const SHORT_MS = 6000;
const WITH_ACTIONS_MS = 15_000;

/**
 * Shows a notice. It goes by itself after 6 s, with buttons after 15 s, and stays while the pointer is on it or
 * the focus in it (toastr's own behaviour).
 *
 * @returns the notice, to close it early
 */
export function notify(notice: Notice): ShownNotice {
  const toastr = (globalThis as { toastr?: Toastr }).toastr;
  const show = toastr?.[notice.kind] as ShowToast | undefined;
  if (!toastr || typeof show !== 'function') {
    warn([notice.title, ...(notice.lines ?? [])].join(' '));
    return { close: () => {} };
  }
  let toast: Toast | undefined;
  const close = () => {
    if (toast) toastr.clear?.(toast, { force: true });
  };
  const lasts = notice.sticky ? 0 : notice.actions?.length ? WITH_ACTIONS_MS : SHORT_MS;
  const shown: ShownNotice = { close };
  if (!notice.sticky) standing.add(shown);
  toast = show(contentOf(notice, close), '', {
    // An element is appended as it is; any string would be parsed as HTML unless `escapeHtml` is on, and with
    // it on an element cannot be passed. So there is one element, and no title string beside it. `onHidden` is
    // left to SillyTavern, which keeps the toasts above its dialogs with it.
    escapeHtml: false,
    toastClass: 'toast lf-toast',
    tapToDismiss: false,
    closeButton: true,
    timeOut: lasts,
    extendedTimeOut: lasts,
  });
  label(toast?.[0], notice);
  return shown;
}

const standing = new Set<ShownNotice>();

/**
 * Takes our passing notices off the screen. They stand above dialogs and would cover the question that follows; what they
 * said can be found under "Recent changes".
 */
export function closeNotices(): void {
  for (const shown of standing) shown.close();
  standing.clear();
}

/**
 * Shows what went wrong as a notice.
 *
 * @param title what did not happen
 * @param error what was caught; its message is shown
 * @param actions e.g. to try again
 */
export function notifyError(
  title: string,
  error: unknown,
  actions: readonly NoticeAction[] = [],
): ShownNotice {
  const line = error instanceof Error ? error.message : String(error);
  return notify({ kind: 'error', title, lines: line ? [line] : [], actions });
}

function contentOf(notice: Notice, close: () => void): HTMLElement {
  const content = element('div', { class: 'lf lf-toast-body' });
  content.append(element('div', { class: 'toast-title', text: notice.title }));
  for (const line of notice.lines ?? [])
    content.append(element('div', { class: 'lf-toast-line', text: line }));
  if (!notice.actions?.length) return content;
  const actions = keepEnter(element('div', { class: 'lf-toast-actions' }));
  for (const action of notice.actions) {
    actions.append(
      element('button', {
        class: 'menu_button lf-toast-action',
        text: action.label,
        attributes: { type: 'button' },
        onClick: (event) => {
          event.stopPropagation();
          close();
          void (async () => action.onSelect())().catch((error) => notifyError(t`That did not work`, error));
        },
      }),
    );
  }
  content.append(actions);
  return content;
}

// toastr sets aria-live (polite for info and success, else assertive), SillyTavern later the role "status"
// (public/scripts/a11y.js); the role is set here for clients and moments without either.
function label(toast: HTMLElement | undefined, notice: Notice): void {
  if (!toast) return;
  const urgent = notice.kind === 'error' || notice.kind === 'warning';
  toast.setAttribute('role', urgent ? 'alert' : 'status');
  toast.querySelector('.toast-close-button')?.setAttribute('aria-label', t`Dismiss`);
}
