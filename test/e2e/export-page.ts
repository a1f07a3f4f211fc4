// The export dialog as a person uses it, and what is in the files that come out of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Download, Locator } from 'playwright-core';
import { rawChunks } from '../support/png-fixtures.ts';
import type { Card, JsonObject, Tavern, WorldEntry } from './harness.ts';
import { entriesOf, openOldCharacter } from './our-page.ts';

/** A file that was downloaded. */
export interface Saved {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The dialog that stands on top. */
export const exportBox = (tavern: Tavern): Locator =>
  tavern.page.locator('dialog.popup[open] .lf-export').last();

/** Waits until the report is that of the choices of now. */
export async function measured(tavern: Tavern): Promise<void> {
  await exportBox(tavern).locator('.lf-download:not([disabled])').waitFor({ timeout: 60_000 });
}

/** Opens the dialog as SillyTavern's own export is opened. */
export async function openFromButton(tavern: Tavern, avatar: string): Promise<void> {
  await openOldCharacter(tavern, avatar);
  await pressExport(tavern);
}

/** Opens the dialog for the character that is open, by SillyTavern's own list of formats. */
export async function pressExport(tavern: Tavern): Promise<void> {
  await tavern.page.locator('div#export_button').click();
  await tavern.page.locator('#lf-export-format').click();
  await exportBox(tavern).waitFor({ timeout: 30_000 });
  await measured(tavern);
}

/** Ticks a box or a large choice by its words. */
export async function choose(tavern: Tavern, label: RegExp | string): Promise<void> {
  await exportBox(tavern).locator('label').filter({ hasText: label }).first().click();
  await tavern.page.waitForTimeout(100);
  await measured(tavern);
}

/** Presses one of the choices that stand side by side. */
export async function press(tavern: Tavern, name: string): Promise<void> {
  await exportBox(tavern).getByRole('radio', { name, exact: true }).click();
  await tavern.page.waitForTimeout(100);
  await measured(tavern);
}

/** Downloads the only file. */
export async function download(tavern: Tavern, folder: string): Promise<Saved> {
  const waiting = tavern.page.waitForEvent('download');
  await exportBox(tavern).locator('.lf-download').click();
  return saved(await waiting, folder);
}

async function saved(got: Download, folder: string): Promise<Saved> {
  const path = join(folder, `${Date.now()} ${got.suggestedFilename()}`);
  await got.saveAs(path);
  return { name: got.suggestedFilename(), bytes: readFileSync(path) };
}

/** Closes the dialog. */
export async function closeExport(tavern: Tavern): Promise<void> {
  await exportBox(tavern).getByRole('button', { name: 'Close' }).click();
  await exportBox(tavern).waitFor({ state: 'detached' });
}

/** The stored picture of a character. */
export const stored = (tavern: Tavern, avatar: string): Buffer =>
  readFileSync(join(tavern.server.userDir, 'characters', avatar));

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const chunksOf = (bytes: Buffer): readonly Chunk[] =>
  rawChunks(bytes).map((raw) => {
    const chunk = Buffer.from(raw);
    return { type: chunk.toString('latin1', 4, 8), data: chunk.subarray(8, -4) };
  });

/** The texts of a picture, in their order. */
export const textsOf = (bytes: Buffer): readonly { readonly keyword: string; readonly text: string }[] =>
  chunksOf(bytes)
    .filter(({ type }) => type === 'tEXt')
    .map(({ data }) => {
      const end = data.indexOf(0);
      return { keyword: data.toString('latin1', 0, end), text: data.toString('latin1', end + 1) };
    });

/** Everything of a picture but its texts. */
export const pictureOf = (bytes: Buffer): readonly (readonly [string, string])[] =>
  chunksOf(bytes)
    .filter(({ type }) => type !== 'tEXt')
    .map(({ type, data }) => [type, data.toString('base64')]);

/** What a text of a picture holds. */
export function jsonIn(bytes: Buffer, keyword: string): JsonObject {
  const text = textsOf(bytes).find((each) => each.keyword === keyword)?.text ?? '';
  return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as JsonObject;
}

/** The card in a text of a picture. */
export const cardIn = (bytes: Buffer, keyword: string): Card => jsonIn(bytes, keyword) as Card;

/** What SillyTavern's editor shows of a world. */
export const shownOf = (tavern: Tavern, world: string): readonly Partial<WorldEntry>[] =>
  entriesOf(tavern, world).map((entry) => {
    const { comment, content, key, keysecondary, position, depth, role, order, disable, constant } = entry;
    const { probability, useProbability, sticky, cooldown, delay, group, vectorized, outletName } = entry;
    return {
      comment,
      content,
      key,
      keysecondary: keysecondary ?? [],
      position,
      ...(position === 4 ? { depth, role: role ?? 0 } : {}),
      order,
      disable: disable ?? false,
      constant: constant ?? false,
      chance: useProbability === false ? 100 : (probability ?? 100),
      timing: [sticky ?? 0, cooldown ?? 0, delay ?? 0],
      group: group ?? '',
      vectorized: vectorized ?? false,
      outletName: outletName ?? '',
    };
  });
