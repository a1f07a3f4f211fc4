// Dialogs, in SillyTavern's own popups (public/scripts/popup.js). Their content is an element, never HTML text.

import { context, type PopupInstance, type PopupOptions, t } from './context.ts';
import { element, keepEnter } from './element.ts';
import { closeNotices } from './notices.ts';

/** A dialog's answer: its OK button, its cancel button, closed without an answer, or the id of a button of ours. */
export type DialogResult = 'ok' | 'cancel' | 'closed' | { readonly button: string };

/** How a dialog is shown. */
export interface DialogOptions {
  /** Stands above the content and names the dialog for screen readers. */
  readonly title: string;
  /** The caption, or false for no such button; "OK" when absent. */
  readonly okButton?: string | false;
  /** The caption; no such button when absent. */
  readonly cancelButton?: string;
  /** More buttons, before OK. */
  readonly buttons?: readonly { readonly id: string; readonly text: string }[];
  /** Uses the width of the screen, as an overview needs. */
  readonly wide?: boolean;
  readonly large?: boolean;
  /** A class of the popup, on it before it is first laid out. */
  readonly popupClass?: string;
  readonly onOpen?: () => void;
  /** False keeps the dialog open. */
  readonly onClosing?: () => boolean | Promise<boolean>;
}

/** A dialog on the screen. */
export interface Dialog {
  /** Settles when the dialog is gone. */
  readonly closed: Promise<DialogResult>;
  close(): void;
}

// POPUP_TYPE.TEXT and POPUP_RESULT.CUSTOM1 have had these values since before 1.13.
const TEXT_POPUP = 1;
const FIRST_CUSTOM_RESULT = 1001;

let dialogs = 0;

/**
 * Opens a dialog around an element of ours.
 *
 * @param content the element; it keeps its listeners
 * @throws when this SillyTavern has no dialogs at all
 */
export function openDialog(content: HTMLElement, options: DialogOptions): Dialog {
  const { Popup, callGenericPopup, POPUP_TYPE } = context();
  closeNotices();
  const type = POPUP_TYPE?.['TEXT'] ?? TEXT_POPUP;
  const titleId = `lf-dialog-${++dialogs}`;
  const body = keepEnter(
    element(
      'div',
      { class: 'lf lf-dialog' },
      element('h3', { id: titleId, class: 'lf-dialog-title', text: options.title }),
      content,
    ),
  );
  const settings = popupOptions(options);
  if (Popup) {
    const popup: PopupInstance = new Popup(body, type, '', settings);
    popup.dlg?.setAttribute('aria-labelledby', titleId);
    popup.dlg?.classList.add('lf-popup', ...(options.popupClass === undefined ? [] : [options.popupClass]));
    return {
      closed: popup.show().then((result) => resultOf(result, options)),
      close: () => void popup.complete(null).catch(() => {}),
    };
  }
  if (!callGenericPopup) throw new Error(t`This version of SillyTavern has no dialogs.`);
  return {
    closed: callGenericPopup(body, type, '', settings).then((result) => resultOf(result, options)),
    close: () => {},
  };
}

/** Opens a dialog and waits for its answer, see {@link openDialog}. */
export function showDialog(content: HTMLElement, options: DialogOptions): Promise<DialogResult> {
  return openDialog(content, options).closed;
}

/**
 * Asks a question with two answers.
 *
 * @param question its title, the lines below it, and the captions of the answers
 * @returns true for the first answer; false for the second, and when the dialog is closed
 */
export async function confirmDialog(question: {
  readonly title: string;
  readonly lines?: readonly string[];
  readonly okButton: string;
  readonly cancelButton?: string;
}): Promise<boolean> {
  const content = element('div', { class: 'lf-dialog-text' });
  for (const line of question.lines ?? []) content.append(element('p', { text: line }));
  const answer = await showDialog(content, {
    title: question.title,
    okButton: question.okButton,
    cancelButton: question.cancelButton ?? t`Cancel`,
  });
  return answer === 'ok';
}

function popupOptions(options: DialogOptions): PopupOptions {
  const { onOpen, onClosing } = options;
  return {
    okButton: options.okButton ?? t`OK`,
    cancelButton: options.cancelButton ?? false,
    wide: options.wide ?? false,
    large: options.large ?? false,
    leftAlign: true,
    allowVerticalScrolling: true,
    customButtons: (options.buttons ?? []).map(({ text }, index) => ({
      text,
      result: FIRST_CUSTOM_RESULT + index,
    })),
    ...(onOpen && { onOpen: () => onOpen() }),
    ...(onClosing && { onClosing: () => onClosing() }),
  };
}

function resultOf(result: unknown, options: DialogOptions): DialogResult {
  if (result === 1 || result === true) return 'ok';
  if (result === 0 || result === false) return 'cancel';
  const button = typeof result === 'number' ? options.buttons?.[result - FIRST_CUSTOM_RESULT] : undefined;
  return button ? { button: button.id } : 'closed';
}
