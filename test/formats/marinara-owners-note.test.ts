// The private note of a character's owner: kept on the way into SillyTavern, given back to Marinara, and to nobody else.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContainer } from '../../src/containers/container.ts';
import { convertFile, type Form } from '../../src/convert-file.ts';
import { type JsonObject, jsonAt } from '../../src/core/json.ts';
import { openFile } from '../../src/open-file.ts';

const NAME = 'marinara-full-vesna-holt-embedded.marinara.json';
const FILE = readFileSync(join(import.meta.dirname, '../fixtures/foreign/marinara', NAME));
const NOTE = (JSON.parse(FILE.toString()) as { data: { metadata: { comment: string } } }).data.metadata
  .comment;

const converted = (bytes: Uint8Array, name: string, target: string, form: Form): string =>
  convertFile(openFile(bytes, name), { target, form })
    .files.map((file) => new TextDecoder().decode(file.bytes))
    .join('\n');
const inSillyTavern = converted(FILE, NAME, 'sillytavern', 'json');

describe('the owner’s note of a Marinara character', () => {
  it('is kept in SillyTavern', () => {
    expect(NOTE.length).toBeGreaterThan(3);
    const card = JSON.parse(inSillyTavern) as JsonObject;
    expect(jsonAt(card, ['data', 'extensions', 'marinara', 'comment'])).toBe(NOTE);
  });

  it('goes back into Marinara’s own file, where it stood', () => {
    const back = converted(new TextEncoder().encode(inSillyTavern), 'V.json', 'marinara', 'native');
    const file = JSON.parse(back) as JsonObject;
    expect(jsonAt(file, ['data', 'metadata', 'comment'])).toBe(NOTE);
    expect(jsonAt(file, ['data', 'data', 'extensions', 'marinara', 'comment'])).toBeUndefined();
  });

  it.each([
    ['marinara', 'json'],
    ['agnai', 'json'],
    ['risu', 'json'],
    ['lumiverse', 'json'],
    ['rolecall', 'json'],
  ] as const)('is not in a file for %s (%s)', (target, form) => {
    const file = converted(new TextEncoder().encode(inSillyTavern), 'V.json', target, form);
    expect(file.length).toBeGreaterThan(100);
    expect(file).not.toContain(NOTE);
  });

  it('is not in SillyTavern’s own card inside a picture for Agnai', () => {
    const opened = openFile(new TextEncoder().encode(inSillyTavern), 'V.json');
    const { files } = convertFile(opened, { target: 'agnai', form: 'png', privateFields: 'keep' });
    const { copies } = readContainer(files[0]?.bytes ?? new Uint8Array(), 'V.png');
    expect(copies.length).toBeGreaterThan(1);
    expect(JSON.stringify(copies)).not.toContain(NOTE);
  });
});

it.each(['talkativeness', 'depth_prompt'])('an object of no number as %s is none', (key) => {
  const value = { toString: 'x', depth: { valueOf: 1, toString: 2 } };
  const card = { spec: 'chara_card_v2', data: { name: 'V', description: '', extensions: { [key]: value } } };
  const written = JSON.parse(
    converted(new TextEncoder().encode(JSON.stringify(card)), 'V.json', 'marinara', 'json'),
  ) as JsonObject;
  expect(jsonAt(written, ['data', 'extensions', 'talkativeness'])).toBe(0.5);
  expect(jsonAt(written, ['data', 'extensions', 'depth_prompt', 'depth'])).toBe(4);
});
