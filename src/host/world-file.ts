// The bytes of a world file, for who reads it elsewhere than in the page.

import { post } from './server.ts';
import { openInEditor, unsavedEdits } from './world-editor.ts';
import { readWorld } from './world-store.ts';

/**
 * Reads a world file without parsing it. An edit in SillyTavern's open editor is waited for: it reaches the file a
 * second later.
 *
 * @param name a world that exists: for another one SillyTavern answers with an empty world
 * @throws {ServerError} when the server refuses
 */
export async function readWorldFile(name: string): Promise<Uint8Array> {
  if (openInEditor() === name) {
    const stored = await readWorld(name);
    if (stored !== undefined) await unsavedEdits(stored);
  }
  const response = await post('/api/worldinfo/get', { name });
  return new Uint8Array(await response.arrayBuffer());
}
