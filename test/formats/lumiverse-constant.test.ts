// A constant entry fires in Lumiverse whatever its chance, so it is read as one that rolls none.

import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { readLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';

const own = (more: JsonObject) =>
  readLumiverseWorldBook(
    {
      type: 'lumiverse_world_book',
      version: 1,
      name: 'A',
      entries: [{ key: ['lamp'], content: 'x', position: 0, selective_logic: 0, ...more }],
    },
    'b',
    'x',
  );
const inCard = ({ constant, disabled, probability }: JsonObject) =>
  readCharacterBook(
    {
      entries: [
        {
          keys: ['lamp'],
          content: 'x',
          position: 0,
          constant,
          enabled: disabled !== true,
          extensions: { selective_logic: 0, probability, use_probability: true },
        },
      ],
    },
    'b',
  );

it.each<[JsonObject, boolean]>([
  [{ constant: true, probability: 0 }, false],
  [{ constant: true, probability: 40 }, false],
  [{ constant: true, probability: 100 }, true],
  [{ constant: false, probability: 0 }, true],
  [{ constant: true, probability: 0, disabled: true }, true],
])('%j', (given, used) => {
  for (const { body, findings } of [own(given), inCard(given)]) {
    expect(body.entries[0]?.probability).toEqual({ chance: given['probability'], used });
    const said = findings.filter(({ path }) => path === 'probability.used');
    expect(said.map(({ code }) => code)).toEqual(used ? [] : ['repaired']);
  }
});
