// The panel as a whole and its table of entries: what is drawn, what is opened, and that a card's text stays text.
// @vitest-environment jsdom

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { loadCharacterSubject } from '../../src/features/inspect/load-character.ts';
import { fileSubject } from '../../src/features/inspect/load-file.ts';
import { Panel, type PanelStart } from '../../src/features/inspect/panel.tsx';
import type { Subject } from '../../src/features/inspect/subject.ts';
import { tokenBatches } from '../../src/features/inspect/token-total.tsx';
import { hugeBook } from '../bench/huge-book.ts';
import { bookEntry, bookOf, cardWith, readCase, worldEntry, worldOf } from '../support/fixtures.ts';
import { panelPage } from '../support/panel-page.ts';

vi.mock('../../src/host/world-info-module.ts', () => ({ worldInfoModule: async () => undefined }));

const page = panelPage();

function draw(subject: Subject, first?: PanelStart): void {
  act(() =>
    render(
      <Panel
        subject={subject}
        {...(first === undefined ? {} : { first })}
        reload={async () => subject}
        propose={async (plan) => {
          await page.propose(plan);
          return false;
        }}
      />,
      page.place,
    ),
  );
}

async function drawCard(book: JsonObject | undefined, data: JsonObject = {}): Promise<void> {
  page.server.cards.set('Mara.png', cardWith(book, data));
  draw(await loadCharacterSubject('Mara.png'));
}

const rows = (): HTMLElement[] => [...page.place.querySelectorAll<HTMLElement>('[data-row]')];
const cells = (name: string): string[] =>
  rows().map((row) => row.querySelector(`.lf-cell-${name}`)?.textContent ?? '');
const button = (name: string): HTMLElement => {
  const found = [...page.place.querySelectorAll<HTMLElement>('button')].find(
    (each) => each.getAttribute('aria-label') === name || each.textContent?.trim() === name,
  );
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
};
const press = (name: string): void => void act(() => button(name).click());

