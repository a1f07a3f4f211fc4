// The dialogs of imports: what a summary counts, and what a changed book shows.
// @vitest-environment jsdom

import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compareEntries } from '../../src/core/compare.ts';
import { askChanges } from '../../src/features/import/changed-dialog.tsx';
import { offerInspection } from '../../src/features/import/inspect-offer.ts';
import type { CardOutcome } from '../../src/features/import/outcome.ts';
import type { ExtractionPlan } from '../../src/features/import/plan.ts';
import { showSummary } from '../../src/features/import/summary-dialog.tsx';
import { openImportDialog } from '../../src/features/library/import-dialog.tsx';
import { characterBookToLorebook } from '../../src/formats/_shared/character-book.ts';
import { VISIBLE_FIELDS } from '../../src/formats/sillytavern/visible-fields.ts';
import type { Journal } from '../../src/host/journal.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { bookEntry, bookOf } from '../support/fixtures.ts';

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

describe('a changed book', () => {
  const entries = (...contents: readonly string[]) =>
    characterBookToLorebook(
      bookOf(
        ...contents.map((content, id) =>
          bookEntry({ id, comment: `Entry ${id}`, keys: [`k${id}`], content }),
        ),
      ),
    ).entries;
  const planOf = (before: ReturnType<typeof entries>, after: ReturnType<typeof entries>) =>
    ({
      card: { character: 'Mara' },
      books: [
        {
          kind: 'changed',
          name: 'Quay',
          change: { difference: compareEntries(before, after, VISIBLE_FIELDS), edited: new Set(['0']) },
        },
      ],
    }) as unknown as ExtractionPlan;
  const sides = (side: string): string[] => texts(`.lf-side[data-side="${side}"]`);

  it('shows the old text and the new one, what differs marked, all of it as text', async () => {
    const plan = planOf(
      entries('The lamp <b>burns</b>.', 'Same.'),
      entries('The lamp <img src=x onerror=alert(1)> is out.', 'Same.'),
    );
    await act(async () => void askChanges(plan));
    expect(texts('.lf-changed-fields .lf-field-row > :first-child')).toEqual(['Content']);
    expect(sides('Yours')).toEqual(['The lamp <b>burns</b>.']);
    expect(sides('New')).toEqual(['The lamp <img src=x onerror=alert(1)> is out.']);
    expect(place.querySelectorAll('.lf-side :is(b, img)')).toHaveLength(0);
    expect(texts('.lf-side mark').join(' ')).toContain('out');
  });

  it('cuts long texts, and shows those of many entries only when asked', async () => {
    const long = `${'word '.repeat(3000)}end`;
    const before = Array.from({ length: 9 }, (_, at) => `${long} ${at}.`);
    const plan = planOf(entries(...before), entries(...before.map((text) => `${text} And more.`)));
    await act(async () => void askChanges(plan));
    expect(sides('Yours')).toHaveLength(6);
    for (const text of [...sides('Yours'), ...sides('New')]) expect(text.length).toBeLessThan(700);
    expect(sides('New')[0]).toContain('And more.');
    await press('Content');
    expect(sides('Yours')).toHaveLength(7);
  });
});

describe('“Import from another app...”', () => {
  it('names what it takes, and inspects the file that is chosen at once', async () => {
    const open = vi.fn();
    const stop = offerInspection(open);
    await act(async () => openImportDialog({} as Journal));
    expect(texts('.lf-lead').join()).toMatch(/\.risum.*\.marinara.*zip/);
    const pressed = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined);
    await press('Inspect a file first…');
    const [field] = pressed.mock.contexts as HTMLInputElement[];
    expect(field?.type).toBe('file');
    const file = { name: 'x.risum', arrayBuffer: async () => new Uint8Array([1, 2]).buffer };
    Object.defineProperty(field, 'files', { value: [file] });
    await act(async () => void field?.dispatchEvent(new Event('change', { bubbles: true })));
    expect(open).toHaveBeenCalledWith({ kind: 'file', bytes: new Uint8Array([1, 2]), name: 'x.risum' });
    pressed.mockRestore();
    stop();
  });
});
