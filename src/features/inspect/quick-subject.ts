// A first look at a world that SillyTavern has in its memory, without asking the server: reading a large file takes
// longer than all the rest. The file itself is read right after, and takes its place.

import { hashJson } from '../../core/hash.ts';
import { heldWorld } from '../../host/world-info-module.ts';
import { worldBook } from './load-world.ts';
import type { PanelSource } from './panel-source.ts';
import type { Subject } from './subject.ts';
import { surroundingsOf } from './surroundings.ts';

/** The subject as SillyTavern has it in its memory; undefined when it has not, or the source is no world. */
export async function quickSubject(source: PanelSource): Promise<Subject | undefined> {
  if (source.kind !== 'world') return undefined;
  const { name } = source;
  const [data, surroundings] = await Promise.all([heldWorld(name), surroundingsOf(null)]);
  if (data === undefined) return undefined;
  let hash: string | undefined;
  const stored = {
    name,
    data,
    // Asked for only by who plans a change.
    get hash() {
      hash ??= hashJson(data);
      return hash;
    },
  };
  return {
    fileName: null,
    character: null,
    books: [worldBook(stored, 'world')],
    findings: [],
    surroundings,
    worldNames: [],
  };
}
