// The characters as the client lists them, and who uses a world.

import { context } from './context.ts';
import { activeWorlds, charactersWithExtra } from './world-links.ts';

/** A character of the list. */
export interface CharacterName {
  readonly avatar: string;
  readonly name: string;
  /** The linked world, "" for none; shallow lists have it too (characters.js, toShallow; 1.13 to 1.19). */
  readonly world: string;
}

/** All characters, by name. Empty where the client does not tell. */
export function listedCharacters(): readonly CharacterName[] {
  const listed = (context().characters ?? []).map(({ avatar, name, data }) => ({
    avatar,
    name: String(name ?? avatar),
    world: String(data?.extensions?.world ?? ''),
  }));
  return listed.sort((a, b) => a.name.localeCompare(b.name));
}

/** The character whose chat is open, by its avatar; undefined for none and in a group. */
export function openCharacter(): string | undefined {
  const { characters, characterId, groupId } = context();
  if (groupId || characterId === undefined) return undefined;
  return characters?.[Number(characterId)]?.avatar;
}

/** Who has a world in force. */
export interface WorldUsers {
  readonly main: readonly CharacterName[];
  readonly additional: readonly CharacterName[];
  readonly chat: boolean;
  readonly persona: boolean;
  readonly everyChat: boolean;
}

/** Finds who uses a world. A character that was deleted may still stand in SillyTavern's list of additional books. */
export async function worldUsers(world: string): Promise<WorldUsers> {
  const [keys, active] = await Promise.all([charactersWithExtra(world), activeWorlds()]);
  const characters = listedCharacters();
  const isKeyed = ({ avatar }: CharacterName): boolean => keys.includes(avatar.replace(/\.[^/.]+$/, ''));
  return {
    main: characters.filter((character) => character.world === world),
    additional: characters.filter(isKeyed),
    chat: active.chat === world,
    persona: active.persona === world,
    everyChat: active.global.includes(world),
  };
}
