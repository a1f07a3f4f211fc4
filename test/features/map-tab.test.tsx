// The tab "Prompt map": what stands where, as whom it is read, and that thousands of entries do not hold up the page.
// @vitest-environment jsdom

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { MapTab } from '../../src/features/inspect/map-tab.tsx';
import type { TabProps } from '../../src/features/inspect/tab.ts';
import { PROMPT_READERS } from '../../src/inspection/prompt-readers.ts';
import { bookEntry, bookOf, cardWith, worldEntry, worldOf } from '../support/fixtures.ts';
import { viewOf } from '../support/views.ts';

let place: HTMLElement;
const show = vi.fn();

beforeEach(() => {
  place = document.createElement('div');
  document.body.append(place);
  show.mockReset();
});
afterEach(() => {
  act(() => render(null, place));
  place.remove();
});

// The tab looks at nothing but the view, and the character for its own note.
const subject = { books: [] } as unknown as TabProps['subject'];
const book = {} as TabProps['book'];

function open(json: JsonObject): void {
  const view = viewOf(json);
  act(() => {
    render(<MapTab subject={subject} book={book} view={view} show={show} propose={async () => {}} />, place);
  });
}

const all = (selector: string): HTMLElement[] => [...place.querySelectorAll<HTMLElement>(selector)];
const one = (selector: string): HTMLElement => {
  const [found, ...others] = all(selector);
  if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} of ${selector}`);
  return found;
};
const words = (element: HTMLElement): string => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
const slot = (name: string): HTMLElement => one(`[role=group][aria-label="${name}"]`);
const chips = (name: string): string[] =>
  [...slot(name).querySelectorAll<HTMLElement>('.lf-chip')].map(words);
const radio = (name: string): HTMLElement => {
  const found = all('[role=radio]').find((each) => words(each) === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const press = (element: HTMLElement, key: string): void => {
  void act(() => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
};
const click = (element: HTMLElement): void => {
  void act(() => element.click());
};

const card = (...entries: readonly JsonObject[]): JsonObject =>
  cardWith(bookOf(...entries.map((given, id) => bookEntry({ id, ...given }))));
const at = (
  comment: string,
  position: number,
  given: JsonObject = {},
  extensions: JsonObject = {},
): JsonObject => ({
  comment,
  position: position === 0 ? 'before_char' : 'after_char',
  extensions: { position, ...extensions },
  ...given,
});

describe('the prompt', () => {
  it('has every slot with its entries, in words and with SillyTavern’s signs', () => {
    open(
      card(
        at('Rules', 0, { constant: true, insertion_order: 10 }),
        at('Licence', 0, { insertion_order: 20, keys: ['fog, mist'] }),
        at('Ledger', 1, { enabled: false }),
        at('Tides', 1, { keys: [], insertion_order: 110 }, { vectorized: true }),
        at('Note', 2),
        at('Storm', 3),
        at('Sloop', 4, {}, { depth: 2, role: 0 }),
        at('Cant', 4, {}, { depth: 6, role: 2 }),
        at('Hail', 5),
        at('Sign-off', 6, { content: '' }),
        at('Lamp code', 7, {}, { outlet_name: 'signals' }),
        at('Hulk', 7),
      ),
    );
    expect(chips('↑Char Before character')).toEqual(['10 Rules constant', '20 Licence joined keys']);
    expect(chips('↓Char After character')).toEqual(['100 Ledger off', '110 Tides vectorized cannot fire']);
    expect(chips('↑AN Note, top')).toEqual(['100 Note']);
    expect(chips('↓AN Note, bottom')).toEqual(['100 Storm']);
    expect(chips('Depth 2 system')).toEqual(['100 Sloop']);
    expect(chips('Depth 6 assistant')).toEqual(['100 Cant']);
    expect(chips('↑EM Examples, top')).toEqual(['100 Hail']);
    expect(chips('↓EM Examples, bottom')).toEqual(['100 Sign-off no text']);
    const boxes = all('.lf-aside .lf-box').map(words);
    expect(boxes[0]).toContain('{{outlet::signals}}');
    expect(boxes[0]).toContain('Lamp code');
    expect(boxes[1]).toMatch(/^Goes nowhere.*outlet name.*Hulk$/);
  });

  it('goes from top to bottom', () => {
    open(card(at('Deep', 4, {}, { depth: 9 }), at('Last', 4, {}, { depth: 0 })));
    const text = words(one('.lf-prompt'));
    const order = [
      'Main prompt',
      'Before character',
      'Persona, description',
      'After character',
      'Examples, top',
      'Example messages',
      'Examples, bottom',
      'Chat history',
      'Earlier messages',
      'Depth 9',
      '5 messages',
      'Note, top',
      'Note text',
      'Note, bottom',
      'The 4 newest messages',
      'Depth 0',
      'Post-history instructions',
    ].map((part) => text.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('leads to the table', () => {
    open(card(at('Rules', 0), at('Licence', 1)));
    const chip = all('.lf-chip').find((each) => words(each).includes('Licence'));
    click(chip as HTMLElement);
    expect(show).toHaveBeenCalledWith('entries', chip?.dataset['chip']);
    expect(chip?.dataset['chip']).toBeTruthy();
  });

  it('leaves out what is off when asked to', () => {
    open(card(at('On', 0), at('Off', 0, { enabled: false })));
    const box = one('input[type=checkbox]') as HTMLInputElement;
    expect(box.checked).toBe(true);
    click(box);
    expect(chips('↑Char Before character')).toEqual(['100 On']);
    click(box);
    expect(chips('↑Char Before character')).toHaveLength(2);
  });

  it('of an empty lorebook is drawn, too', () => {
    open(card());
    expect(all('.lf-chip')).toEqual([]);
    expect(words(slot('↑Char Before character'))).toContain('no entries');
  });
});

describe('read as', () => {
  const dual = card(
    at('Agree', 0),
    at('Sloop', 4, {}, { depth: 2 }),
    at('Conflict', 4, { position: 'before_char' }, { depth: 2 }),
    at('Lamp code', 7, {}, { outlet_name: 'signals' }),
    at('Hulk', 7),
    at('Note', 2),
  );

  it('a spec-only reader shows what moved, from where, and how much', () => {
    open(dual);
    expect(all('.lf-chip-moved')).toEqual([]);
    click(radio('Spec-only reader'));
    expect(chips('Before character')).toEqual(['100 Conflict from depth 2', '100 Agree']);
    expect(chips('After character')).toEqual([
      '100 Note from ↑AN',
      '100 Hulk from nowhere',
      '100 Lamp code from outlet',
      '100 Sloop from depth 2',
    ]);
    expect(words(one('[role=status]'))).toContain('5 of 6 entries move.');
    expect(words(one('.lf-tally'))).toBe(
      'From the chat’s depths2From outlets1From nowhere1From the author’s note1',
    );
    expect(words(one('.lf-prompt'))).toContain('No depths here');
    click(radio('SillyTavern'));
    expect(all('.lf-chip-moved')).toEqual([]);
    expect(words(one('[role=status]'))).toBe('');
  });

  it('is a group of radios with the arrow keys', () => {
    open(dual);
    const group = one('[role=radiogroup]');
    expect(place.querySelector(`#${group.getAttribute('aria-labelledby')}`)?.textContent).toBe('Read as');
    expect(all('[role=radio]').map((each) => [each.getAttribute('aria-checked'), each.tabIndex])).toEqual([
      ['true', 0],
      ...PROMPT_READERS.slice(1).map(() => ['false', -1]),
    ]);
    radio('SillyTavern').focus();
    press(radio('SillyTavern'), 'ArrowRight');
    expect(radio('Spec-only reader').getAttribute('aria-checked')).toBe('true');
    expect(document.activeElement).toBe(radio('Spec-only reader'));
    press(radio('Spec-only reader'), 'End');
    press(document.activeElement as HTMLElement, 'ArrowRight');
    expect(radio('SillyTavern').getAttribute('aria-checked')).toBe('true');
    expect(document.activeElement).toBe(radio('SillyTavern'));
  });

  it('is a list on a phone', () => {
    open(dual);
    const list = one('select') as HTMLSelectElement;
    expect([...list.options].map(({ value }) => value)).toEqual(PROMPT_READERS.map(({ id }) => id));
    act(() => {
      list.value = 'spec-only';
      list.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(radio('Spec-only reader').getAttribute('aria-checked')).toBe('true');
  });
});

