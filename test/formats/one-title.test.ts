// An entry with a title and a comment in apps that show one name: the title is shown, the comment is said.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import { agnaiCharacter } from '../../src/formats/agnai/character.ts';
import { lumiverseLorebooks } from '../../src/formats/lumiverse/card.ts';
import { marinaraLorebooks } from '../../src/formats/marinara/lorebook-files.ts';
import { risuLorebooks } from '../../src/formats/risu/lorebook-writing.ts';
import { characterInForce, entryOf, lorebookOf } from '../support/in-force.ts';

const KEEP = { style: 'natural', privateFields: 'keep' } as const;

type Resolved = ReturnType<typeof characterInForce>;
const WRITERS: readonly (readonly [app: string, write: (resolved: Resolved) => unknown, name: string])[] = [
  ['Agnai', (resolved) => agnaiCharacter(resolved, { ...KEEP, withoutKeywords: 'always' }), 'name'],
  ['Lumiverse', (resolved) => lumiverseLorebooks(resolved, KEEP), 'comment'],
  ['Marinara', (resolved) => marinaraLorebooks(resolved, KEEP), 'name'],
  ['RisuAI', (resolved) => risuLorebooks(resolved, KEEP), 'comment'],
];

/** The first value under a name in an object that holds a text of the entry's. */
function nameIn(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const held = value as JsonObject;
  // RisuAI's decorators stand in front of the text.
  const isEntry = String(held['content'] ?? held['entry'] ?? '').endsWith('Lamp note.');
  if (isEntry) return held[name];
  for (const each of Object.values(held)) {
    const found = nameIn(each, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe.each(WRITERS)('%s', (_app, write, name) => {
  const out = (title: string, memo: string) => {
    const written = write(characterInForce([lorebookOf([entryOf({ title, memo, content: 'Lamp note.' })])]));
    const json = JSON.parse(JSON.stringify(written)) as Json;
    const findings = jsonAt(json, ['findings']) as readonly JsonObject[];
    return { name: nameIn(json, name), said: findings.filter(({ path }) => path === 'title') };
  };
  it('shows the title, and says that the comment is kept aside', () => {
    const { name: shown, said } = out('A', 'B');
    expect(shown).toBe('A');
    expect(said).toMatchObject([{ code: 'stashed', before: ['A', 'B'], after: 'A' }]);
  });
  it.each([
    ['A', ''],
    ['A', 'A'],
    ['', 'A'],
  ])('of %j and %j there is one name, and nothing to say', (title, memo) => {
    expect(out(title, memo)).toEqual({ name: 'A', said: [] });
  });
});
