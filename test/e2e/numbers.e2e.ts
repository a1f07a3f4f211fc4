// The numbers that we hold in a real page, as ratios within one run: our share of an import and of the boot.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hugeBook } from '../bench/huge-book.ts';
import { cardFolder, cardWithBook, jsonCard, pngCard } from './card-files.ts';
import { openSillyTavern, type Tavern } from './harness.ts';

let tavern: Tavern;
const folder = cardFolder();

interface Measured {
  /** From SillyTavern's request to the server's answer, in ms. */
  inner: number[];
  /** From SillyTavern's request to its own answer, our work included. */
  outer: number[];
}
interface MeasuringPage {
  measured: Measured;
}

beforeAll(async () => {
  tavern = await openSillyTavern({ initScript: measureInside });
});
afterAll(() => tavern.close());

// Stands below our wrapper: what passes here is the request as the server gets it.
function measureInside(): void {
  const page = globalThis as unknown as MeasuringPage;
  page.measured = { inner: [], outer: [] };
  const below = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const began = performance.now();
    const response = await below(input, init);
    if (String(input instanceof Request ? input.url : input).includes('/api/characters/import')) {
      page.measured.inner.push(performance.now() - began);
    }
    return response;
  };
}

// Stands above our wrapper: what SillyTavern waits for.
function measureOutside(): void {
  const page = globalThis as unknown as MeasuringPage;
  const ours = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const began = performance.now();
    const response = await ours(input, init);
    if (String(input instanceof Request ? input.url : input).includes('/api/characters/import')) {
      page.measured.outer.push(performance.now() - began);
    }
    return response;
  };
}

// A machine that is busy with something else delays single requests, ours or SillyTavern's: the quiet runs count.
const lowerQuartile = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 2] ?? 1;

describe('our share', () => {
  it('of the boot is under 2 %', async () => {
    const [start, boot] = await tavern.page.evaluate(() => [
      performance.getEntriesByName('Loreferry: start')[0]?.duration ?? Number.NaN,
      performance.now(),
    ]);
    console.log(`start-up ${start?.toFixed(1)} ms of ${boot?.toFixed(0)} ms`);
    expect((start ?? 1) / (boot ?? 1)).toBeLessThan(0.02);
  });

  it('of the time that a person waits for an import is under a quarter', async () => {
    await tavern.page.evaluate(measureOutside);
    const names =
      'Anneke Bastian Corin Dace Elspeth Fenn Gull Hale Ines Joris Katla Lowe Maren Nils Oda Piet'.split(' ');
    const wholes: number[] = [];
    // One at a time, as a person does it: from the choice of the file until the list shows the character.
    for (const name of names) {
      const path = pngCard(
        folder,
        name,
        cardWithBook(name, `${name}'s light`, [`One ${name}.`, `Two ${name}.`]),
      );
      const began = Date.now();
      await tavern.importCards([path]);
      wholes.push(Date.now() - began);
    }
    const { inner, outer } = await tavern.page.evaluate(
      () => (globalThis as unknown as MeasuringPage).measured,
    );
    expect(inner).toHaveLength(names.length);
    const shares = outer.map((time, n) => (time - (inner[n] ?? 0)) / (wholes[n] ?? 1));
    console.log(
      `our share of an import: ${shares.map((share) => `${(100 * share).toFixed(0)} %`).join(', ')}`,
    );
    expect(lowerQuartile(shares)).toBeLessThan(0.25);
  });

  it('88: a book of 5,000 entries is extracted whole; the longest task meanwhile is printed', async () => {
    const card = cardWithBook('Huge', 'x', []);
    (card['data'] as Record<string, unknown>)['character_book'] = hugeBook();
    await tavern.page.evaluate(() => {
      const page = globalThis as unknown as { longest: number };
      page.longest = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) page.longest = Math.max(page.longest, entry.duration);
      }).observe({ type: 'longtask' });
    });
    await tavern.importCards([jsonCard(folder, 'Huge', card)]);
    expect(Object.keys(tavern.worldFile('Huge Quay')?.entries ?? {})).toHaveLength(5000);
    const longest = await tavern.page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
    console.log(`longest task during the import ${longest.toFixed(0)} ms`);
  });
});
