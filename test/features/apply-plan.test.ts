// Plans of the panel against a stand-in server: all or nothing, journalled, and taken back only where still ours.
// @vitest-environment jsdom

import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashJson } from '../../src/core/hash.ts';
import { type JsonObject, jsonAt } from '../../src/core/json.ts';
import { undoStep } from '../../src/features/import/undo.ts';
import { applyPlan } from '../../src/features/inspect/apply-plan.ts';
import type { ChangePlan, PlannedChange } from '../../src/features/inspect/change-plan.ts';
import { addPlan, linkPlan, linkStateOf, removePlan } from '../../src/features/inspect/link-plans.ts';
import { followRename, settings } from '../../src/features/settings/settings.ts';
import { openJournal } from '../../src/host/journal.ts';
import { characterPanel, startFakeClient, value } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';

const module = vi.hoisted(() => ({
  world_info: {} as { charLore?: { name: string; extraBooks?: string[] }[] },
}));
vi.mock('../../src/host/world-info-module.ts', () => ({ worldInfoModule: async () => module }));

const root = { name: 'A', description: '', personality: '', scenario: '', first_mes: '', mes_example: '' };
const BOOK: JsonObject = { name: 'B', extensions: {}, entries: [{ id: 0, keys: ['k'], content: 'old' }] };
const NEXT: JsonObject = { name: 'B', entries: [{ id: 0, keys: ['k'], content: 'new', position: '' }] };
const WORLD: JsonObject = { entries: { 0: { uid: 0, key: ['k'], content: 'old', position: 0 } } };
const WORLD_2: JsonObject = { entries: { 0: { uid: 0, key: ['k'], content: 'new', position: 0 } } };

