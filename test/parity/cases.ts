// The measured cases (test/fixtures/parity/README.md) and what is resolved from them.

import { readdirSync, readFileSync } from 'node:fs';
import { readPieces } from '../../src/convert.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { readScanSettings } from '../../src/formats/sillytavern/scan-settings.ts';
import { liveLorebooks } from '../../src/live-lorebooks.ts';
import { deepFreeze } from '../support/deep-freeze.ts';

/** One message of a chat. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly name: string;
  readonly text: string;
}

/** Where an entry stands in the prompt. */
export interface Placement {
  readonly slot: string;
  readonly depth?: number;
  readonly role?: string;
  readonly name?: string;
  readonly order: number;
}

/** What SillyTavern makes of a chat: the marks of the entries that fired, and their places. */
export interface Outcome {
  readonly active: readonly number[];
  readonly placed: Readonly<Record<string, Placement>>;
}

/** A chat, and what the real SillyTavern made of it. */
export interface MeasuredChat {
  readonly id: string;
  readonly trigger?: string;
  readonly messages: readonly Message[];
  readonly truth: Outcome;
}

/** A case file. */
export interface ParityCase {
  readonly id: string;
  readonly avatar: string;
  readonly userName: string;
  readonly settings: JsonObject & { readonly maxContext: number };
  readonly card: JsonObject;
  readonly worlds: readonly { readonly name: string; readonly world: JsonObject }[];
  readonly chats: readonly MeasuredChat[];
}

const FOLDER = new URL('../fixtures/parity/', import.meta.url);

/** All cases, frozen. */
export function parityCases(): readonly ParityCase[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => deepFreeze(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as ParityCase));
}

/** A case resolved as an export would: its card read, its world files in the place of the embedded copy. */
export function resolvedCase(given: ParityCase): ResolvedCharacter {
  const { character, lorebooks } = readPieces(given.card);
  const link = given.worlds[0]?.name;
  const live = liveLorebooks(lorebooks, given.worlds, link);
  return resolveCharacter({
    character: deepFreeze(character),
    books: deepFreeze(
      live.lorebooks.map((lorebook, index) => ({
        lorebook,
        origin: index === 0 ? ('primary' as const) : ('additional' as const),
      })),
    ),
    settings: deepFreeze(readScanSettings(given.settings).settings),
    userName: given.userName,
    avatar: given.avatar,
  });
}
