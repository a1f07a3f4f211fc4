// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { confirmDialog, openDialog, showDialog } from '../../src/host/dialogs.ts';
import { notify, notifyError } from '../../src/host/notices.ts';
import { startFakeClient } from './fake-client.ts';

const EVIL = '<img src=x onerror="window.pwned=1"><b>bold</b> &amp; “quoted”';

// As toastr 2.1.3: a string is parsed as HTML unless `escapeHtml` is set, an element is appended, and with
// `escapeHtml` on an element an error is thrown.
function startFakeToastr() {
  const cleared: unknown[] = [];
  const options: Record<string, unknown>[] = [];
  const show = (kind: string) => (message: unknown, title: unknown, given: Record<string, unknown>) => {
    options.push(given);
    const toast = document.createElement('div');
    toast.className = `${given['toastClass']} toast-${kind}`;
    for (const part of [title, message]) {
      const box = document.createElement('div');
      if (given['escapeHtml']) box.textContent = (part as string).replace(/x/g, 'x');
      else if (typeof part === 'string') box.innerHTML = part;
      else box.append(part as Node);
      toast.append(box);
    }
    const close = document.createElement('button');
    close.className = 'toast-close-button';
    toast.append(close);
    document.body.append(toast);
    return { 0: toast };
  };
  const kinds = ['info', 'success', 'warning', 'error'];
  const toastr = Object.fromEntries(kinds.map((kind) => [kind, show(kind)]));
  vi.stubGlobal('toastr', {
    ...toastr,
    clear: (toast: { 0: Element }, how: unknown) => {
      cleared.push(how);
      toast[0].remove();
    },
  });
  return { options, cleared };
}

beforeEach(() => {
  startFakeClient();
  document.body.innerHTML = '';
});
afterEach(() => vi.unstubAllGlobals());

describe('notices', () => {
  it('never read a text as HTML', () => {
    startFakeToastr();
    notify({ kind: 'success', title: EVIL, lines: [EVIL], actions: [{ label: EVIL, onSelect: () => {} }] });
    const toast = document.querySelector('.lf-toast');
    expect(toast?.querySelectorAll('img, b')).toHaveLength(0);
    expect(toast?.textContent?.split(EVIL)).toHaveLength(4);
  });

  it('stay longer with buttons, and for ever when asked', () => {
    const { options } = startFakeToastr();
    notify({ kind: 'info', title: 'a' });
    notify({ kind: 'info', title: 'a', actions: [{ label: 'Undo', onSelect: () => {} }] });
    notify({ kind: 'info', title: 'a', sticky: true });
    expect(options.map((given) => given['timeOut'])).toEqual([6000, 15_000, 0]);
    expect(options.every((given) => given['tapToDismiss'] === false && !('onHidden' in given))).toBe(true);
  });

  it('speak to screen readers', () => {
    startFakeToastr();
    notify({ kind: 'success', title: 'a' });
    notify({ kind: 'error', title: 'b' });
    const roles = [...document.querySelectorAll('.lf-toast')].map((toast) => toast.getAttribute('role'));
    expect(roles).toEqual(['status', 'alert']);
    expect(document.querySelector('.toast-close-button')?.getAttribute('aria-label')).toBe('Dismiss');
  });

  it('close and act at a click; what fails is told in another notice', async () => {
    const { cleared } = startFakeToastr();
    const onSelect = vi.fn(async () => {
      throw new Error('gone');
    });
    notify({ kind: 'success', title: 'Done', actions: [{ label: 'Undo', onSelect }] });
    document.querySelector<HTMLElement>('.lf-toast-actions button')?.click();
    await new Promise((resolve) => setTimeout(resolve));
    expect(onSelect).toHaveBeenCalledTimes(1);
    expect(cleared).toEqual([{ force: true }]);
    expect(document.body.textContent).toContain('gone');
    expect(document.body.textContent).not.toContain('Done');
  });

  it("keep Enter on a button from SillyTavern's own handler", () => {
    startFakeToastr();
    notify({ kind: 'info', title: 'a', actions: [{ label: 'Undo', onSelect: () => {} }] });
    const seen = vi.fn();
    document.addEventListener('keydown', seen);
    const button = document.querySelector('.lf-toast-actions button');
    button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    expect(seen).not.toHaveBeenCalled();
    button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect(seen).toHaveBeenCalledTimes(1);
    document.removeEventListener('keydown', seen);
  });

  it('go to the console where there is no toastr', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    notifyError('Not done', new Error('why')).close();
    expect(warned).toHaveBeenCalledExactlyOnceWith('[Loreferry] Not done why');
    warned.mockRestore();
  });
});

describe('dialogs', () => {
  function startFakePopup(result: unknown) {
    const seen: { content: HTMLElement; type: number; options: Record<string, unknown>; dlg: HTMLElement }[] =
      [];
    class Popup {
      readonly dlg = document.createElement('dialog');
      constructor(content: HTMLElement, type: number, _value: string, options: Record<string, unknown>) {
        this.dlg.append(content);
        seen.push({ content, type, options, dlg: this.dlg });
      }
      show = async () => result;
      complete = async () => {};
    }
    startFakeClient({ Popup: Popup as never, POPUP_TYPE: { TEXT: 1 } });
    return seen;
  }

  it('show our own element, titled with plain text', async () => {
    const seen = startFakePopup(1);
    const content = document.createElement('div');
    const answer = await showDialog(content, { title: EVIL, okButton: 'Apply', cancelButton: 'Keep' });
    expect(answer).toBe('ok');
    const [dialog] = seen;
    expect(dialog?.content.contains(content)).toBe(true);
    expect(dialog?.content.querySelector('img')).toBeNull();
    const title = dialog?.dlg.querySelector(`#${dialog.dlg.getAttribute('aria-labelledby')}`);
    expect(title?.textContent).toBe(EVIL);
    expect(dialog?.options).toMatchObject({ okButton: 'Apply', cancelButton: 'Keep' });
  });

  it.each([
    [1, 'ok'],
    [0, 'cancel'],
    [null, 'closed'],
    [1001, { button: 'keep' }],
    [1009, 'closed'],
  ])('answer %j as %j', async (result, answer) => {
    startFakePopup(result);
    const options = { title: 'T', buttons: [{ id: 'keep', text: 'Keep' }] };
    expect(await openDialog(document.createElement('div'), options).closed).toEqual(answer);
  });

  it('ask through the older call where that is all there is', async () => {
    const callGenericPopup = vi.fn(async () => 1);
    startFakeClient({ callGenericPopup });
    expect(await confirmDialog({ title: 'Sure?', lines: [EVIL], okButton: 'Yes' })).toBe(true);
    startFakeClient();
    await expect(confirmDialog({ title: 'Sure?', okButton: 'Yes' })).rejects.toThrow('no dialogs');
  });
});