let server: FakeServer;
const journal = openJournal();

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server = startFakeServer();
  startFakeClient({ extensionSettings: {}, saveSettingsDebounced: () => undefined });
  document.body.innerHTML = '';
  module.world_info = {};
  await journal.clear();
  server.worlds.set('W', WORLD);
  server.cards.set('A.png', {
    ...root,
    spec: 'chara_card_v2',
    data: { ...root, extensions: { world: '' }, character_book: BOOK },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const planOf = (...changes: readonly PlannedChange[]): ChangePlan => ({
  title: 'Change it',
  lines: [],
  button: 'Change',
  difference: null,
  changes,
});
const worldChange: PlannedChange = {
  kind: 'world',
  name: 'W',
  hash: hashJson(WORLD),
  before: WORLD,
  after: WORLD_2,
};
const bookChange: PlannedChange = {
  kind: 'card-book',
  avatar: 'A.png',
  slot: 'data.character_book',
  before: BOOK,
  after: NEXT,
};
const at = (...path: readonly string[]) => jsonAt(server.cards.get('A.png'), path);
const newest = async () => {
  const [entry] = await journal.list();
  const step = entry && (await journal.get(entry.id));
  if (step === undefined) throw new Error('nothing in the journal');
  return step;
};
const link = (before: string, after: string): PlannedChange => ({
  kind: 'link',
  avatar: 'A.png',
  before,
  after,
});

describe('a plan', () => {
  it('is told as done', async () => {
    const success = vi.fn();
    vi.stubGlobal('toastr', { success });
    await applyPlan(planOf(worldChange), journal);
    expect(success.mock.calls[0]?.[0].querySelector('.toast-title').textContent).toBe('Done: Change it');
  });

  it('changes everything that it names, and one step takes it all back', async () => {
    const card = server.cards.get('A.png');
    await applyPlan(
      planOf(
        worldChange,
        bookChange,
        link('', 'W'),
        { kind: 'extra-books', avatar: 'A.png', before: [], after: ['X'] },
        { kind: 'leave-alone', avatar: 'A.png', after: true },
      ),
      journal,
    );
    expect(server.worlds.get('W')).toEqual(WORLD_2);
    expect(at('data', 'character_book')).toEqual(NEXT);
    expect(at('data', 'extensions', 'world')).toBe('W');
    expect(module.world_info.charLore).toEqual([{ name: 'A', extraBooks: ['X'] }]);
    expect(settings().leaveAlone).toEqual(['A.png']);
    const step = await newest();
    expect(step.title).toBe('Change it');
    const { left, done } = await undoStep(step, journal);
    expect([left, done.length]).toEqual([[], 5]);
    expect(server.worlds.get('W')).toEqual(WORLD);
    expect(server.cards.get('A.png')).toEqual({ ...card, avatar: 'A.png' });
    expect(module.world_info.charLore).toEqual([]);
    expect(settings().leaveAlone).toEqual([]);
    expect(await journal.list()).toEqual([]);
  });

  it('that fails in its last change takes the first ones back, and leaves no step', async () => {
    await expect(applyPlan(planOf(worldChange, bookChange, link('Other', 'W')), journal)).rejects.toThrow(
      /another lorebook/,
    );
    expect(server.worlds.get('W')).toEqual(WORLD);
    expect(at('data', 'character_book')).toEqual(BOOK);
    expect(await journal.list()).toEqual([]);
  });

  it('that changes nothing leaves no step', async () => {
    await applyPlan(planOf({ ...bookChange, after: BOOK }, link('', '')), journal);
    expect(server.requests.filter(({ path }) => path.includes('merge'))).toEqual([]);
    expect(await journal.list()).toEqual([]);
  });

  it.each([
    ['world file', () => server.worlds.set('W', WORLD_2), worldChange],
    ['card', () => server.cards.set('A.png', { ...root, data: { character_book: NEXT } }), bookChange],
    [
      'additional books',
      () => {
        module.world_info = { charLore: [{ name: 'A', extraBooks: ['Y'] }] };
      },
      { kind: 'extra-books', avatar: 'A.png', before: [], after: ['X'] } as const,
    ],
  ])('is refused when the %s is another by now', async (_, change, planned) => {
    change();
    await expect(applyPlan(planOf(planned), journal)).rejects.toThrow(/in the meantime/);
    expect(await journal.list()).toEqual([]);
  });

  it('brings the open form in step', async () => {
    const json = JSON.stringify(server.cards.get('A.png'));
    characterPanel({ avatar: 'A.png', world: '', json });
    await applyPlan(planOf(bookChange, link('', 'W')), journal);
    expect(value('#character_world')).toBe('W');
    expect(jsonAt(JSON.parse(value('#character_json_data')), ['data'])).toMatchObject({
      character_book: NEXT,
      extensions: { world: 'W' },
    });
  });
});

describe('undo of a card’s book', () => {
  it('is refused whole when the card holds another by now', async () => {
    await applyPlan(planOf(worldChange, bookChange), journal);
    const card = server.cards.get('A.png') as JsonObject;
    server.cards.set('A.png', { ...card, data: { ...(card['data'] as JsonObject), character_book: BOOK } });
    const { done, left } = await undoStep(await newest(), journal);
    expect(done).toEqual([]);
    expect(left[0]).toContain('The card of A holds another lorebook by now');
    expect(server.worlds.get('W')).toEqual(WORLD_2);
  });

  it('follows the character to its new file', async () => {
    await applyPlan(planOf(bookChange), journal);
    server.cards.set('B.png', server.cards.get('A.png') as JsonObject);
    server.cards.delete('A.png');
    await new Promise((resolve) => setTimeout(resolve, 2));
    followRename('A.png', 'B.png');
    expect((await undoStep(await newest(), journal)).left).toEqual([]);
    expect(jsonAt(server.cards.get('B.png'), ['data', 'character_book'])).toEqual(BOOK);
  });

  it('takes a book out of a card that had none', async () => {
    const card = { ...root, spec: 'chara_card_v2', data: { ...root, extensions: {} } };
    server.cards.set('A.png', card);
    await applyPlan(planOf({ ...bookChange, before: null }), journal);
    await undoStep(await newest(), journal);
    expect(server.cards.get('A.png')).toEqual(card);
  });
});

describe('plans of links', () => {
  it('name the link that goes, and move an additional book to the main place', async () => {
    server.worlds.set('Old', WORLD);
    server.cards.set('A.png', {
      ...root,
      spec: 'chara_card_v2',
      data: { ...root, extensions: { world: 'Old' } },
    });
    module.world_info = { charLore: [{ name: 'A', extraBooks: ['W', 'X'] }] };
    const plan = linkPlan('W', await linkStateOf('A.png', ['W', 'Old']));
    expect(plan.lines.join(' ')).toContain('It replaces “Old”, which stays as a file.');
    await applyPlan(plan, journal);
    expect(at('data', 'extensions', 'world')).toBe('W');
    expect(module.world_info.charLore).toEqual([{ name: 'A', extraBooks: ['X'] }]);
    await undoStep(await newest(), journal);
    expect(at('data', 'extensions', 'world')).toBe('Old');
    expect(module.world_info.charLore?.[0]?.extraBooks).toEqual(['X', 'W']);
  });

  it('add and remove an additional book', async () => {
    await applyPlan(addPlan('W', await linkStateOf('A.png', ['W'])), journal);
    expect(module.world_info.charLore).toEqual([{ name: 'A', extraBooks: ['W'] }]);
    await applyPlan(removePlan('W', await linkStateOf('A.png', ['W'])), journal);
    expect(module.world_info.charLore).toEqual([]);
    await undoStep(await newest(), journal);
    expect(module.world_info.charLore).toEqual([{ name: 'A', extraBooks: ['W'] }]);
  });
});
