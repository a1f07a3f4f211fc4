// The dialogs of imports: what a summary counts, and what a changed book shows.
// @vitest-environment jsdom

import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CardOutcome } from '../../src/features/import/outcome.ts';
import { showSummary } from '../../src/features/import/summary-dialog.tsx';
import { startFakeClient } from '../host/fake-client.ts';

let place: HTMLElement;
let close: () => void = () => undefined;

beforeEach(() => {
  place = document.createElement('div');
  document.body.append(place);
  const client = startFakeClient();
  client['Popup'] = class {
    readonly dlg = document.createElement('dialog');
    constructor(content: HTMLElement) {
      this.dlg.append(content);
      place.append(this.dlg);
    }
    show() {
      return new Promise((resolve) => {
        close = () => resolve(null);
      });
    }
    async complete() {
      close();
    }
  };
});
afterEach(() => {
  act(() => close());
  place.remove();
  vi.unstubAllGlobals();
});

const texts = (selector: string): string[] =>
  [...place.querySelectorAll(selector)].map((each) => each.textContent?.trim() ?? '');
const press = async (text: string): Promise<void> => {
  const found = [...place.querySelectorAll('button')].find((each) => each.textContent?.trim() === text);
  if (found === undefined) throw new Error(`no button ${text}`);
  await act(async () => found.click());
};

describe('the summary', () => {
  const none = (name: string): CardOutcome => ({ kind: 'none', avatar: `${name}.png`, character: name });
  const claim = (name: string): CardOutcome => ({
    kind: 'claim',
    avatar: `${name}.png`,
    character: name,
    world: 'Quay',
    exists: true,
  });

  it('does not say that nothing is to be done where a book can be linked', async () => {
    const link = vi.fn(async () => undefined);
    const actions = { retry: vi.fn(), undo: vi.fn(), link };
    act(() => void showSummary([none('Odo'), claim('Mara'), claim('Piet')], actions));
    const tile = () => texts('.lf-count-box').at(-1);
    expect(tile()).toMatch(/^3.*No lorebook2 can be linked$/);
    expect(texts('.lf-row .lf-name')).toEqual(['Mara', 'Piet', 'Odo']);
    await press('Link it');
    expect(link).toHaveBeenCalledTimes(1);
    expect(tile()).toMatch(/1 can be linked$/);
    await press('Link it');
    expect(tile()).toMatch(/nothing to do$/);
  });
});
