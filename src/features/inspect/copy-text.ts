// Copies a text. On plain http, as phones open SillyTavern, a page has no clipboard of its own (decisions 34).

import { t } from '../../host/context.ts';
import { element } from '../../host/element.ts';
import { notify } from '../../host/notices.ts';

/** Copies a text and says so. */
export async function copyText(text: string): Promise<void> {
  const isCopied = await viaClipboard(text).catch(() => viaSelection(text));
  if (isCopied) notify({ kind: 'info', title: t`Copied` });
  else notify({ kind: 'warning', title: t`Not copied`, lines: [t`The browser does not allow it here.`] });
}

async function viaClipboard(text: string): Promise<boolean> {
  if (!navigator.clipboard) return viaSelection(text);
  await navigator.clipboard.writeText(text);
  return true;
}

function viaSelection(text: string): boolean {
  const field = element('textarea', { class: 'lf-copied', attributes: { 'aria-hidden': 'true' } });
  field.value = text;
  // Inside the open dialog: what is outside of a modal one cannot be selected.
  const place = document.querySelector('dialog[open] .lf') ?? document.body;
  const before = document.activeElement;
  place.append(field);
  try {
    field.select();
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
