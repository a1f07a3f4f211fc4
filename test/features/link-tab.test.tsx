// The tab "Link": what it says of each lorebook, and the plans that its buttons make.
// @vitest-environment jsdom

import 'fake-indexeddb/auto';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { ChangePlan } from '../../src/features/inspect/change-plan.ts';
import { LinkTab } from '../../src/features/inspect/link-tab.tsx';
import { loadCharacterSubject } from '../../src/features/inspect/load-character.ts';
import { fileSubject } from '../../src/features/inspect/load-file.ts';
import { PanelServicesContext } from '../../src/features/inspect/panel-services.ts';
import { previewPlan } from '../../src/features/inspect/plan-preview.tsx';
import type { Subject } from '../../src/features/inspect/subject.ts';
import { openJournal } from '../../src/host/journal.ts';
import { viewBook } from '../../src/inspection/book-view.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';

const module = vi.hoisted(() => ({
  world_info: {} as { charLore?: { name: string; extraBooks?: string[] }[] },
  selected_world_info: ['W'],
}));
vi.mock('../../src/host/world-info-module.ts', () => ({ worldInfoModule: async () => module }));

const root = { name: 'A', description: '', personality: '', scenario: '', first_mes: '', mes_example: '' };
const book = (content: string): JsonObject => ({
  name: 'Copy',
  extensions: {},
  entries: [{ id: 0, keys: ['k'], content, extensions: { position: 0 } }],
});
const world = (content: string): JsonObject => ({
  entries: { 0: { uid: 0, key: ['k'], content, position: 0, order: 100 } },
});
const card = (link: string, copy?: JsonObject): JsonObject => ({
  ...root,
  spec: 'chara_card_v2',
  data: { ...root, extensions: { world: link }, ...(copy && { character_book: copy }) },
});

let server: FakeServer;
let client: Record<string, unknown>;
let place: HTMLElement;
let plans: ChangePlan[];
const imported = vi.fn(async () => undefined);
const refresh = vi.fn();

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server = startFakeServer();
  client = startFakeClient({
    extensionSettings: {},
    characters: [
      { avatar: 'A.png', name: 'A', data: { extensions: { world: 'W' } } },
      { avatar: 'Zoë.png', name: 'Zoë', data: { extensions: { world: 'Else' } } },
    ],
  });
  module.world_info = { charLore: [{ name: 'Zoë', extraBooks: ['W'] }] };
  server.worlds.set('W', world('one'));
  server.worlds.set('Else', world('two'));
  server.cards.set('Zoë.png', { ...card('Else'), name: 'Zoë' });
  place = document.createElement('div');
  document.body.replaceChildren(place);
  plans = [];
});
afterEach(() => {
  render(null, place);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));

async function draw(subject: Subject, key?: string): Promise<void> {
  const chosen = subject.books.find((each) => each.key === key) ?? subject.books[0];
  if (chosen === undefined) throw new Error('no book');
  const view = viewBook(chosen.lorebook, chosen.reading, chosen.findings, subject.surroundings);
  const propose = async (plan: ChangePlan) => void plans.push(plan);
  await act(() =>
    render(
      <PanelServicesContext.Provider
        value={{ journal: openJournal(), refresh, importFile: subject.fileName === null ? null : imported }}
      >
        <LinkTab subject={subject} book={chosen} view={view} show={() => undefined} propose={propose} />
      </PanelServicesContext.Provider>,
      place,
    ),
  );
  await settle();
}

const buttons = (): readonly string[] =>
  [...place.querySelectorAll('button')].map((each) => each.textContent ?? '');
async function press(text: string, index = 0): Promise<void> {
  const found = [...place.querySelectorAll('button')].filter((each) => each.textContent === text)[index];
  if (found === undefined) throw new Error(`no button ${text} among ${buttons().join(', ')}`);
  await act(() => found.click());
  await settle();
}

