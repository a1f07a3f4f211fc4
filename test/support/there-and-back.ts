// A file of another app that went into SillyTavern and came out again for that app: what of it the app finds changed.

import { readContainer } from '../../src/containers/container.ts';
import type { Finding } from '../../src/core/finding.ts';
import { isArray, isObject, type Json, jsonAt, withoutKey } from '../../src/core/json.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { MODULES_PATH } from '../../src/formats/lumiverse/modules.ts';
import { MODULE_PATH } from '../../src/formats/risu/charx-module.ts';
import { openFile } from '../../src/open-file.ts';
import { leafDifferences } from './leaves.ts';
import { differences, isSaid, type Placed } from './silent-differences.ts';

/**
 * What an app reads of a file of its own: of several cards in a picture Agnai and Lumiverse take the first; Lumiverse
 * reads the modules of a charx instead of the card's book (1.1.0), RisuAI the module instead of the card's lorebook and
 * scripts, and of any lorebook file the list alone. `sillytavern`: a card's book, also one in CCv3's envelope.
 */
function partsRead(app: string, file: AppFile): unknown {
  const { name } = file;
  // A Buffer is one of a pool's.
  const bytes = new Uint8Array(file.bytes);
  const { json, copies, zip } = readContainer(bytes, name);
  switch (app) {
    case 'agnai':
      return copies[0]?.json;
    case 'lumiverse': {
      const modules = zip?.get(MODULES_PATH);
      const data = jsonAt(json, ['data']);
      if (modules === undefined || !isObject(data)) return copies[0]?.json;
      return {
        card: withoutKey(data, 'character_book'),
        modules: JSON.parse(new TextDecoder().decode(modules)),
      };
    }
    case 'risu': {
      const opened = zip?.has(MODULE_PATH) === true ? openFile(bytes, name) : null;
      return opened?.kind === 'card' ? opened.card : (risuList(json) ?? json);
    }
    case 'sillytavern':
      return isObject(json) && json['spec'] === 'lorebook_v3' ? json['data'] : json;
    default:
      return json;
  }
}

const risuList = (json: Json): Json | undefined =>
  isArray(json)
    ? json
    : isObject(json) && 'type' in json
      ? (jsonAt(json, ['module', 'lorebook']) ?? json['data'])
      : undefined;

/** A value without what is ours in it; a bag of extensions in which nothing is left is none. */
function withoutOurs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOurs);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .filter(([key]) => key !== 'loreferry')
    .map(([key, held]) => [key, withoutOurs(held)] as const);
  return Object.fromEntries(kept.filter(([key, held]) => key !== 'extensions' || !isEmpty(held)));
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

// SillyTavern's own fields of a card, which no other app looks at: the name of the linked world, and the favourite.
const OF_SILLYTAVERN = /^(data\.)*(card\.)?extensions\.(world: .*|fav: absent -> false)$/;

/** Changed leaves that are nothing to an app. */
const UNREAD: Readonly<Record<string, readonly RegExp[]>> = {
  agnai: [
    // Its import makes them anew, or ignores them.
    /^(userId|createdAt|updatedAt|avatar|favorite): .* -> absent$/,
    // An Insert without a text is none; an absent text is an empty one.
    /^insert\.(prompt: ""|depth: 4|role: "system") -> absent$/,
    /^(systemPrompt|postHistoryInstructions): absent -> ""$/,
  ],
  // Of its own character file, the picture and the note have tests of their own.
  marinara: [/^exportedAt: /, /^data\.metadata\.\w+: .* -> absent$/, /^data\.avatar: /],
  lumiverse: [
    // It writes the card's book over it when it imports.
    /^data\.extensions\.character_book\..* -> absent$/,
    // It knows the picture of a charx by its place and lists none.
    /^card\.assets\.0\.\w+: absent -> /,
  ],
};

/** A file of an app's. */
export interface AppFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What an app reads otherwise in a file that came back, and nobody has said so: each leaf as `path: before -> after`. */
export function changedLeaves(
  app: string,
  sent: AppFile,
  back: AppFile,
  findings: readonly Finding[],
): readonly string[] {
  const said = new Set(findings.map(({ path }) => path));
  const unread = [OF_SILLYTAVERN, ...(UNREAD[app] ?? [])];
  return leafDifferences(withoutOurs(partsRead(app, sent)), withoutOurs(partsRead(app, back))).filter(
    (line) => {
      const path = line.slice(0, line.indexOf(': '));
      return !said.has(path) && !said.has(`data.${path}`) && !unread.some((pattern) => pattern.test(line));
    },
  );
}

/**
 * The fields of entries that came back otherwise, and nobody has said so; for a file that comes back as one of another
 * kind, whose leaves are others.
 *
 * @param there the same entries in SillyTavern, by whose ids the findings go
 */
export function unsaidFields(
  sent: readonly LorebookEntry[],
  there: readonly Placed[],
  back: readonly LorebookEntry[],
  findings: readonly Finding[],
): readonly string[] {
  if (back.length !== sent.length) return [`${sent.length} entries -> ${back.length}`];
  return sent.flatMap((entry, at) =>
    differences(entry, back[at] as LorebookEntry)
      .filter((path) => !isSaid(findings, there[at] as Placed, path))
      .map((path) => `${entry.title}: ${path}`),
  );
}
