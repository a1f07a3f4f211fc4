// The tab "Findings": one row for everything that was found, and the plans of its mends.
// @vitest-environment jsdom

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { findingSentence } from '../../src/features/inspect/finding-words.ts';
import { FindingsTab } from '../../src/features/inspect/findings-tab.tsx';
import { loadCharacterSubject } from '../../src/features/inspect/load-character.ts';
import { fileSubject } from '../../src/features/inspect/load-file.ts';
import { loadWorldSubject } from '../../src/features/inspect/load-world.ts';
import type { Subject, SubjectBook } from '../../src/features/inspect/subject.ts';
import { viewBook } from '../../src/inspection/book-view.ts';
import { bookEntry, bookOf, cardWith, readCase, worldEntry, worldOf } from '../support/fixtures.ts';
import { panelPage } from '../support/panel-page.ts';

vi.mock('../../src/host/world-info-module.ts', () => ({ worldInfoModule: async () => undefined }));

const page = panelPage();
const show = vi.fn();
beforeEach(() => {
  show.mockReset();
});

function draw(subject: Subject): void {
  const book = subject.books[0] as SubjectBook;
  const view = viewBook(book.lorebook, book.reading, book.findings, subject.surroundings);
  act(() =>
    render(
      <FindingsTab subject={subject} book={book} view={view} show={show} propose={page.propose} />,
      page.place,
    ),
  );
}

async function drawCard(...entries: readonly JsonObject[]): Promise<void> {
  page.server.cards.set('Mara.png', cardWith(bookOf(...entries)));
  draw(await loadCharacterSubject('Mara.png'));
}

async function drawWorld(world: JsonObject): Promise<void> {
  page.server.worlds.set('Quay', world);
  draw(await loadWorldSubject('Quay'));
}

const AGREED = { position: 1 };
const rows = (): string[][] =>
  [...page.place.querySelectorAll('.lf-row-finding')].map((row) => {
    const [mark, said, button] = [...row.children];
    const label = said?.querySelector('b')?.textContent ?? '';
    const sentence = (said?.textContent ?? '').slice(label.length);
    return [mark?.textContent ?? '', label, sentence, button?.textContent ?? ''];
  });
const { press } = page;
const tally = (): string => page.place.querySelector('[role="status"]')?.textContent ?? '';
const written = (): JsonObject =>
  (page.plans[0]?.changes[0] as { after: JsonObject } | undefined)?.after ?? {};
const entriesWritten = (): JsonObject[] => Object.values(written()['entries'] as object) as JsonObject[];

const FINDINGS: readonly JsonObject[] = [
  bookEntry({ id: 0, comment: 'Sloop', position: 'before_char', extensions: { position: 4, depth: 2 } }),
  bookEntry({ id: 7, comment: 'Light', position: '2', extensions: {} }),
  bookEntry({ id: 8, comment: 'Wreck', position: null, extensions: {} }),
  bookEntry({ id: 9, comment: 'Hulk', extensions: { position: 7 }, position: 'after_char' }),
  bookEntry({
    id: 10,
    comment: '',
    keys: ['chandler, ropewalk, pitch'],
    position: 'after_char',
    extensions: AGREED,
  }),
  bookEntry({ id: 11, comment: 'Bastian', keys: [], position: 'after_char', extensions: AGREED }),
  bookEntry({ id: 11, comment: 'Flags', position: 'after_char', extensions: AGREED }),
  bookEntry({ id: 12, comment: 'Fine', position: 'after_char', extensions: AGREED }),
];

