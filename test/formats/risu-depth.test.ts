// A depth below 0 in RisuAI's decorators: SillyTavern has none, and that is said.

import { expect, it } from 'vitest';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';

it.each([
  ['@@depth -2', 'repaired', 0],
  ['@@reverse_depth -1', 'repaired', 0],
  ['@@reverse_depth 3', null, 3],
])('%s', (line, code, depth) => {
  const entry = {
    keys: ['lamp'],
    content: `${line}\nx`,
    extensions: { risu_loreCache: null },
    mode: 'normal',
  };
  const { body, findings } = readCharacterBook({ entries: [entry] }, 'b');
  expect(body.entries[0]?.position).toMatchObject({ slot: 'depth', depth });
  const said = findings.filter(({ path }) => path === 'position.depth');
  expect(said.map((each) => [each.code, each.before, each.after])).toEqual(
    code === null ? [] : [[code, line, 0]],
  );
});
