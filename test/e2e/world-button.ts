// The import button of SillyTavern's own World Info panel.

import type { Tavern } from './harness.ts';

/** Chooses a file in the World Info panel, answers SillyTavern's question about a same-named world, and waits for its end. */
export async function importWorld(tavern: Tavern, path: string, overwrite?: boolean): Promise<void> {
  await tavern.page.setInputFiles('#world_import_file', path);
  if (overwrite !== undefined) {
    await tavern.waitForPopup('already exists');
    await tavern.answerPopup(overwrite ? 'Yes' : 'No');
  }
  // SillyTavern empties the input when it is done.
  await tavern.page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('#world_import_file')?.files?.length === 0,
    undefined,
    { timeout: 30_000 },
  );
}