describe('the rows', () => {
  it('are what needs a look first, each with its mend or its entry', async () => {
    await drawCard(...FINDINGS);
    const given = rows().map(([mark, label, , act1]) => [mark, label, act1]);
    expect(given.slice(0, 5)).toEqual([
      ['Conflict', 'Sloop', 'Write both encodings'],
      ['Invalid', 'Light', 'Write both encodings'],
      ['Assumed', 'Wreck', 'Write both encodings'],
      ['Goes nowhere', 'Hulk', 'Show entry'],
      ['Cannot fire', 'Bastian', 'Show entry'],
    ]);
    expect(given).toContainEqual(['Look at it', 'chandler, ropewalk, pitch', 'Split into several keys']);
    expect(given).toContainEqual(['Repaired', 'Flags', 'Give unique ids']);
    expect(given.map(([, label]) => label)).not.toContain('Fine');
  });

  it('say what stands there and what SillyTavern follows', async () => {
    await drawCard(...FINDINGS);
    const sentence = (label: string) => rows().find(([, each]) => each === label)?.[2];
    expect(sentence('Sloop')).toBe(
      'Coarse says "before_char", precise says 4. SillyTavern follows the precise value: Depth 2, system.',
    );
    expect(sentence('Light')).toContain('It is "2". SillyTavern’s own import puts it after the character.');
    expect(sentence('Wreck')).toContain('No position at all.');
    expect(sentence('Bastian')).toBe('No key and not constant, so nothing can start it.');
    expect(sentence('Flags')).toContain('Its id 11 cannot be kept');
  });

  it('are counted, and what is already repaired apart', async () => {
    await drawCard(...FINDINGS);
    expect(tally()).toMatch(/^\d+ findings · 5 need a look, \d+ (is|are) already repaired$/);
    expect(Number(tally().split(' ')[0])).toBe(rows().length);
  });

  it('show an entry where there is nothing to mend', async () => {
    await drawCard(...FINDINGS);
    act(() => page.place.querySelector<HTMLButtonElement>('[aria-label="Show entry Bastian"]')?.click());
    expect(show).toHaveBeenCalledWith('entries', 'e5');
  });

  it('say nothing more of an entry that is switched off than what its file says', async () => {
    await drawCard(
      bookEntry({ id: 0, comment: 'Off', enabled: false, keys: [], extensions: { position: 0 } }),
      bookEntry({ id: 1, comment: 'On', keys: [], extensions: { position: 0 } }),
    );
    expect(rows().map(([mark, label]) => [mark, label])).toEqual([['Cannot fire', 'On']]);
  });

  it('are none for a book that is in order', async () => {
    await drawCard(bookEntry({ extensions: { position: 0 } }));
    expect(tally()).toBe('0 findings ');
    expect(page.place.querySelector('.lf-empty')?.textContent).toContain('Nothing was found');
    expect(page.place.querySelector('button')).toBeNull();
  });

  it('come in steps of two hundred', async () => {
    await drawCard(
      ...Array.from({ length: 450 }, (_, id) =>
        bookEntry({ id, position: 'before_char', extensions: { position: 4 } }),
      ),
    );
    expect(rows()).toHaveLength(200);
    press(/Show more \(250\)/);
    expect(rows()).toHaveLength(400);
  });

  it('show hostile text as text', async () => {
    const hostile = '<img src=x onerror="window.hurt=1">';
    await drawCard(bookEntry({ comment: hostile, keys: [`${hostile}, b`], position: hostile }));
    expect(page.place.querySelector('img')).toBeNull();
    expect(page.place.textContent).toContain(hostile);
  });
});

