// Cards as files on disk for the end-to-end tests.

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { asPng } from '../../src/containers/card-picture.ts';
import type { JsonObject } from '../../src/core/json.ts';

/** A fresh folder for one test file. */
export function cardFolder(): string {
  return mkdtempSync(join(tmpdir(), 'loreferry-cards-'));
}

/** Writes a card as JSON and returns the path. */
export function jsonCard(folder: string, name: string, card: unknown): string {
  const path = join(folder, `${name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(card));
  return path;
}

/** Writes a card as PNG and returns the path. */
export function pngCard(folder: string, name: string, card: JsonObject): string {
  const path = join(folder, `${name}.png`);
  writeFileSync(path, asPng({}, card));
  return path;
}

/** Writes bytes under any name and returns the path. */
export function fileNamed(folder: string, name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** A scenario of the fixtures: worlds that exist, and the cards that come. */
export interface Scenario {
  readonly worlds: Readonly<Record<string, JsonObject>>;
  readonly cards: readonly JsonObject[];
}

/** A case of the fixtures that is a scenario. */
export function scenarioOf(name: string): Scenario {
  const found = caseOf(name);
  if (found['$case'] !== 'scenario') throw new Error(`${name} is no scenario`);
  return {
    worlds: (found['worlds'] ?? {}) as Scenario['worlds'],
    cards: found['cards'] as unknown as JsonObject[],
  };
}

/** A case of the fixtures, parsed. */
export function caseOf(name: string): JsonObject {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, '../fixtures/cases', `${name}.json`), 'utf8'),
  ) as JsonObject;
}

/** The contents of the entries of a card's book, in their order. */
export function contentsIn(card: JsonObject | undefined): string[] {
  const data = card?.['data'] as { character_book?: { entries: { content: string }[] } } | undefined;
  if (!data?.character_book) throw new Error('this card brings no book');
  return data.character_book.entries.map(({ content }) => content);
}

/** A V2 card with a book of as many entries as contents are given. */
export function cardWithBook(
  character: string,
  book: string,
  contents: readonly string[],
  extra: JsonObject = {},
): JsonObject {
  return {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: {
      name: character,
      description: `${character} keeps a light.`,
      personality: '',
      scenario: '',
      first_mes: 'The lamp is lit.',
      mes_example: '',
      creator_notes: '',
      system_prompt: '',
      post_history_instructions: '',
      alternate_greetings: [],
      tags: [],
      creator: 'tests',
      character_version: '1',
      extensions: {},
      ...extra,
      character_book: {
        name: book,
        extensions: { maker: { v: 2 } },
        x_book: [1, 2],
        entries: contents.map((content, id) => ({
          id,
          keys: [`key${id}`],
          secondary_keys: [],
          comment: `Entry ${id}`,
          content,
          enabled: true,
          insertion_order: 100,
          constant: false,
          selective: false,
          position: 'before_char',
          extensions: { foo: { a: id } },
          x_top: `keep ${id}`,
        })),
      },
    },
  };
}
