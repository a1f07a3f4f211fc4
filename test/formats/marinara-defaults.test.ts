// What Marinara's own lorebook file leaves unsaid, and patterns that it does not run.

import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { readMarinaraLorebook } from '../../src/formats/marinara/native-lorebook.ts';

function read(entry: JsonObject) {
  const data = { lorebook: { name: 'A' }, entries: [{ name: 'Lamp', content: 'x', ...entry }] };
  const { body, findings } = readMarinaraLorebook({ type: 'marinara_lorebook', version: 1, data }, 'b', 'x');
  const [first] = body.entries;
  return { entry: first, findings };
}

it.each<[JsonObject, boolean, boolean]>([
  [{}, false, false],
  [{ caseSensitive: null, matchWholeWords: null }, false, false],
  [{ caseSensitive: true, matchWholeWords: true }, true, true],
])('%j: nothing is inherited', (given, caseSensitive, matchWholeWords) => {
  expect(read({ keys: ['lamp'], ...given }).entry?.scan).toMatchObject({ caseSensitive, matchWholeWords });
});

it('a pattern that it refuses is plain text, and said', () => {
  const { entry, findings } = read({ keys: ['(a+)+b', 'la?mp'], useRegex: true });
  expect(entry?.keys).toEqual([
    { kind: 'literal', text: '(a+)+b' },
    { kind: 'regex', source: 'la?mp', flags: 'i' },
  ]);
  const said = findings.filter(({ path }) => path === 'keys');
  expect(said.map(({ code, path }) => [code, path])).toEqual([['assumed', 'keys']]);
});