describe('a linked world', () => {
  beforeEach(() => void server.cards.set('A.png', card('W', book('one'))));

  it('says what it is, who uses it, and unlinks', async () => {
    await draw(await loadCharacterSubject('A.png'), 'world:W');
    expect(place.textContent).toContain('The main lorebook is “W”.');
    expect(place.textContent).toContain('Main lorebook of A');
    expect(place.textContent).toContain('Additional lorebook of Zoë');
    expect(place.textContent).toContain('Every chat (global)');
    await press('Unlink…');
    expect(plans[0]?.changes).toEqual([{ kind: 'link', avatar: 'A.png', before: 'W', after: '' }]);
  });

  it('is linked to another character, whose own link is named', async () => {
    await draw(await loadCharacterSubject('A.png'), 'world:W');
    expect(place.textContent).toContain('The main lorebook of Zoë is “Else”; linking this one replaces it.');
    await press('Link as the main lorebook…');
    expect(plans[0]?.changes).toEqual([
      { kind: 'link', avatar: 'Zoë.png', before: 'Else', after: 'W' },
      { kind: 'extra-books', avatar: 'Zoë.png', before: ['W'], after: [] },
    ]);
    await press('Remove from the additional lorebooks…');
    expect(plans[1]?.changes).toEqual([{ kind: 'extra-books', avatar: 'Zoë.png', before: ['W'], after: [] }]);
  });

  it('finds a character by what is typed, accents or not', async () => {
    client['characters'] = [
      ...(client['characters'] as object[]),
      { avatar: 'Bo.png', name: 'Bo', data: {} },
    ];
    server.cards.set('Bo.png', card(''));
    await draw(await loadCharacterSubject('A.png'), 'world:W');
    const search = place.querySelector<HTMLInputElement>('input[type=search]') as HTMLInputElement;
    search.value = 'ZOE';
    await act(() => void search.dispatchEvent(new Event('input', { bubbles: true })));
    await settle();
    expect([...place.querySelectorAll('option')].map((each) => each.textContent)).toEqual(['Zoë']);
    expect(place.textContent).toContain('The main lorebook of Zoë is “Else”');
    search.value = 'nobody';
    await act(() => void search.dispatchEvent(new Event('input', { bubbles: true })));
    expect(place.textContent).toContain('No name fits.');
    expect(buttons()).not.toContain('Link as the main lorebook…');
  });

  it('lets the character be left alone, and watched again', async () => {
    await draw(await loadCharacterSubject('A.png'), 'world:W');
    await press('Leave this character alone…');
    client['extensionSettings'] = { loreferry: { leaveAlone: ['A.png'] } };
    await draw(await loadCharacterSubject('A.png'), 'world:W');
    await press('Watch this character again…');
    expect(plans.map(({ changes }) => changes)).toEqual([
      [{ kind: 'leave-alone', avatar: 'A.png', after: true }],
      [{ kind: 'leave-alone', avatar: 'A.png', after: false }],
    ]);
  });
});

it('a dead link is said, and the file of the same content is offered (case 11)', async () => {
  server.cards.set('A.png', card('Gone', book('one')));
  await draw(await loadCharacterSubject('A.png'));
  expect(place.textContent).toContain('The linked world “Gone” does not exist. “W” has the same content.');
  expect(buttons()).toContain('Extract lorebook');
  await press('Link to it…');
  expect(plans[0]?.changes).toEqual([{ kind: 'link', avatar: 'A.png', before: 'Gone', after: 'W' }]);
});

it('a copy in the card without a world file can be extracted, and the panel is read again', async () => {
  server.cards.set('A.png', card('', book('three')));
  await draw(await loadCharacterSubject('A.png'));
  await press('Extract lorebook');
  await settle();
  expect(server.worlds.has('Copy')).toBe(true);
  expect(refresh).toHaveBeenCalled();
});

it('a file is imported first', async () => {
  await draw(fileSubject(new TextEncoder().encode(JSON.stringify(world('one'))), 'W.json'));
  expect(place.textContent).toContain('Import it first');
  await press('Import it');
  expect(imported).toHaveBeenCalledOnce();
});

describe('the preview of a plan', () => {
  let shown: HTMLElement;
  let answer: number;
  beforeEach(() => {
    answer = 1;
    client['Popup'] = class {
      constructor(content: HTMLElement) {
        shown = content.cloneNode(true) as HTMLElement;
      }
      show = async () => answer;
      complete = async () => undefined;
    };
  });

  const lorebookOf = (json: JsonObject) => {
    const [only] = fileSubject(new TextEncoder().encode(JSON.stringify(json)), 'W.json').books;
    if (only === undefined) throw new Error('no book');
    return only.lorebook;
  };
  const many = (count: number, content: string): JsonObject => ({
    entries: Object.fromEntries(
      Array.from({ length: count }, (_, uid) => [
        uid,
        { uid, key: [`k${uid}`], comment: `<img src=x> ${uid}`, content: `${content} ${uid}`, position: 0 },
      ]),
    ),
  });

  it('shows at most fifty entries, as text, and takes a yes', async () => {
    const plan: ChangePlan = {
      title: 'Mend',
      lines: ['It mends.'],
      button: 'Mend',
      difference: { before: lorebookOf(many(60, 'a')), after: lorebookOf(many(61, 'b')) },
      changes: [],
    };
    expect(await previewPlan(plan)).toBe(true);
    expect(shown.textContent).toContain('It mends.');
    expect(shown.querySelectorAll('li.lf-row')).toHaveLength(50);
    expect(shown.textContent).toContain('<img src=x> 0');
    expect(shown.textContent).toContain('Content');
    expect(shown.textContent).toContain('and 11 more');
    expect(shown.querySelector('img')).toBeNull();
    answer = 0;
    expect(await previewPlan(plan)).toBe(false);
  });

  it('says that SillyTavern writes the linked world over the copy in the card', async () => {
    const plan = (slot: string): ChangePlan => ({
      title: 'Mend',
      lines: [],
      button: 'Mend',
      difference: null,
      changes: [{ kind: 'card-book', avatar: 'A.png', slot, before: null, after: book('x') }],
    });
    server.cards.set('A.png', card('W'));
    await previewPlan(plan('data.character_book'));
    expect(shown.textContent).toContain('linked to “W”: SillyTavern writes that lorebook over');
    await previewPlan(plan('data.extensions.character_book'));
    expect(shown.textContent).not.toContain('writes that lorebook over');
    server.cards.set('A.png', card('Gone'));
    await previewPlan(plan('data.character_book'));
    expect(shown.textContent).not.toContain('writes that lorebook over');
  });
});