describe('a mend', () => {
  it('of one entry is a plan over the card’s copy that changes this entry', async () => {
    await drawCard(...FINDINGS);
    act(() =>
      page.place.querySelector<HTMLButtonElement>('[aria-label="Write both encodings: Light"]')?.click(),
    );
    expect(page.plans[0]?.changes).toMatchObject([
      { kind: 'card-book', avatar: 'Mara.png', slot: 'data.character_book' },
    ]);
    expect(entriesWritten()[1]).toMatchObject({ position: 'after_char', extensions: { position: 2 } });
    expect(entriesWritten()[0]).toEqual(FINDINGS[0]);
    expect(page.plans[0]?.lines).toEqual([
      '“Light” stays where SillyTavern puts it: Author’s note, top. Both values then say so, the coarse one as near as the standard can.',
    ]);
  });

  it('of all is one plan of the safe ones', async () => {
    await drawCard(...FINDINGS);
    press(/^Mend 4…$/);
    expect(page.plans[0]?.title).toMatch(/^Mend “[^”]+” in the card$/);
    expect(entriesWritten().map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(
      entriesWritten()
        .slice(0, 3)
        .map(({ position, extensions }) => [position, (extensions as JsonObject)['position']]),
    ).toEqual([
      ['after_char', 4],
      ['after_char', 2],
      ['after_char', 1],
    ]);
    expect(entriesWritten()[4]?.['keys']).toEqual(['chandler, ropewalk, pitch']);
    expect(page.plans[0]?.lines.join(' ')).toContain('3 entries stay where SillyTavern puts them.');
    expect(page.plans[0]?.lines.join(' ')).toContain('New ids: 7 → 1');
  });

  it('of a blank key says that it changes what fires (decisions 4)', async () => {
    page.server.cards.set('Mara.png', readCase('56-blank-keys'));
    draw(await loadCharacterSubject('Mara.png'));
    expect(
      rows()
        .filter(([mark]) => mark === 'Fires always')
        .map(([, label]) => label),
    ).toEqual(['Space', 'Newline']);
    act(() => page.place.querySelector<HTMLButtonElement>('[aria-label="Drop blank keys: Space"]')?.click());
    expect(page.plans[0]?.lines).toEqual([
      '“Space” fires always now, because of a key of spaces only. Without it no key can start it.',
    ]);
    expect(entriesWritten()[0]?.['keys']).toEqual([]);
    act(() => page.place.querySelector<HTMLButtonElement>('[aria-label="Drop blank keys: Empty"]')?.click());
    expect(page.plans[1]?.lines[0]).toContain('nothing changes in what fires');
  });

  it('of a world file writes the number, and says where the entry then stands', async () => {
    const world = worldOf(worldEntry(0), worldEntry(1, { comment: 'Lost', position: null }));
    await drawWorld(world);
    expect(rows().map(([mark, label, , act1]) => [mark, label, act1])).toEqual([
      ['Goes nowhere', 'Lost', 'Write the position'],
    ]);
    expect(rows()[0]?.[2]).toContain('Once mended, it stands here: Before character.');
    press(/^Write the position$/);
    expect(page.plans[0]?.changes).toMatchObject([{ kind: 'world', name: 'Quay', before: world }]);
    expect(entriesWritten()[1]).toMatchObject({ position: 0 });
    expect(page.plans[0]?.lines).toEqual([
      '“Lost” stands nowhere until now, and then here: Before character.',
    ]);
  });

  it('of a list in a world file converts it (case 53)', async () => {
    await drawWorld(readCase('53-world-file-with-array'));
    expect(rows()[0]?.[0]).toBe('Not read');
    press(/^Convert the file$/);
    expect(page.plans[0]?.changes).toMatchObject([{ kind: 'world', name: 'Quay' }]);
    expect(entriesWritten().map(({ uid, order, disable }) => [uid, order, disable])).toEqual([
      [0, 10, false],
      [1, 20, true],
    ]);
  });

  it('is not offered for a file that is not imported, and it says so once', () => {
    const bytes = new TextEncoder().encode(JSON.stringify(cardWith(bookOf(...FINDINGS))));
    draw(fileSubject(bytes, 'card.json'));
    expect(rows().length).toBeGreaterThan(5);
    expect(new Set(rows().map(([, , , act1]) => act1))).toEqual(new Set(['Show entry']));
    expect(page.place.textContent?.match(/not imported/g)).toHaveLength(1);
    expect([...page.place.querySelectorAll('button')].map((each) => each.textContent)).not.toContainEqual(
      expect.stringMatching(/^Mend/),
    );
  });
});

it('a finding that is not common keeps its own words', () => {
  const found = {
    code: 'lost',
    severity: 'error',
    bookId: 'b',
    entryId: null,
    path: 'x',
    before: 1,
    after: null,
    message: 'As found.',
  } as const;
  expect(findingSentence(found)).toBe('As found.');
});
