// One card of each kind of another app's into a real SillyTavern, by its character picker, and out of it again for the app
// that it came from: whatever that app reads must be as it was, or be named in the report.

import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { decodeBase64 } from '../../src/containers/base64.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { changedLeaves } from '../support/there-and-back.ts';
import { cardFolder } from './card-files.ts';
import * as exporting from './export-page.ts';
import { expectExact, keepReports, type Out, takeOut } from './export-report.ts';
import { foreignPath, sidecarOf } from './foreign-sidecar.ts';
import { openSillyTavern, type Tavern, type WorldEntry } from './harness.ts';
import { expectNoErrors, summary, tidy } from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();

const NATIVE = 'marinara-full-vesna-holt-embedded.marinara.json';
// Agnai has no place for the link to the world file; nothing else is to be said.
const CARDS: readonly (readonly [file: string, form: string, ...said: string[]])[] = [
  ['agnai-full-odile-brandt-native.json', 'JSON', 'stashed data.extensions.world'],
  ['agnai-plain-piet-haas-native.card.png', 'PNG', 'stashed data.extensions.world'],
  ['agnai-st-runa-sol-edited-native.card.png', 'PNG', 'stashed data.extensions.world'],
  ['risu-plain-bertil-oakes-v3.json', 'JSON'],
  ['risu-st-nadia-ferro-v3.png', 'PNG'],
  ['risu-full-ilsa-marrow-charx.charx', 'CharX'],
  [NATIVE, 'Native'],
  ['marinara-plain-anselm-ruiz-embedded-compatible.json', 'JSON'],
  ['marinara-st-greta-moss-edited.png', 'PNG'],
  ['lumiverse-plain-walter-keen.png', 'PNG'],
  ['lumiverse-st-yara-quill.json', 'JSON'],
  ['lumiverse-full-sabine-orr.charx', 'CharX'],
];
const appOf = (file: string): string => file.split('-')[0] ?? '';
const avatarOf = (file: string): string => `${sidecarOf(file).character?.name}.png`;

beforeAll(async () => {
  tavern = await openSillyTavern({ initScript: keepReports });
  await tavern.importCards(CARDS.map(([file]) => foreignPath(file)));
  await summary(tavern);
  await tavern.answerPopup('Done');
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

async function exportCard(file: string, form: string): Promise<Out> {
  // No character of ours is asked about.
  await tavern.openCharacter(avatarOf(file));
  await exporting.pressExport(tavern);
  return takeOut(tavern, folder, appOf(file), form);
}

const changed = (file: string, out: Out): readonly string[] =>
  changedLeaves(
    appOf(file),
    { name: file, bytes: readFileSync(foreignPath(file)) },
    out,
    out.report.findings,
  );

it.each(CARDS)('%s comes back as %s', async (file, form, ...said) => {
  const out = await exportCard(file, form);
  expectExact(out.report, said);
  expect(changed(file, out)).toEqual([]);
  expectNoErrors(tavern);
});

const nativeOut = async (): Promise<JsonObject> => {
  const { bytes } = await exportCard(NATIVE, 'Native');
  return (JSON.parse(bytes.toString()) as { data: JsonObject }).data;
};

it('Marinara’s own file has the picture in it, without SillyTavern’s card', async () => {
  const [kind, text] = String((await nativeOut())['avatar']).split(',');
  expect(kind).toBe('data:image/png;base64');
  const picture = Buffer.from(decodeBase64(new TextEncoder().encode(text)));
  expect(exporting.textsOf(picture)).toEqual([]);
  const stored = exporting.stored(tavern, avatarOf(NATIVE));
  expect(exporting.pictureOf(picture)).toEqual(exporting.pictureOf(stored));
});

it('Marinara’s own file has the owner’s note in it', async () => {
  expect((await nativeOut())['metadata']).toMatchObject({ comment: 'made by hand' });
});

it.each([
  ['agnai-full-odile-brandt-native.json', 'JSON', 'Marl Square memory'],
  ['risu-full-ilsa-marrow-charx.charx', 'CharX', "Ilsa Marrow's Lorebook"],
  [NATIVE, 'Native', 'Port Amber lore'],
  ['lumiverse-full-sabine-orr.charx', 'CharX', 'Lantern Ward second book'],
])('%s comes back as %s with what was edited in “%s”, and nothing else', async (file, form, world) => {
  const held = tavern.worldFile(world);
  const last = Object.values(held?.entries ?? {}).at(-1) as WorldEntry;
  const entries = { ...held?.entries, [last.uid]: { ...last, content: 'Edited here.' } };
  await tavern.putWorld(world, { ...held, entries });
  const out = await exportCard(file, form);
  expect(changed(file, out)).toEqual([expect.stringMatching(/\.(content|entry): ".*" -> "Edited here\."$/)]);
  expectNoErrors(tavern);
});