describe('the table', () => {
  const POSITIONS: readonly (readonly [unknown, unknown, string, string, string])[] = [
    ['before_char', 0, '0 before char', 'Agree', '↑CharBefore character'],
    ['after_char', 1, '1 after char', 'Agree', '↓CharAfter character'],
    ['after_char', 2, '2 note top', 'Floor', '↑ANAuthor’s note, top'],
    ['after_char', 3, '3 note bottom', 'Floor', '↓ANAuthor’s note, bottom'],
    ['after_char', 4, '4 at depth', 'Floor', '@DDepth 3, user'],
    ['after_char', 5, '5 examples top', 'Floor', '↑EMExamples, top'],
    ['after_char', 6, '6 examples bottom', 'Floor', '↓EMExamples, bottom'],
    ['after_char', 7, '7 outlet', 'Floor', 'Outlet“shelf”'],
    ['before_char', 4, '4 at depth', 'Conflict', '@DDepth 3, user'],
    ['before_char', null, 'none', 'Coarse only', '↑CharBefore character'],
    [null, 2, '2 note top', 'Precise only', '↑ANAuthor’s note, top'],
    ['middle', null, 'none', 'Invalid', '↓CharAfter character'],
    [null, null, 'none', 'Assumed', '↓CharAfter character'],
  ];
  it.each(POSITIONS)('%j and %j stand side by side', async (position, precise, shown, mark, lands) => {
    const extensions = { position: precise, depth: 3, role: 1, outlet_name: 'shelf' };
    await drawCard(bookOf(bookEntry({ position, extensions } as JsonObject)));
    const coarse = position === null ? 'none' : position === 'middle' ? 'middle' : String(position);
    expect([cells('coarse'), cells('precise'), cells('mark'), cells('lands')]).toEqual([
      [coarse],
      [shown],
      [mark],
      [lands],
    ]);
  });

  it('of a second copy in the card is named without a path', async () => {
    const second = { ...bookOf(bookEntry({ id: 5, content: 'Other.' })), name: 'Second' };
    await drawCard(bookOf(bookEntry()), { extensions: { character_book: second } });
    expect(page.place.querySelector('.lf-head')?.textContent).toContain('Card’s copy 2');
    press('Card’s copy 2');
    const head = page.place.querySelector('.lf-head')?.textContent ?? '';
    expect(head).toContain('Found in the extensions of the card.');
    expect(head).not.toContain('character_book');
  });

  it('of a world file says where its one value stands', async () => {
    page.server.worlds.set('Quay Notes', worldOf(worldEntry(0, { position: 4, depth: 2 })));
    await drawCard(undefined, { extensions: { world: 'Quay Notes' } });
    expect([cells('coarse'), cells('precise'), cells('mark')]).toEqual([
      ['none'],
      ['4 at depth'],
      ['Precise only'],
    ]);
    expect(page.place.querySelector('.lf-head-precise')?.textContent).toContain('in entry');
    expect(page.place.querySelector('.lf-cell-mark .lf-mark')?.className).toContain('lf-weight-quiet');
  });

  it('of a card notes that only the precise value is there', async () => {
    await drawCard(bookOf(bookEntry({ position: null, extensions: { position: 2 } })));
    expect(page.place.querySelector('.lf-cell-mark .lf-mark')?.className).toContain('lf-weight-note');
  });

  it('opens an entry whole: its fields, and the raw entry with the lines that decide its place', async () => {
    await drawCard(
      bookOf(bookEntry({ position: 'after_char', extensions: { position: 4, depth: 2, odd: 1 } })),
    );
    press('Open Lamp');
    const details = page.place.querySelector('.lf-details');
    expect(details?.textContent).toContain('Lamp note.');
    expect(details?.textContent).toContain('extensions.odd');
    const marked = [...(details?.querySelectorAll('.lf-raw b') ?? [])].map((line) =>
      line.textContent?.trim(),
    );
    expect(marked).toEqual(['"position": "after_char",', '"position": 4,', '"depth": 2,']);
    press('Close Lamp');
    expect(page.place.querySelector('.lf-details')).toBeNull();
  });

  it('mends a conflict from its row', async () => {
    await drawCard(bookOf(bookEntry({ position: 'before_char', extensions: { position: 4, depth: 2 } })));
    press('Write both encodings');
    expect(page.plans).toHaveLength(1);
    const [change] = page.plans[0]?.changes ?? [];
    expect(change).toMatchObject({
      kind: 'card-book',
      after: { entries: [{ position: 'after_char', extensions: { position: 4, depth: 2 } }] },
    });
  });

  it('draws a few of 5,000 entries and tells how many there are', async () => {
    await drawCard(hugeBook(5000));
    expect(rows().length).toBeLessThan(60);
    expect(page.place.querySelector('[role=table]')?.getAttribute('aria-rowcount')).toBe('5001');
    expect(page.place.querySelector('.lf-totals')?.textContent).toContain('5,000 entries');
  });

  it('of an empty book says so', async () => {
    await drawCard(bookOf());
    expect(page.place.textContent).toContain('This lorebook has no entries.');
  });

  it('sorts by a column, and the other way round', async () => {
    await drawCard(
      bookOf(
        bookEntry({ id: 0, comment: 'B', insertion_order: 1 }),
        bookEntry({ id: 1, comment: 'A', insertion_order: 2 }),
      ),
    );
    const head = () => page.place.querySelector<HTMLElement>('.lf-head-label');
    act(() => head()?.querySelector('button')?.click());
    expect(cells('title')).toEqual(['A', 'B']);
    expect(head()?.getAttribute('aria-sort')).toBe('ascending');
    act(() => head()?.querySelector('button')?.click());
    expect(cells('title')).toEqual(['B', 'A']);
  });

  it('shows what needs a look alone', async () => {
    await drawCard(bookOf(bookEntry({ id: 0 }), bookEntry({ id: 1, comment: 'Dead', keys: [] })));
    act(() => page.place.querySelector<HTMLElement>('.lf-toggle')?.click());
    expect(cells('title')).toEqual(['DeadCannot fire: no key']);
    expect(page.place.querySelector('[role=status]')?.textContent).toBe('1 of 2');
  });
});