describe('another app', () => {
  it('shows where the exporter puts each entry: Marinara has two places and depths', () => {
    open(card(...Array.from({ length: 8 }, (_, slot) => at(`P${slot}`, slot, {}, { outlet_name: 'shelf' }))));
    click(radio('Marinara'));
    expect(words(one('[role=status]'))).toContain('5 of 8 entries move.');
    expect(words(one('[role=status]'))).toContain('Text of an outlet is left out there: 1.');
    expect(words(one('.lf-prompt'))).toContain('No slot');
    expect(words(one('.lf-aside'))).toContain('There is no place for an outlet');
  });

  it('RisuAI has a marker of its own for an outlet', () => {
    open(card(at('Shelf', 7, {}, { outlet_name: 'shelf' })));
    click(radio('RisuAI'));
    expect(words(one('[role=status]'))).toContain('Every entry stays in its place.');
    expect(words(one('.lf-aside'))).toContain('{{position::shelf}}');
  });

  it('stands around the author’s note of this chat', () => {
    const client = { chatMetadata: { note_depth: 2 }, characters: [{ avatar: 'a.png' }], characterId: '0' };
    vi.stubGlobal('SillyTavern', { getContext: () => client });
    open(card(at('Top', 2)));
    expect(words(one('.lf-note-head'))).toContain('at depth 2');
    click(radio('RisuAI'));
    expect(chips('Depth 2 system')).toHaveLength(1);
    vi.unstubAllGlobals();
  });
});

