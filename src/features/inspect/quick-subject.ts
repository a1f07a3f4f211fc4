// A first look at a world that SillyTavern has in its memory, without asking the server: reading a large file takes
// longer than all the rest. The file itself is read right after, and takes its place.

import { hashJson } from '../../core/hash.ts';
import type { JsonObject } from '../../core/json.ts';
import { heldWorld } from '../../host/world-info-module.ts';
import type { BookTotals } from '../../inspection/book-view.ts';
import { firstLook } from '../../inspection/first-look.ts';
import { worldBook } from './load-world.ts';
import type { PanelSource } from './panel-source.ts';
import type { Subject } from './subject.ts';
import { surroundingsOf } from './surroundings.ts';

/** A world as SillyTavern has it in its memory. */
export interface QuickSubject {
  /** What is shown at first: of a large world the first rows, with the totals of all. */
  readonly first: Subject;
  /** All of it; the same object when that is shown already. */
  readonly whole: () => Subject;
}

/** The subject as SillyTavern has it in its memory; undefined when it has not, or the source is no world. */
export async function quickSubject(source: PanelSource): Promise<QuickSubject | undefined> {
  if (source.kind !== 'world') return undefined;
  const { name } = source;
  const [data, surroundings] = await Promise.all([heldWorld(name), surroundingsOf(null)]);
  if (data === undefined) return undefined;
  const subject = (shown: JsonObject, totals?: BookTotals): Subject => ({
    fileName: null,
    character: null,
    books: [{ ...worldBook(storedAs(name, data, shown), 'world'), ...(totals && { totals }) }],
    findings: [],
    surroundings,
    worldNames: [],
  });
  const look = firstLook(data);
  const first = look === null ? subject(data) : subject(look.world, look.totals);
  return { first, whole: () => (look === null ? first : subject(data)) };
}

function storedAs(name: string, held: JsonObject, data: JsonObject) {
  let hash: string | undefined;
  return {
    name,
    data,
    // Asked for only by who plans a change.
    get hash() {
      hash ??= hashJson(held);
      return hash;
    },
  };
}
