// The formats that we know, in the order in which a file is asked whether it is theirs.

import type { CharacterAdapter } from '../core/adapter.ts';
import type { Json } from '../core/json.ts';
import { agnaiNativeCharacter } from './agnai/adapter.ts';
import { agnaiTavernCharacter } from './agnai/tavern-character.ts';
import { sillytavernCard } from './sillytavern/card.ts';

/** The apps that a character can be carried to. */
export const TARGETS = ['sillytavern', 'risu', 'agnai', 'marinara', 'lumiverse', 'rolecall'] as const;
/** One of them. */
export type Target = (typeof TARGETS)[number];

const CARDS: readonly CharacterAdapter[] = [agnaiNativeCharacter, agnaiTavernCharacter, sillytavernCard];

/** The adapter that reads a card, or null when no format knows it. */
export function adapterOf(json: Json): CharacterAdapter | null {
  return CARDS.find((adapter) => adapter.isCard(json)) ?? null;
}

/** The adapter that writes for a target, or null while that target has none. */
export function adapterFor(target: string): CharacterAdapter | null {
  return CARDS.find((adapter) => adapter.id === target) ?? null;
}
