// The tab "Compare": what it says first, what it shows of each entry, and the plans that its buttons make.
// @vitest-environment jsdom

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { ChangePlan } from '../../src/features/inspect/change-plan.ts';
import { CompareTab } from '../../src/features/inspect/compare-tab.tsx';
import { loadCharacterSubject } from '../../src/features/inspect/load-character.ts';
import { fileSubject } from '../../src/features/inspect/load-file.ts';
import { loadWorldSubject } from '../../src/features/inspect/load-world.ts';
import type { Subject } from '../../src/features/inspect/subject.ts';
import { differingStretches } from '../../src/features/inspect/text-difference.tsx';
import { lorebookFromBook } from '../../src/formats/_shared/character-book.ts';
import { worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { viewBook } from '../../src/inspection/book-view.ts';
import { bookEntry, bookOf, readCase, throughJson } from '../support/fixtures.ts';
import { panelPage } from '../support/panel-page.ts';
import { edited, withNewEntry, withoutEntry } from '../support/sillytavern.ts';

vi.mock('../../src/host/world-info-module.ts', () => ({ worldInfoModule: async () => undefined }));

const page = panelPage();
beforeEach(() => {
  vi.stubGlobal('CSS', { escape: (name: string) => name });
});

function draw(subject: Subject): void {
  const [book] = subject.books;
  const lorebook = book?.lorebook ?? lorebookFromBook({ entries: [] }, 'x', 'x');
  const view = viewBook(lorebook, book?.reading, [], subject.surroundings);
  act(() =>
    render(
      <CompareTab
        subject={subject}
        book={book as never}
        view={view}
        show={() => undefined}
        propose={page.propose}
      />,
      page.place,
    ),
  );
}

const BOOK = bookOf(
  bookEntry({
    id: 0,
    comment: 'Sloop',
    keys: ['Meridian'],
    content: 'Her captain takes no bribes.',
    extensions: { position: 1 },
  }),
  bookEntry({ id: 1, comment: 'Ledger', keys: ['ledger'], content: 'Names and tonnage.', enabled: false }),
  bookEntry({ id: 2, comment: 'Tide', keys: ['tide'], content: 'Tides.', x_top: 1 }),
);
const WORLD = withNewEntry(
  withoutEntry(
    edited(
      throughJson(worldFromLorebook(lorebookFromBook(BOOK, 'b', 'x'), { character: 'Mara', slot: '' })),
      0,
      { content: 'Her captain takes bribes in tea.', order: 65, position: 4, depth: 2 },
    ),
    1,
  ),
  { content: 'It rings at night.', key: ['bell'], comment: 'Bell', order: 155, position: 1 },
).world;
const card = (link: string, copy?: JsonObject): JsonObject => ({
  spec: 'chara_card_v2',
  data: { name: 'Mara', extensions: { world: link }, ...(copy && { character_book: copy }) },
});

async function drifted(copy: JsonObject | undefined = BOOK): Promise<Subject> {
  page.server.cards.set('Mara.png', card('Quay', copy));
  page.server.worlds.set('Quay', WORLD);
  return loadCharacterSubject('Mara.png');
}

const text = (selector = '.lf-compare'): string => page.place.querySelector(selector)?.textContent ?? '';
const { button, press } = page;
const rowsOf = (section: Element): string[][] =>
  [...section.querySelectorAll('.lf-field-row')].map((row) =>
    [...row.children].map((each) => each.textContent ?? ''),
  );

describe('two copies', () => {
  it('says first which one is used, and counts', async () => {
    draw(await drifted());
    expect(text('.lf-note')).toContain('SillyTavern generates from the world file.');
    expect(text('.lf-note')).toContain('1 entry is the same in both; 3 differ.');
    expect(text('.lf-two')).toContain('In the card: 1 entry changes, 1 is added, 1 is removed.');
    expect(text('.lf-two')).toContain(
      'In the world file: 1 entry changes, 1 is added, 1 is removed. A backup is kept.',
    );
    expect(button(/Update the card/).className).toContain('lf-primary');
    expect(button(/Update the world/).className).not.toContain('lf-primary');
  });

  it('shows changed entries field by field with the differing words marked, then what only one has', async () => {
    draw(await drifted());
    const [changed, added, removed] = [...page.place.querySelectorAll('.lf-difference')] as [
      Element,
      Element,
      Element,
    ];
    expect(changed.querySelector('header')?.textContent).toMatch(/Changed.*Sloop.*4 of \d+ fields/);
    expect(rowsOf(changed)).toEqual([
      ['Content', 'Her captain takes no bribes.', 'Her captain takes bribes in tea.'],
      ['Order', '100', '65'],
      ['Lands in', 'After character', 'Depth 2, system'],
    ]);
    const marks = (side: string) =>
      [...changed.querySelectorAll(`[data-side="${side}"] mark`)].map((each) => each.textContent);
    expect(marks('Card').slice(0, 2)).toEqual(['no ', '100']);
    expect(marks('World file').slice(0, 2)).toEqual([' in tea', '65']);
    expect(added.textContent).toContain('Only in the world file');
    expect(rowsOf(added)).toEqual([
      ['Content', 'not in the card', 'It rings at night.'],
      ['Keys', '–', 'bell'],
      ['Lands in', '–', 'After character, order 155'],
    ]);
    expect(removed.querySelector('header')?.textContent).toMatch(/Only in the card.*Ledger.*off/);
  });

  it('shows the same ones on the other side of the switch, also by arrow key', async () => {
    draw(await drifted());
    expect(button(/^Differ 3$/).getAttribute('aria-checked')).toBe('true');
    press(/^Same 1$/);
    expect(text('ul[aria-label="Entries that are the same"]')).toContain('Tide');
    expect(page.place.querySelector('.lf-difference')).toBeNull();
    act(() => {
      button(/^Same 1$/).dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    });
    expect(page.place.querySelector('.lf-difference')).not.toBeNull();
  });

  it('plans to bring the card to the world file', async () => {
    draw(await drifted());
    press(/Update the card/);
    const plan = page.plans[0] as ChangePlan;
    expect(plan.lines[0]).toBe(
      'The card’s copy becomes what “Quay” says: 1 entry changes, 1 is added, 1 is removed.',
    );
    expect(plan.changes).toMatchObject([
      { kind: 'card-book', avatar: 'Mara.png', slot: 'data.character_book', before: BOOK },
    ]);
    const after = (plan.changes[0] as { after: JsonObject }).after;
    expect((after['entries'] as JsonObject[]).map(({ content }) => content)).toEqual([
      'Her captain takes bribes in tea.',
      'It rings at night.',
      'Tides.',
    ]);
    expect((after['entries'] as JsonObject[])[2]).toEqual((BOOK['entries'] as JsonObject[])[2]);
    expect(plan.difference?.after.body.entries).toHaveLength(3);
  });

  it('plans to bring the world file to the card, under its hash', async () => {
    const subject = await drifted();
    draw(subject);
    press(/Update the world file/);
    expect(page.plans[0]?.changes).toMatchObject([
      { kind: 'world', name: 'Quay', hash: subject.books[1]?.stored?.hash, before: WORLD },
    ]);
    expect(page.plans[0]?.lines.join(' ')).toContain('1 entry changes, 1 is added, 1 is removed');
  });

  it('copies the list, also where a page has no clipboard of its own', async () => {
    draw(await drifted());
    const copied: string[] = [];
    document.execCommand = () => {
      copied.push(document.querySelector<HTMLTextAreaElement>('.lf-copied')?.value ?? '');
      return true;
    };
    expect(navigator.clipboard).toBeUndefined();
    await act(async () => button(/Copy the list/).click());
    expect(copied[0]).toContain('Changed: Sloop\n  Content, Card: Her captain takes no bribes.');
    expect(copied[0]).toContain('Only in the card: Ledger');
  });

  it('that are the same need no plan, and list what only one of them carries', async () => {
    page.server.cards.set('Mara.png', card('Quay', bookOf(bookEntry({ position: 'before_char', x_top: 1 }))));
    page.server.worlds.set(
      'Quay',
      throughJson(
        worldFromLorebook(lorebookFromBook(bookOf(bookEntry({ x_top: 2 })), 'b', 'x'), {
          character: '',
          slot: '',
        }),
      ),
    );
    draw(await loadCharacterSubject('Mara.png'));
    expect(text('.lf-note')).toContain('Both are the same.');
    expect(page.place.querySelector('.lf-two')).toBeNull();
    expect(text('.lf-hidden')).toMatch(/Not carried by SillyTavern’s own copy: 1 entry.*Lamp.*x_top/);
  });

  it('draws no more than a hundred of thousands', async () => {
    const entries = Array.from({ length: 5000 }, (_, id) =>
      bookEntry({ id, comment: `E${id}`, keys: [`k${id}`], content: `T${id}` }),
    );
    const late = entries.map((entry, index) => ({ ...entry, insertion_order: index }));
    const book = bookOf(...entries);
    page.server.cards.set('Mara.png', card('Quay', book));
    page.server.worlds.set(
      'Quay',
      throughJson(
        worldFromLorebook(lorebookFromBook(bookOf(...late), 'b', 'x'), { character: '', slot: '' }),
      ),
    );
    draw(await loadCharacterSubject('Mara.png'));
    expect(page.place.querySelectorAll('.lf-difference')).toHaveLength(100);
    press(/Show more \(4,899\)/);
    expect(page.place.querySelectorAll('.lf-difference')).toHaveLength(200);
  });

  it('shows hostile text as text', async () => {
    const hostile = '<img src=x onerror="window.hurt=1">';
    await drifted();
    page.server.cards.set(
      'Mara.png',
      card('Quay', bookOf(bookEntry({ comment: hostile, content: hostile, keys: [hostile] }))),
    );
    draw(await loadCharacterSubject('Mara.png'));
    expect(page.place.querySelector('img')).toBeNull();
    expect(text()).toContain(hostile);
  });

  it('are left alone where the card’s copy is a part of several in one slot', async () => {
    const sources = [
      { name: 'A', entryCount: 1 },
      { name: 'B', entryCount: 2 },
    ];
    draw(await drifted({ ...BOOK, extensions: { vaud_source_books: sources } } as JsonObject));
    expect(text()).toContain('a part of a larger book');
    expect(page.place.querySelector('.lf-two')).toBeNull();
  });
});

describe('one copy', () => {
  it('a dead link offers the file of the same content (case 11)', async () => {
    const { worlds, cards } = readCase('11-link-points-to-renamed-world') as unknown as {
      worlds: Record<string, JsonObject>;
      cards: JsonObject[];
    };
    for (const [name, data] of Object.entries(worlds)) page.server.worlds.set(name, data);
    page.server.cards.set('Mara.png', cards[0] as JsonObject);
    draw(await loadCharacterSubject('Mara.png'));
    expect(text('.lf-note')).toContain('The linked world “Quay Notes” does not exist.');
    expect(text('.lf-relink')).toContain('“Quay Notes revised” has the same content');
    press(/Link to it/);
    expect(page.plans[0]?.changes).toEqual([
      { kind: 'link', avatar: 'Mara.png', before: 'Quay Notes', after: 'Quay Notes revised' },
    ]);
  });

  it('a card without a copy can be given one (case 61)', async () => {
    page.server.cards.set('Mara.png', card('Quay'));
    page.server.worlds.set('Quay', WORLD);
    draw(await loadCharacterSubject('Mara.png'));
    expect(text()).toContain('The card holds no copy of it');
    press(/Update the card/);
    expect(page.plans[0]?.changes).toMatchObject([
      { kind: 'card-book', slot: 'data.character_book', before: null },
    ]);
    expect(page.plans[0]?.difference?.before.body.entries).toEqual([]);
    expect(page.plans[0]?.difference?.after.body.entries).toHaveLength(3);
  });

  it.each<[string, () => Promise<Subject>, RegExp]>([
    [
      'no link',
      async () => {
        page.server.cards.set('Mara.png', card('', BOOK));
        return loadCharacterSubject('Mara.png');
      },
      /linked to no world file/,
    ],
    [
      'a world alone',
      async () => {
        page.server.worlds.set('Quay', WORLD);
        return loadWorldSubject('Quay');
      },
      /no card to compare it with/,
    ],
    [
      'a file',
      async () => fileSubject(new TextEncoder().encode(JSON.stringify(card('Quay', BOOK))), 'a.json'),
      /not imported/,
    ],
  ])('%s says so in a sentence', async (_, load, said) => {
    draw(await load());
    expect(text('.lf-note')).toMatch(said);
    expect(page.place.querySelector('button')).toBeNull();
  });

  it('a world file with its entries in a list is to be converted first (case 53)', async () => {
    page.server.cards.set('Mara.png', card('Quay', BOOK));
    page.server.worlds.set('Quay', readCase('53-world-file-with-array'));
    draw(await loadCharacterSubject('Mara.png'));
    expect(text()).toContain('Convert it first');
    expect(page.place.querySelector('.lf-two')).toBeNull();
  });
});

describe('marks inside a text', () => {
  const marked = (a: string, b: string): string =>
    differingStretches(a, b)
      .map(({ text: held, differs }) => (differs ? `[${held}]` : held))
      .join('');
  it.each([
    ['one two three', 'one two three', 'one two three'],
    ['one two three', 'one three', 'one [two ]three'],
    ['a b c d', 'x b c y', '[a] b c [d]'],
    ['same', '', '[same]'],
    ['', 'x', ''],
    ['灯は港に', '灯が港に', '灯[は]港に'],
    ['new words here now', 'here', '[new words ]here[ now]'],
  ])('%j beside %j', (a, b, expected) => {
    expect(marked(a, b)).toBe(expected);
  });
  it('a text of thousands of words costs little: its middle counts as different', () => {
    const words = (seed: number) =>
      Array.from({ length: 20_000 }, (_, index) => `w${(index * seed) % 9973}`).join(' ');
    const stretches = differingStretches(`same ${words(7)} end`, `same ${words(11)} end`);
    expect(stretches.map(({ differs }) => differs)).toEqual([false, true, false]);
    expect(stretches.map(({ text: held }) => held).join('')).toBe(`same ${words(7)} end`);
  });
});
