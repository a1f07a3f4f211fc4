// Gathers out of the running SillyTavern what an export is made of. Nothing is written.

import { readCharacterFile } from '../../host/character-file.ts';
import { context, t } from '../../host/context.ts';
import { noteDepth, promptTokens } from '../../host/prompt-shape.ts';
import { readWorldFile } from '../../host/world-file.ts';
import { activeWorlds, extraBooks, scanSettings } from '../../host/world-links.ts';
import { listWorlds } from '../../host/world-store.ts';
import { type ExportDesk, exportDesk } from './export-desk.ts';
import type { ExportAround, ExportFile, ExportOffer, WorldInForce, WorldRole } from './export-material.ts';

/** What is exported. */
export type ExportSource =
  | { readonly kind: 'character'; readonly avatar: string }
  | { readonly kind: 'world'; readonly name: string }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly name: string };

/** An export that can be chosen from. */
export interface LoadedExport {
  readonly desk: ExportDesk;
  readonly offer: ExportOffer;
  /** One sentence for each world that should be there and is not. */
  readonly missing: readonly string[];
}

/**
 * Reads what is exported. The desk is the caller's to close.
 * @throws an Error with one sentence when it cannot be read
 */
export async function loadExport(source: ExportSource, newDesk = exportDesk): Promise<LoadedExport> {
  const desk = newDesk();
  try {
    const [file, settings, tokens] = await Promise.all([fileOf(source), scanSettings(), promptTokens()]);
    const { isCard, linked } = await desk.open(file);
    const avatar = source.kind === 'character' ? source.avatar : null;
    const { worlds, missing } = isCard && avatar !== null ? await worldsOf(avatar, linked) : NO_WORLDS;
    const { name1 } = context();
    const around: ExportAround = {
      ...(settings === undefined ? {} : { settings }),
      ...(name1 === undefined ? {} : { userName: name1 }),
      tagIds: tagIdsOf(avatar),
      noteDepth: noteDepth(avatar),
      ...(tokens === undefined ? {} : { contextSize: tokens }),
    };
    return { desk, offer: await desk.offer(worlds, around), missing };
  } catch (error) {
    desk.close();
    throw error;
  }
}

const NO_WORLDS = { worlds: [], missing: [] };

async function fileOf(source: ExportSource): Promise<ExportFile> {
  switch (source.kind) {
    case 'character':
      return { kind: 'character', name: source.avatar, bytes: await readCharacterFile(source.avatar) };
    case 'world': {
      const { name } = source;
      const isThere = (await listWorlds()).some((world) => world.name === name);
      if (!isThere) throw new Error(t`The lorebook “${name}” does not exist.`);
      return { kind: 'world', name, bytes: await readWorldFile(name) };
    }
    case 'file':
      return source;
  }
}

async function worldsOf(
  avatar: string,
  linked: string,
): Promise<{ readonly worlds: readonly WorldInForce[]; readonly missing: readonly string[] }> {
  const [listed, additional, active] = await Promise.all([listWorlds(), extraBooks(avatar), activeWorlds()]);
  const names = new Set(listed.map(({ name }) => name));
  const wanted = rolesByName([
    ['linked', [linked]],
    ['additional', additional],
    ['chat', [active.chat]],
    ['persona', [active.persona]],
    ['global', active.global],
  ]);
  const missing: string[] = [];
  const worlds = await Promise.all(
    [...wanted].map(async ([name, roles]): Promise<readonly WorldInForce[]> => {
      if (!names.has(name)) {
        // A dead link of a chat or of every chat says nothing about this character.
        if (roles.includes('linked') || roles.includes('additional'))
          missing.push(t`The lorebook “${name}” does not exist.`);
        return [];
      }
      try {
        return [{ name, roles, bytes: await readWorldFile(name) }];
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        missing.push(t`The lorebook “${name}” could not be read. ${reason}`);
        return [];
      }
    }),
  );
  return { worlds: worlds.flat(), missing };
}

function rolesByName(
  wanted: readonly (readonly [WorldRole, readonly (string | undefined)[]])[],
): ReadonlyMap<string, readonly WorldRole[]> {
  const roles = new Map<string, WorldRole[]>();
  for (const [role, names] of wanted) {
    for (const name of names) {
      if (name === undefined || name === '') continue;
      const held = roles.get(name) ?? [];
      if (!held.includes(role)) roles.set(name, [...held, role]);
    }
  }
  return roles;
}

// A character filter names tags by their ids, found under the avatar (1.19, world-info.js, checkWorldInfo).
function tagIdsOf(avatar: string | null): readonly string[] {
  const { tagMap } = context();
  const tags = avatar !== null && tagMap && Object.hasOwn(tagMap, avatar) ? tagMap[avatar] : undefined;
  return Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : [];
}
