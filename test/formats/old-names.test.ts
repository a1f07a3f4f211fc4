// The file that Agnai calls Textgen's: a character under the oldest names, without a lorebook. SillyTavern 1.19 knows them
// in JSON (importFromJson), every other app in none.

import { describe, expect, it } from 'vitest';
import { convertFile } from '../../src/convert-file.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { openFile } from '../../src/open-file.ts';

const OLD = {
  char_name: 'Odo',
  char_persona: 'A miller.',
  char_greeting: 'Good day.',
  world_scenario: 'At the mill.',
  example_dialogue: '<START>\n{{char}}: Flour?',
};
const opened = openFile(new TextEncoder().encode(JSON.stringify(OLD)), 'odo.json');

const written = (target: string, form: 'json' | 'png'): JsonObject => {
  const { files } = convertFile(opened, { target, form });
  const again = openFile(files[0]?.bytes ?? new Uint8Array(), `odo.${form}`);
  if (again.kind !== 'card') throw new Error('no card');
  return { ...again.pieces.character.body, extensions: {} };
};

describe('a character under the oldest names', () => {
  const body = {
    name: 'Odo',
    description: 'A miller.',
    firstMessage: 'Good day.',
    scenario: 'At the mill.',
    exampleMessages: '<START>\n{{char}}: Flour?',
  };
  it('is read whole', () => {
    expect(opened.kind === 'card' && opened.pieces.character.body).toMatchObject(body);
  });
  it.each([
    ['sillytavern', 'json'],
    ['sillytavern', 'png'],
    ['agnai', 'json'],
    ['risu', 'png'],
    ['marinara', 'json'],
    ['lumiverse', 'json'],
    ['rolecall', 'json'],
  ] as const)('is written whole for %s (%s)', (target, form) => {
    expect(written(target, form)).toMatchObject(body);
  });
  it('stands in a card of SillyTavern’s', () => {
    const { files } = convertFile(opened, { target: 'sillytavern', form: 'json' });
    const card = JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as JsonObject;
    expect(card).toMatchObject({ spec: 'chara_card_v2', data: { first_mes: 'Good day.' } });
  });
});
