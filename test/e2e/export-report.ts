// What the export dialog found, as data: its worker's answers are kept on their way into the page.

import { expect } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import * as exporting from './export-page.ts';
import type { Tavern } from './harness.ts';

/** The report of a conversion. */
export interface Report {
  readonly findings: readonly Finding[];
  readonly counts: { readonly total: number; readonly exact: number };
}

/** Runs in the page before anything else. */
export function keepReports(): void {
  const page = globalThis as unknown as { report?: Report; Worker: typeof Worker };
  page.Worker = class extends page.Worker {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(address, options);
      this.addEventListener('message', ({ data }: MessageEvent<{ value?: Partial<Report> }>) => {
        const { findings, counts } = data.value ?? {};
        if (findings && counts) page.report = { findings, counts };
      });
    }
  };
}

/** A file out of the dialog, with its report. */
export interface Out extends exporting.Saved {
  readonly report: Report;
}

/** Chooses an app and a form in the dialog that is open, takes the file, and closes the dialog. */
export async function takeOut(tavern: Tavern, folder: string, app: string, form?: string): Promise<Out> {
  await exporting.choose(tavern, new RegExp(`^${app}`, 'i'));
  if (form !== undefined) await exporting.press(tavern, form);
  const saved = await exporting.download(tavern, folder);
  const report = await tavern.page.evaluate(() => (globalThis as unknown as { report: Report }).report);
  await exporting.closeExport(tavern);
  return { ...saved, report };
}

/** Every entry goes as it is, and nothing else is said but this: code and path of each. */
export function expectExact({ findings, counts }: Report, said: readonly string[] = []): void {
  expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual(said);
  expect(counts.exact).toBe(counts.total);
}
