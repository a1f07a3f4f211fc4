// A card whose every text attacks: nothing of it may run, become an element, break the layout or the page.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, pngCard } from './card-files.ts';
import { type JsonObject, openSillyTavern, type Tavern } from './harness.ts';
import { expectNoErrors, inspectCharacter, panelBox, showTab, tidy } from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const AVATAR = 'Hostile.png';
const WORLD = 'Hostile world';

const RUN = 'globalThis.wasRun=true';
const MARK = 'lf-hostile';
const ATTACKS: readonly string[] = [
  `<img src=x onerror="${RUN}" class="${MARK}">`,
  `<script class="${MARK}">${RUN}</script>`,
  `"><svg class=${MARK} onload=${RUN}>`,
  `<a class="${MARK}" href="javascript:${RUN}">javascript:${RUN}</a>`,
  `<iframe class="${MARK}" srcdoc="<script>parent.wasRun=true</script>"></iframe>`,
  `</textarea></style><style class="${MARK}">.lf-panel{display:none}</style>`,
  `{{char}} {{user}} {{random::one::two}} {{setvar::hostile::1}} <% x %> \${x}`,
  '\u202eright to left\u202c \u2066isolated \u0627\u0644\u0639\u0631\u0628\u064a\u0629',
  '\u200b\u200c\u200d\ufeff\u2060',
  '\u0000\u0007\u001b[31m\u2028line\u2029paragraph',
  'Z\u0351\u036b\u0343\u036a\u0302'.repeat(40),
  'x'.repeat(100_000),
  `<b class="${MARK}">`.repeat(5000),
  '__proto__',
  'constructor',
  '/(a+)+$/i',
  `/<img src=x onerror=${RUN}>/gi`,
  ' ',
  `${' '.repeat(100_000)}, ${' '.repeat(100_000)}`,
];

/** JSON as a card can hold it: `__proto__` is a key like any other there. */
const PROTO = JSON.parse(
  '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
) as JsonObject;

const PLACES: readonly JsonObject[] = [0, 1, 2, 3, 4, 5, 6, 7].map((position) => ({
  position,
  depth: 4,
  role: 0,
}));

// Long texts stand whole where texts are long: titles, first keys and contents.
const beginning = (text: string): string => text.slice(0, 2000);

function entries(): JsonObject[] {
  const attacking = ATTACKS.map(
    (text, id): JsonObject => ({
      id: id % 3 === 0 ? beginning(text) : id,
      keys: [text, `${beginning(text)} `],
      secondary_keys: [beginning(text)],
      comment: text,
      name: beginning(text),
      content: `${text}\n@@${text}`,
      enabled: true,
      selective: true,
      insertion_order: id,
      position: id % 4 === 0 ? beginning(text) : 'before_char',
      extensions: {
        ...PLACES[id % 8],
        outlet_name: beginning(text),
        group: beginning(text),
        automation_id: beginning(text),
        triggers: [beginning(text)],
        character_filter: { names: [beginning(text)], tags: [beginning(text)], isExclude: false },
        [beginning(text)]: text,
      },
      [beginning(text)]: PROTO,
    }),
  );
  const outlets = ATTACKS.map(
    (text, index): JsonObject => ({
      id: 100 + index,
      keys: ['outlet'],
      comment: `Outlet ${index}`,
      content: text,
      enabled: true,
      insertion_order: 100,
      position: 'after_char',
      extensions: { position: 7, outlet_name: beginning(text) },
    }),
  );
  const many: JsonObject = {
    id: 900,
    keys: Array.from({ length: 5000 }, (_, index) => `${ATTACKS[index % 6]}${index}`),
    comment: 'Five thousand keys',
    content: 'x',
    enabled: true,
    insertion_order: 200,
    position: 'after_char',
    extensions: {},
  };
  return [...attacking, ...outlets, many];
}

function card(): JsonObject {
  const [img = '', script = ''] = ATTACKS;
  return {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: {
      name: `${img}${script}\u202e`,
      description: img,
      first_mes: 'A quiet greeting.',
      extensions: { world: WORLD, ...PROTO },
      character_book: {
        name: `${script}${img}${'y'.repeat(3000)}`,
        description: img,
        extensions: PROTO,
        entries: entries(),
      },
    },
  };
}

// The world that the character is linked to: the same entries with other texts in their fields.
function world(): JsonObject {
  const made = entries().map((entry, uid) => ({
    uid,
    key: entry['keys'],
    keysecondary: entry['secondary_keys'] ?? [],
    comment: entry['comment'],
    content: `${entry['content']} ${ATTACKS[(uid + 1) % ATTACKS.length]}`,
    order: entry['insertion_order'],
    position: uid % 8,
    outletName: ATTACKS[uid % ATTACKS.length],
    disable: uid % 5 === 0,
    depth: 4,
    role: 0,
    extensions: PROTO,
  }));
  return {
    name: ATTACKS[0] ?? '',
    extensions: {},
    entries: Object.fromEntries(made.map((each) => [String(each.uid), each])),
  };
}

