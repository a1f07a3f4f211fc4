// The prompt as RoleCall would have it: no entry is missing on the map, whatever its slot.

import { describe, expect, it } from 'vitest';
import { promptMap } from '../../src/inspection/prompt-map.ts';
import { ROLECALL_READER } from '../../src/inspection/prompt-readers.ts';
import { viewOf } from '../support/views.ts';

const SLOTS = [
  ...['world', 'character', 'note_top', 'note_bottom', 'depth', 'before_example', 'after_example', 'outlet'],
  ...['append', 'append_bottom', 'prepend_top', 'scene'],
];

describe('RoleCall’s reader', () => {
  const entries = SLOTS.map((slot, id) => ({
    id,
    keys: [`k${id}`],
    comment: slot,
    content: slot,
    enabled: true,
    insertion_order: id,
    extensions: { position: slot, depth: 2, role: 0, outlet_name: 'shelf' },
  }));
  const map = promptMap(viewOf({ name: 'b', entries }).entries, ROLECALL_READER);
  const titles = (
    list: readonly { readonly view: { readonly entry: { readonly title: string } } }[] | null,
  ) => list?.map(({ view }) => view.entry.title).sort();
  it('draws every entry once', () => {
    expect(titles(map.before)).toEqual(['prepend_top', 'scene', 'world']);
    expect(titles(map.after)).toEqual(['append', 'character']);
    expect(titles(map.examplesTop)).toEqual(['before_example']);
    expect(titles(map.examplesBottom)).toEqual(['after_example']);
    expect(map.noteTop).toBeNull();
    expect(map.outlets).toBeNull();
    expect(titles(map.nowhere)).toEqual(['outlet']);
    expect(map.depths?.map(({ depth, entries: held }) => [depth, titles(held)])).toEqual([
      [4, ['note_bottom', 'note_top']],
      [2, ['depth']],
      [0, ['append_bottom']],
    ]);
  });
});
