// The dialog: what is loaded for it, what it shows and how choices change it, with hostile text as text.
// @vitest-environment jsdom

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { type ExportDesk, exportDesk, pageDesk } from '../../src/features/export/export-desk.ts';
import type { ExportChoices, ExportOutcome } from '../../src/features/export/export-material.ts';
import { type ExportSource, type LoadedExport, loadExport } from '../../src/features/export/load-export.ts';
import { ExportPanel, openExport } from '../../src/features/export/open-export.tsx';
import { startFakeClient } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';
import { bookEntry, bookOf, cardWith, worldEntry, worldOf } from '../support/fixtures.ts';
import { buildPng, chunkList } from '../support/png-fixtures.ts';

const module: Record<string, unknown> = {};
vi.mock('../../src/host/world-info-module.ts', () => ({ worldInfoModule: async () => module }));

let server: FakeServer;
let client: Record<string, unknown>;
let place: HTMLElement;
const saved: { name: string; blob: Blob }[] = [];

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server = startFakeServer();
  const below = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: unknown, init?: RequestInit) => {
    const path = decodeURIComponent(String(input));
    if (!path.startsWith('/characters/')) return below(input as string, init);
    const card = server.cards.get(path.slice('/characters/'.length));
    if (card === undefined) return new Response('Not Found', { status: 404 });
    return new Response(buildPng([{ type: 'tEXt', keyword: 'chara', base64json: card }]) as BodyInit);
  });
  client = startFakeClient({
    extensionSettings: { note: { defaultDepth: 6 } },
    name1: 'Ann',
    tagMap: { 'Mara.png': ['t1'] },
  });
  for (const key of Object.keys(module)) delete module[key];
  place = document.createElement('div');
  document.body.append(place);
  saved.length = 0;
  let last: Blob | undefined;
  vi.stubGlobal(
    'URL',
    Object.assign(class extends URL {}, {
      createObjectURL: (blob: Blob) => {
        last = blob;
        return 'blob:x';
      },
      revokeObjectURL: () => undefined,
    }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (last) saved.push({ name: this.download, blob: last });
  });
});
afterEach(() => {
  act(() => render(null, place));
  place.remove();
  // An export reads, never writes.
  expect(server.requests.filter(({ path }) => /edit|delete|merge|import/.test(path))).toEqual([]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const MARA: ExportSource = { kind: 'character', avatar: 'Mara.png' };
const settle = (ms = 0) => act(async () => new Promise<void>((resolve) => setTimeout(resolve, ms)));

async function draw(source: ExportSource = MARA, target?: string): Promise<LoadedExport> {
  const loaded = await loadExport(source, pageDesk);
  act(() => render(<ExportPanel loaded={loaded} target={target} close={() => undefined} />, place));
  await ready();
  return loaded;
}

/** Waits until the report is that of the choices. */
async function ready(): Promise<void> {
  await vi.waitFor(async () => {
    await settle(20);
    expect(place.querySelector('.lf-report')?.getAttribute('aria-busy')).toBe('false');
  });
}

const texts = (selector: string): string[] =>
  [...place.querySelectorAll(selector)].map((each) => each.textContent?.trim() ?? '');
const find = (selector: string, text: string | RegExp): HTMLElement => {
  const found = [...place.querySelectorAll<HTMLElement>(selector)].find((each) => {
    const own = each.textContent?.trim() ?? '';
    return typeof text === 'string' ? own.startsWith(text) : text.test(own);
  });
  if (found === undefined) throw new Error(`no ${selector} ${text}`);
  return found;
};
const press = async (selector: string, text: string): Promise<void> => {
  act(() => find(selector, text).click());
  await ready();
};
const tick = async (name: string): Promise<void> => {
  const box = find('.lf-books label', name).querySelector('input');
  act(() => box?.click());
  await ready();
};
const linked = (card: JsonObject | undefined, world: string): JsonObject =>
  cardWith(card, { extensions: { world } });

describe('what is loaded', () => {
  it('the stored picture, the worlds in force with what they are, settings, user and tags', async () => {
    server.cards.set('Mara.png', linked(bookOf(bookEntry({ content: 'Old.' })), 'Quay'));
    for (const name of ['Quay', 'More', 'All']) server.worlds.set(name, worldOf(worldEntry(0)));
    module['world_info'] = { charLore: [{ name: 'Mara', extraBooks: ['More', 'Gone'] }] };
    module['selected_world_info'] = ['All', 'Quay', 'No such'];
    module['world_info_depth'] = 7;
    const asked: unknown[] = [];
    const desk = (): ExportDesk => {
      const real = pageDesk();
      return {
        ...real,
        open: (file) => {
          asked.push(file);
          return real.open(file);
        },
        offer: (worlds, around) => {
          asked.push(worlds, around);
          return real.offer(worlds, around);
        },
      };
    };
    const { offer, missing } = await loadExport(MARA, desk);
    const [file, worlds, around] = asked as [
      { bytes: Uint8Array; name: string },
      { name: string; roles: string[] }[],
      unknown,
    ];
    expect(chunkList(file.bytes)).toContain('tEXt:chara');
    expect(worlds.map(({ name, roles }) => [name, roles])).toEqual([
      ['Quay', ['linked', 'global']],
      ['More', ['additional']],
      ['All', ['global']],
    ]);
    expect(around).toEqual({
      settings: { world_info_depth: 7 },
      userName: 'Ann',
      tagIds: ['t1'],
      noteDepth: 6,
    });
    expect(missing).toEqual(['The lorebook “Gone” does not exist.']);
    expect([offer.name, offer.hasPicture]).toEqual(['Mara Lint', true]);
  });
  it('a character that is not there is one sentence', async () => {
    await expect(loadExport({ kind: 'character', avatar: 'No.png' }, pageDesk)).rejects.toThrow(/404|answer/);
  });
  it('a lorebook that is not there is one sentence', async () => {
    await expect(loadExport({ kind: 'world', name: 'No' }, pageDesk)).rejects.toThrow(
      'The lorebook “No” does not exist.',
    );
  });
  it('a picture without a card is one sentence', async () => {
    const bytes = buildPng([]);
    await expect(loadExport({ kind: 'file', name: 'x.png', bytes }, pageDesk)).rejects.toThrow(/x\.png/);
  });
});

describe('the dialog', () => {
  beforeEach(() => {
    server.cards.set('Mara.png', linked(bookOf(bookEntry({ content: 'Old.' })), 'Quay'));
    server.worlds.set(
      'Quay',
      worldOf(
        worldEntry(0, { comment: 'Top of note', position: 2 }),
        worldEntry(1, { comment: 'Plain', key: ['xyz'] }),
        worldEntry(2, {
          comment: 'Never',
          disable: true,
          characterFilter: { names: ['Bo'], isExclude: false },
        }),
      ),
    );
    server.worlds.set('House', worldOf(worldEntry(0, { comment: 'Of the house' })));
    module['selected_world_info'] = ['House'];
  });

  it('says which copy was taken, and counts every entry of the ticked books', async () => {
    await draw(MARA, 'marinara');
    expect(texts('.lf-books label')[0]).toContain('Linked world file; the card’s copy differs in 3');
    const sum = () => texts('.lf-count-box b').reduce((total, each) => total + Number(each), 0);
    expect(sum()).toBe(3);
    await tick('House');
    expect(sum()).toBe(4);
    await tick('Quay');
    expect(sum()).toBe(1);
  });

  it('shows what differs first, in groups with reasons, and the rest when asked', async () => {
    await draw(MARA, 'marinara');
    expect(texts('.lf-report [role="radio"]')[0]).toMatch(/^Differ \d+$/);
    expect(texts('[data-fate="approximated"] li').join('\n')).toMatch(
      /Top of note.*Position: Author’s note, top.*At a depth.*Marinara/s,
    );
    const groups = [...place.querySelectorAll<HTMLElement>('[data-fate]')].map(
      (each) => each.dataset['fate'],
    );
    const order = ['lost', 'approximated', 'stashed', 'others'];
    expect(groups).toEqual(order.filter((each) => groups.includes(each)));
    expect(groups).not.toContain('exact');
  });

  it('filters by a search in titles and reasons', async () => {
    await draw(MARA, 'marinara');
    const field = place.querySelector<HTMLInputElement>('.lf-search input');
    act(() => {
      if (field) field.value = 'top of NOTE';
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await settle(200);
    expect(texts('.lf-report-rows li b')).toEqual(['Top of note']);
    act(() => {
      if (field) field.value = 'nothing like it';
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await settle(200);
    expect(texts('.lf-empty')).toEqual(['Nothing in the report matches.']);
  });

  it('another app brings its own forms; private fields are dropped for it and kept for SillyTavern', async () => {
    await draw(MARA, 'marinara');
    const kept = (): boolean | undefined =>
      find('fieldset', 'Private').querySelector<HTMLInputElement>('input')?.checked;
    expect(kept()).toBe(false);
    expect(texts('.lf-pick [role="radio"]')).toEqual([
      'Best fit',
      'PNG',
      'JSON',
      'Native',
      'Lorebooks',
      '2.3',
      '2.4',
    ]);
    const radio = place.querySelector<HTMLInputElement>('.lf-targets input[value="sillytavern"]');
    act(() => radio?.click());
    await ready();
    expect(kept()).toBe(true);
    expect(texts('.lf-pick [role="radio"]')).toEqual(['PNG', 'JSON', 'CharX']);
    expect(texts('.lf-pick legend')).not.toContain('Style');
    expect(texts('.lf-report h3')).toEqual(['What will happen in SillyTavern']);
  });

  it('an app’s own options are there for it alone, as usual for the style, and change what is written', async () => {
    server.worlds.set(
      'Quay',
      worldOf(
        worldEntry(0, { comment: 'Lamp', key: ['лампа'] }),
        worldEntry(1, { comment: 'Plain', key: ['xyz'] }),
      ),
    );
    await draw(MARA, 'agnai');
    const options = () =>
      [...place.querySelectorAll<HTMLElement>('[data-option]')].map((each) => [
        each.dataset['option'],
        each.querySelector('[aria-checked="true"]')?.textContent,
      ]);
    expect(options()).toEqual([
      ['non-latin-keys', 'Entry off'],
      ['flatten-recursion', 'None'],
    ]);
    const lamp = () => find('[data-fate="approximated"] li', 'Lamp').textContent;
    expect(lamp()).toContain('it is switched off');
    await press('[data-option] [role="radio"]', 'Entry always on');
    expect(lamp()).toContain('it is always there instead');
    act(() => place.querySelector<HTMLInputElement>('input[value="exact"]')?.click());
    await ready();
    expect(options()).toEqual([
      ['non-latin-keys', 'Entry off'],
      ['flatten-recursion', 'Add the keys'],
    ]);
    act(() => place.querySelector<HTMLInputElement>('.lf-targets input[value="risu"]')?.click());
    await ready();
    // Exact writes patterns anyway.
    expect(options()).toEqual([]);
    act(() => place.querySelector<HTMLInputElement>('input[value="natural"]')?.click());
    await ready();
    expect(options()).toEqual([['case-sensitive-keys', 'As patterns']]);
    act(() => place.querySelector<HTMLInputElement>('.lf-targets input[value="marinara"]')?.click());
    await ready();
    expect(options()).toEqual([]);
  });

  it('settings stand below the steps, by their names there, to be copied', async () => {
    await draw(MARA, 'agnai');
    expect(texts('.lf-values dt')).toEqual(['Memory: Chat History Depth', 'Memory: Context Limit']);
    expect(texts('.lf-values code')).toEqual(['2', '500']);
    const copied: string[] = [];
    vi.stubGlobal('navigator', {
      clipboard: { writeText: async (text: string) => void copied.push(text) },
    });
    act(() => find('.lf-settings-there button', 'Copy settings').click());
    await settle();
    expect(copied).toEqual(['Memory: Chat History Depth: 2\nMemory: Context Limit: 500']);
  });

  it('entries that differ in the same way are one line, which unfolds; a search lists each', async () => {
    server.worlds.set(
      'Quay',
      worldOf(
        ...Array.from({ length: 12 }, (_, uid) =>
          worldEntry(uid, { comment: `E${uid}`, key: [`word${uid}`] }),
        ),
        worldEntry(12, { comment: 'Top of note', key: ['note'], position: 2 }),
      ),
    );
    await draw(MARA, 'risu');
    expect(texts('.lf-report-rows .lf-fold b')).toEqual(['13 entries']);
    expect(texts('.lf-report-rows .lf-fold .lf-why')[0]).toMatch(/^A key may match differently in RisuAI/);
    const names = () => texts('[data-fate="approximated"] .lf-row b.lf-text');
    // More is to be said of it than what it has in common with the others.
    expect(names()).toEqual(['Top of note']);
    expect(find('[data-fate="approximated"] .lf-row', 'Top of note').textContent).toContain(
      'also one of the above',
    );
    act(() => find('.lf-fold', '13 entries').click());
    expect(names()).toHaveLength(14);
    expect(place.querySelector('.lf-fold')?.getAttribute('aria-expanded')).toBe('true');
    const field = place.querySelector<HTMLInputElement>('.lf-search input');
    act(() => {
      if (field) field.value = 'E1';
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await settle(200);
    expect(texts('.lf-fold')).toEqual([]);
    expect(names()).toEqual(['E1', 'E10', 'E11']);
  });

  it('no two lines of many entries read the same', async () => {
    server.worlds.set(
      'Quay',
      worldOf(
        ...Array.from({ length: 5 }, (_, uid) =>
          worldEntry(uid, {
            key: [`word${uid}`],
            keysecondary: [`other${uid}`],
            my_color: `c${uid}`,
            my_mark: `m${uid}`,
          }),
        ),
      ),
    );
    await draw(MARA, 'risu');
    const lines = texts('.lf-report-rows .lf-fold');
    expect(lines.length).toBeGreaterThan(3);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.join(' ')).toContain('Field “my_color”');
    expect(lines.join(' ')).toContain('Secondary keys: A key may match differently in RisuAI');
  });

  it('downloads what the report is of, and unfolds the steps then', async () => {
    await draw(MARA, 'marinara');
    await press('.lf-pick [role="radio"]', 'JSON');
    const steps = () => place.querySelector<HTMLDetailsElement>('.lf-todo');
    expect(steps()?.open).toBe(false);
    expect(find('.lf-download', 'Download').textContent).toBe('Download Mara Lint.json');
    act(() => find('.lf-download', 'Download').click());
    await settle(20);
    expect(saved.map(({ name, blob }) => [name, blob.type])).toEqual([
      ['Mara Lint.json', 'application/json'],
    ]);
    expect(steps()?.open).toBe(true);
  });

  it('several files: each one, or one zip', async () => {
    const world = server.worlds.get('Quay') as JsonObject;
    server.worlds.set('Two', world);
    module['world_info'] = { charLore: [{ name: 'Mara', extraBooks: ['Two'] }] };
    await draw(MARA, 'marinara');
    await press('.lf-pick [role="radio"]', 'Lorebooks');
    expect(find('.lf-download', 'Download').textContent).toBe('Download 2 files');
    act(() => find('.lf-download', 'Download').click());
    await settle(500);
    expect(saved.map(({ name }) => name)).toEqual(['Quay.marinara.json', 'Two.marinara.json']);
    act(() => find('.lf-bar button', 'As one zip').click());
    await vi.waitFor(() => expect(saved.at(-1)?.name).toBe('Mara Lint.zip'));
  });

  it('a lorebook alone has no books to choose, and the targets’ own lorebook files', async () => {
    await draw({ kind: 'world', name: 'House' }, 'sillytavern');
    expect(texts('.lf-pick legend')).toEqual(['To', 'As']);
    expect(texts('.lf-pick [role="radio"]')).toEqual(['World file', 'Card’s book']);
    expect(find('.lf-download', 'Download').textContent).toBe('Download House.json');
    expect(texts('.lf-empty')).toEqual(['Nothing differs: every entry goes as it is.']);
  });

  it('hostile names and reasons stay text', async () => {
    const evil = '<img src=x onerror="globalThis.hit=1">';
    server.cards.set('Mara.png', {
      ...linked(undefined, 'Quay'),
      data: { name: evil, extensions: { world: evil } },
    });
    server.worlds.set(
      evil,
      worldOf(
        worldEntry(0, { comment: evil, key: [evil], position: 2 }),
        worldEntry(1, { comment: 'x'.repeat(5e4) }),
      ),
    );
    await draw(MARA, 'marinara');
    await press('.lf-report [role="radio"]', 'Differ');
    expect(place.querySelector('img')).toBeNull();
    expect(texts('.lf-panel-title')[0]).toContain(evil);
    expect(texts('.lf-report-rows li b')).toContain(evil);
    expect(place.textContent?.length).toBeLessThan(20_000);
  });

  it('what cannot be written is one sentence, and nothing can be downloaded', async () => {
    const loaded = await loadExport(MARA, pageDesk);
    const desk: ExportDesk = { ...loaded.desk, convert: () => Promise.reject(new Error('No such form.')) };
    act(() =>
      render(<ExportPanel loaded={{ ...loaded, desk }} target="marinara" close={() => undefined} />, place),
    );
    await ready();
    expect(texts('[role="alert"]')).toEqual(['No such form.']);
    expect(place.querySelector<HTMLButtonElement>('.lf-download')?.disabled).toBe(true);
  });

  it('of many changes only the last one is worked on after the one under way', async () => {
    const loaded = await loadExport(MARA, pageDesk);
    const asked: ExportChoices[] = [];
    const answers: ((outcome: ExportOutcome) => void)[] = [];
    const desk: ExportDesk = {
      ...loaded.desk,
      convert: (choices) => {
        asked.push(choices);
        return new Promise((resolve) => answers.push(resolve));
      },
    };
    act(() =>
      render(<ExportPanel loaded={{ ...loaded, desk }} target="marinara" close={() => undefined} />, place),
    );
    await settle(20);
    for (const form of ['PNG', 'JSON', 'Native']) {
      act(() => find('.lf-pick [role="radio"]', form).click());
      await settle(200);
    }
    expect(texts('.lf-report [role="status"]')).toEqual(['Working…']);
    expect(asked.map(({ form }) => form)).toEqual(['auto']);
    const outcome = await loaded.desk.convert(asked[0] as ExportChoices);
    answers[0]?.(outcome);
    await settle(20);
    expect(asked.map(({ form }) => form)).toEqual(['auto', 'native']);
    expect(place.querySelector<HTMLButtonElement>('.lf-download')?.disabled).toBe(true);
    answers[1]?.(outcome);
    await ready();
    expect(place.querySelector<HTMLButtonElement>('.lf-download')?.disabled).toBe(false);
  });
});

describe('the popup', () => {
  it('opens with a line, and a failure can be tried again', async () => {
    let close: () => void = () => undefined;
    client['Popup'] = class {
      readonly dlg = document.createElement('dialog');
      constructor(content: HTMLElement) {
        this.dlg.className = 'popup';
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
    const closed = openExport(MARA, 'marinara');
    await vi.waitFor(() => expect(texts('[role="alert"]')).toHaveLength(1));
    server.cards.set('Mara.png', cardWith(bookOf(bookEntry())));
    act(() => find('button', 'Try again').click());
    await vi.waitFor(() => expect(place.querySelector('.lf-export')).not.toBeNull());
    close();
    await closed;
    expect(place.querySelector('.lf-export')).toBeNull();
  });
});

describe('the desk', () => {
  it('works in the page where a worker cannot be loaded', async () => {
    server.cards.set('Mara.png', cardWith(bookOf(bookEntry())));
    const ended = vi.fn();
    vi.stubGlobal(
      'Worker',
      class {
        onerror: ((event: { preventDefault(): void; message: string }) => void) | null = null;
        postMessage() {
          setTimeout(() => this.onerror?.({ preventDefault: () => undefined, message: 'blocked' }));
        }
        terminate = ended;
      },
    );
    const { offer, desk } = await loadExport(MARA, exportDesk);
    expect(offer.books).toHaveLength(1);
    desk.close();
    expect(ended).toHaveBeenCalled();
  });
  it('hands on what the worker refuses', async () => {
    vi.stubGlobal(
      'Worker',
      class {
        onmessage: ((event: { data: unknown }) => void) | null = null;
        postMessage({ id }: { id: number }) {
          setTimeout(() => this.onmessage?.({ data: { id, error: 'x.png is empty.' } }));
        }
        terminate = () => undefined;
      },
    );
    const bytes = new Uint8Array(0);
    await expect(loadExport({ kind: 'file', name: 'x.png', bytes }, exportDesk)).rejects.toThrow(
      'x.png is empty.',
    );
  });
});