describe('the panel', () => {
  it('switches between the books of a character', async () => {
    page.server.worlds.set('Quay Notes', worldOf(worldEntry(0), worldEntry(1)));
    await drawCard(bookOf(bookEntry()), { extensions: { world: 'Quay Notes' } });
    expect(rows()).toHaveLength(1);
    act(() => page.place.querySelector<HTMLElement>('[data-choice="world:Quay Notes"]')?.click());
    expect(rows()).toHaveLength(2);
  });

  it('says how far the copies have drifted (62)', async () => {
    page.server.worlds.set('Quay Notes', worldOf(worldEntry(0, { content: 'Edited since.' })));
    await drawCard(bookOf(bookEntry()), { extensions: { world: 'Quay Notes' } });
    // Counted once the panel stands.
    await vi.waitFor(() =>
      expect(page.place.querySelector('.lf-facts')?.textContent).toContain('1 entry differs'),
    );
  });

  it('without any lorebook says so, and still tells of a dead link', async () => {
    await drawCard(undefined, { extensions: { world: 'Gone' } });
    expect(page.place.textContent).toContain('There is no lorebook here');
    act(() => page.place.querySelector<HTMLElement>('#lf-tab-link')?.click());
    expect(page.place.textContent).toContain('“Gone” does not exist');
  });

  it('shows a file that is not imported', () => {
    const bytes = new TextEncoder().encode(JSON.stringify(readCase('S1-')));
    draw(fileSubject(bytes, 'S1.json'));
    expect(rows()).toHaveLength(7);
    expect(page.place.querySelector('.lf-facts')?.textContent).toContain('not imported');
  });

  it('goes to an entry that another tab asks for, whatever was filtered', async () => {
    await drawCard(bookOf(bookEntry({ id: 0 }), bookEntry({ id: 1, comment: 'Bell' })));
    act(() => page.place.querySelector<HTMLElement>('#lf-tab-map')?.click());
    act(() => [...page.place.querySelectorAll<HTMLElement>('[data-chip]')].at(-1)?.click());
    expect(page.place.querySelectorAll('.lf-details')).toHaveLength(1);
  });

  it('never takes a text of a card for markup', async () => {
    const evil = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';
    await drawCard(
      {
        ...bookOf(
          bookEntry({
            comment: evil,
            keys: [evil],
            content: evil,
            extensions: { position: 7, outlet_name: evil },
          }),
        ),
        name: evil,
      },
      { name: evil },
    );
    press(`Open ${evil}`);
    for (const tab of ['map', 'compare', 'findings', 'link', 'entries'])
      act(() => page.place.querySelector<HTMLElement>(`#lf-tab-${tab}`)?.click());
    expect(page.place.querySelectorAll('img, script')).toHaveLength(0);
    expect((globalThis as { hit?: number }).hit).toBeUndefined();
    expect(page.place.textContent).toContain('onerror');
  });

  it('cuts a title of 100,000 letters', async () => {
    await drawCard(bookOf(bookEntry({ comment: 'x'.repeat(100_000) })));
    expect(page.place.textContent?.length).toBeLessThan(5000);
  });
});

describe('tokens', () => {
  it('are asked for in batches, every text once', () => {
    const contents = Array.from({ length: 500 }, (_, index) => `${index} `.repeat(40));
    const batches = tokenBatches(contents);
    expect(batches.join('\n')).toBe(contents.join('\n'));
    expect(batches.length).toBeGreaterThan(5);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThan(9000);
  });
});