describe('hostile text', () => {
  it('is text', () => {
    const evil = '<img src=x onerror="globalThis.hacked = 1">\u202e{{char}}';
    open(card(at(evil, 0), at('x', 7, {}, { outlet_name: evil }), at('y'.repeat(100_000), 1)));
    expect(all('img')).toEqual([]);
    expect(words(one('.lf-prompt'))).toContain('<img src=x');
    expect(words(one('.lf-aside'))).toContain('{{outlet::<img');
    expect(place.textContent?.length).toBeLessThan(5_000);
  });
});

describe('five thousand entries', () => {
  const spread = (given: (uid: number) => JsonObject): JsonObject =>
    worldOf(
      ...Array.from({ length: 5000 }, (_, uid) => worldEntry(uid, { comment: `E${uid}`, ...given(uid) })),
    );
  const MANY: readonly (readonly [string, (uid: number) => JsonObject])[] = [
    ['in one slot', () => ({ position: 0 })],
    ['in eight slots', (uid) => ({ position: uid % 8, outletName: 'x' })],
    ['at as many depths', (uid) => ({ position: 4, depth: uid })],
    ['in as many outlets', (uid) => ({ position: 7, outletName: `o${uid}` })],
    ['nowhere', () => ({ position: 7 })],
  ];

  it.each(MANY)('%s are not all drawn at once', (_, given) => {
    open(spread(given));
    expect(all('.lf-chip').length).toBeGreaterThan(10);
    expect(all('.lf-chip').length).toBeLessThanOrEqual(260);
    expect(all('.lf-prompt *, .lf-aside *').length).toBeLessThan(2_500);
    click(radio('Spec-only reader'));
    expect(all('.lf-chip').length).toBeLessThanOrEqual(260);
  });

  it('come page by page to the last one, and those that are drawn stay', () => {
    open(spread((uid) => ({ position: 0, order: uid })));
    const firstChip = all('.lf-chip')[0];
    let clicks = 0;
    for (let before = 0; all('.lf-show-more').length > 0; clicks++) {
      before = all('.lf-chip').length;
      click(one('.lf-show-more'));
      expect(all('.lf-chip').length).toBeGreaterThan(before);
      expect(all('.lf-chip').length - before).toBeLessThanOrEqual(200);
    }
    expect(all('.lf-chip')[0]).toBe(firstChip);
    expect(all('.lf-chip').map((each) => Number(each.querySelector('.lf-chip-order')?.textContent))).toEqual(
      Array.from({ length: 5000 }, (_, order) => order),
    );
    expect(clicks).toBeGreaterThan(20);
    click(one('input[type=checkbox]'));
    expect(all('.lf-chip').length).toBeLessThanOrEqual(260);
  }, 30_000);

  it('at as many depths show the lowest first, and the others when asked for', () => {
    open(spread((uid) => ({ position: 4, depth: uid })));
    expect(all('[aria-label="Depth 0 system"]')).toHaveLength(1);
    expect(all('[aria-label="Depth 40 system"]')).toHaveLength(0);
    const more = all('.lf-message button')[0] as HTMLElement;
    expect(words(more)).toContain('4980');
    click(more);
    click(more);
    expect(all('[aria-label="Depth 40 system"]')).toHaveLength(1);
  });
});

it('says of the numbers that they are SillyTavern’s, where another reader is shown', () => {
  open(card(at('Rules', 0)));
  const legend = () => words(one('.lf-legend'));
  expect(legend()).toContain('The number is the order, left to right, then down.');
  click(radio('Spec-only reader'));
  expect(legend()).toContain('The number is the order in SillyTavern.');
});
