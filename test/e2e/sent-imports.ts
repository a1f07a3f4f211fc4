// What leaves the page for SillyTavern's import, below all wrappers.

import type { Tavern } from './harness.ts';

/** A file as it was sent. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  /** In base64. */
  readonly bytes: string;
}

/** Runs in the page before anything else (the harness's `initScript`). */
export function recordImports(): void {
  const page = globalThis as unknown as { sent: SentFile[]; fetch: typeof fetch };
  const original = page.fetch;
  page.sent = [];
  page.fetch = async (input, init) => {
    if (String(input).endsWith('/api/characters/import') && init?.body instanceof FormData) {
      const file = init.body.get('avatar') as File;
      const letters = [...new Uint8Array(await file.arrayBuffer())].map((byte) => String.fromCharCode(byte));
      page.sent.push({
        name: file.name,
        type: String(init.body.get('file_type')),
        bytes: btoa(letters.join('')),
      });
    }
    return original.call(globalThis, input, init);
  };
}

/** All files that were sent since the page was loaded. */
export const sentFiles = (tavern: Tavern): Promise<SentFile[]> =>
  tavern.page.evaluate(() => (globalThis as unknown as { sent: SentFile[] }).sent);