function seed(userDir: string): void {
  for (const place of ['characters', 'worlds']) mkdirSync(join(userDir, place), { recursive: true });
  writeFileSync(
    join(userDir, 'characters', AVATAR),
    readFileSync(pngCard(folder, 'hostile', card() as never)),
  );
  writeFileSync(join(userDir, 'worlds', `${WORLD}.json`), JSON.stringify(world()));
}

beforeAll(async () => {
  tavern = await openSillyTavern({ seed, width: 1400, height: 900 });
  tavern.page.setDefaultTimeout(15_000);
  // What SillyTavern itself makes of the card is not ours.
  await inspectCharacter(tavern, AVATAR);
  await tidy(tavern);
  await tavern.page.evaluate(() => {
    (globalThis as unknown as { wasRun: boolean }).wasRun = false;
  });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

/** What is wrong with the panel now; nothing is good. */
function faults(): Promise<string[]> {
  return tavern.page.evaluate((mark) => {
    const found: string[] = [];
    const page = globalThis as unknown as { wasRun?: boolean };
    if (page.wasRun === true) found.push('something has run');
    if (({} as { polluted?: boolean }).polluted !== undefined) found.push('a prototype is polluted');
    const dialog = [...document.querySelectorAll('dialog.popup[open]')].at(-1);
    const panel = dialog?.querySelector('.lf-panel, .lf-plan');
    if (!dialog || !panel) return [...found, 'there is no panel'];
    const strangers = `.${mark}, script, iframe, style, img, a[href^="javascript"], [onerror], [onload]`;
    for (const each of panel.querySelectorAll(strangers))
      found.push(`an element out of a text: ${each.outerHTML.slice(0, 80)}`);
    if (panel.querySelector('svg')) found.push('an svg out of a text');
    const name = (each: Element) =>
      `${each.tagName.toLowerCase()}.${each.className} “${each.textContent?.slice(0, 30)}”`;
    for (const each of [panel, ...panel.querySelectorAll('*')]) {
      const box = each.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      if (box.left < -1 || box.right > innerWidth + 1) found.push(`out of the screen: ${name(each)}`);
    }
    for (const each of [
      document.documentElement,
      dialog,
      panel,
      ...panel.querySelectorAll('.lf-tab-body, .lf-scroll, .lf-details'),
    ]) {
      if (each.scrollWidth > each.clientWidth + 1) found.push(`wider than its place: ${name(each)}`);
    }
    // Rows, chips, cells and boxes stand beside or below each other.
    const groups = [
      '.lf-entry',
      '.lf-entry-row > [role=cell]',
      '.lf-chip',
      '.lf-block',
      '.lf-box',
      '.lf-difference',
      '.lf-row',
      '.lf-tabs > *',
      '.lf-filters > *',
      '.lf-facts > *',
      '.lf-totals > *',
      '.lf-map > *',
      '.lf-details-part',
    ];
    for (const group of groups) {
      const boxes = [...panel.querySelectorAll(group)]
        .map((each) => [each, each.getBoundingClientRect()] as const)
        .filter(([, box]) => box.width > 0 && box.height > 0);
      const perParent = new Map<Element | null, (typeof boxes)[number][]>();
      for (const pair of boxes)
        perParent.set(pair[0].parentElement, [...(perParent.get(pair[0].parentElement) ?? []), pair]);
      for (const siblings of perParent.values())
        for (const [index, [one, a]] of siblings.entries())
          for (const [other, b] of siblings.slice(index + 1)) {
            const overlap =
              a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
            if (overlap) found.push(`${name(one)} lies on ${name(other)}`);
          }
    }
    return [...new Set(found)].slice(0, 12);
  }, MARK);
}

const SCREENS = [
  [1400, 900],
  [390, 844],
] as const;

describe.each(SCREENS)('hostile text at %i px', (width, height) => {
  beforeAll(async () => {
    await tavern.page.setViewportSize({ width, height });
  });

  async function open(tab?: string): Promise<void> {
    // The button lies below SillyTavern's own layers on a narrow screen.
    await tavern.page.locator('#lf-inspect-character').evaluate((each: HTMLElement) => each.click());
    await panelBox(tavern).waitFor();
    if (tab !== undefined) await showTab(tavern, tab);
    await tavern.page.waitForTimeout(300);
  }
  const look = async (where: string): Promise<void> => {
    expect(await faults(), `${where}, ${width} px`).toEqual([]);
  };

  it('would be seen if it broke out', async () => {
    await open();
    await tavern.page.evaluate((mark) => {
      const place = document.querySelector('.lf-panel .lf-tab-body');
      const broken = document.createElement('b');
      broken.className = mark;
      broken.textContent = 'broken out';
      broken.style.cssText = 'position:absolute;left:0;width:3000px';
      place?.append(broken);
    }, MARK);
    const seen = await faults();
    expect(seen.some((each) => each.startsWith('an element out of a text'))).toBe(true);
    expect(seen.some((each) => each.startsWith('out of the screen'))).toBe(true);
  });

  it('in the table, also with every entry opened', async () => {
    await open();
    await look('table');
    await tavern.screenshot(`panel-hostile-${width}`);
    // The long name of the lorebook leaves the choice beside it whole.
    const words = panelBox(tavern).locator('.lf-head-top .lf-segments .lf-clip');
    expect(
      await words.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length),
    ).toBe(0);
    const { page } = tavern;
    // Every row that is drawn on the way down, also those that come when others grow.
    const left = await page.locator('.lf-scroll').evaluate(async (box) => {
      const closed = () => [...box.querySelectorAll<HTMLElement>('[data-entry][aria-expanded="false"]')];
      for (let step = 0; step < 600; step++) {
        const [next] = closed();
        if (next) next.click();
        else if (box.scrollTop + box.clientHeight >= box.scrollHeight - 2) break;
        else box.scrollTop += box.clientHeight / 2;
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      }
      return closed().length;
    });
    expect(left).toBe(0);
    for (let part = 0; part <= 6; part++) {
      await page.locator('.lf-scroll').evaluate((box, at) => {
        box.scrollTop = (box.scrollHeight * at) / 6;
      }, part);
      await page.waitForTimeout(100);
      await look(`opened, part ${part}`);
    }
    expectNoErrors(tavern);
  });

  it('searched and filtered', async () => {
    await open();
    const { page } = tavern;
    const field = panelBox(tavern).getByRole('searchbox').first();
    for (const words of ['<img', 'javascript:', '{{', '__proto__', '\\', '[', '\u202e']) {
      await field.fill(words);
      await page.waitForTimeout(250);
      await look(`search ${words}`);
    }
    await field.fill('');
    const selects = panelBox(tavern).locator('.lf-selects select');
    for (const select of await selects.all()) {
      const values = await select
        .locator('option')
        .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
      for (const value of values) {
        await select.selectOption(value, { force: true });
        expect(await panelBox(tavern).locator('.lf-shown').textContent()).toMatch(/^\d+ of 39$/);
      }
      await select.selectOption('', { force: true });
    }
    await look('filters');
    expectNoErrors(tavern);
  });

  it.each(['Prompt map', 'Compare', 'Findings', 'Link'])('in the tab %s', async (tab) => {
    await open(tab);
    await look(tab);
    const { page } = tavern;
    const body = panelBox(tavern).locator('.lf-tab-body');
    for (const part of [0.33, 0.66, 1]) {
      await body.evaluate((each, at) => {
        for (const box of [
          each,
          ...each.querySelectorAll('*'),
          ...(each.closest('dialog')?.querySelectorAll('*') ?? []),
        ])
          if (box.scrollHeight > box.clientHeight + 1) box.scrollTop = box.scrollHeight * at;
      }, part);
      await page.waitForTimeout(100);
      await look(`${tab} at ${part}`);
    }
    for (const each of await body.locator('.lf-show-more').all())
      await each.click({ timeout: 3000 }).catch(() => {});
    await look(`${tab}, more of it`);
    expectNoErrors(tavern);
  });

  it('in the preview of a plan', async () => {
    await open('Compare');
    const { page } = tavern;
    for (const name of ['Update the card from the world file…', 'Update the world file from the card…']) {
      await panelBox(tavern).getByRole('button', { name }).click();
      await page.locator('.lf-plan').waitFor();
      await page.waitForTimeout(200);
      await look(name);
      await page.keyboard.press('Escape');
      await page.locator('.lf-plan').waitFor({ state: 'detached' });
    }
    expectNoErrors(tavern);
  });

  it('as a spec-only reader sees it, and the linked world', async () => {
    await open('Prompt map');
    const { page } = tavern;
    if (width > 600) await panelBox(tavern).getByRole('radio', { name: 'Spec-only reader' }).click();
    else await panelBox(tavern).getByRole('combobox', { name: 'Read as' }).selectOption('spec-only');
    await page.waitForTimeout(200);
    await look('spec-only');
    await panelBox(tavern).getByRole('radio', { name: 'World file' }).click();
    await page.waitForTimeout(200);
    await look('map of the world file');
    for (const tab of ['Entries', 'Findings', 'Link']) {
      await showTab(tavern, tab);
      await page.waitForTimeout(200);
      await look(`${tab} of the world file`);
    }
    expectNoErrors(tavern);
  });
});
