// What RisuAI makes of a card, told from the facts (460ecae2, risu.md 1.3 and 2): its importer turns the book into lore
// objects, opening the character writes old texts anew, and its exporter writes a V3 card from them.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isArray, isObject } from '../../src/core/json.ts';
import type { Edit } from './edit-trips.ts';
import { throughJson } from './fixtures.ts';

/** An entry as the app holds it. */
export interface AppLore {
  readonly key: string;
  readonly secondkey: string;
  readonly insertorder: number;
  readonly comment: string;
  readonly content: string;
  readonly mode: string;
  readonly alwaysActive: boolean;
  readonly selective: boolean;
  readonly extentions: JsonObject;
  readonly useRegex: boolean;
  readonly folder?: string;
}

const textsOf = (value: Json | undefined): readonly string[] => (isArray(value) ? value.map(String) : []);

/** The entries as the app holds them after a card was imported and opened. */
export function importedLore(card: JsonObject): readonly AppLore[] {
  const book = (card['data'] as JsonObject)['character_book'] as JsonObject;
  return (book['entries'] as readonly JsonObject[]).map((raw): AppLore => {
    const isRegex = raw['use_regex'] === true && (textsOf(raw['keys'])[0] ?? '').startsWith('/');
    const written = String(raw['content'] ?? '');
    const { folder } = raw;
    return {
      key: textsOf(raw['keys']).join(', '),
      secondkey: textsOf(raw['secondary_keys']).join(', '),
      insertorder: Number(raw['insertion_order']),
      comment: String(raw['name'] ?? raw['comment'] ?? ''),
      content: written
        .replace(/@@@?end/g, '@@depth 0')
        .replace(/<(?:char|bot)>/g, '{{char}}')
        .replace(/<user>/g, '{{user}}'),
      mode: String(raw['mode'] ?? 'normal'),
      alwaysActive: raw['constant'] === true,
      selective: raw['selective'] === true,
      extentions: {
        ...(isObject(raw['extensions']) ? raw['extensions'] : {}),
        risu_case_sensitive: raw['case_sensitive'],
      },
      useRegex: isRegex,
      ...(typeof folder === 'string' ? { folder } : {}),
    };
  });
}

// The fields of a V3 card that its import reads.
const TAKEN = [
  ...['name', 'description', 'personality', 'scenario', 'first_mes', 'mes_example', 'creator_notes'],
  ...['system_prompt', 'post_history_instructions', 'alternate_greetings', 'tags', 'creator'],
  ...['character_version', 'group_only_greetings', 'nickname', 'source', 'creation_date'],
  ...['modification_date', 'assets'],
];

/** A card as the app writes it after it was imported, and maybe edited. */
export function rewrittenCard(card: JsonObject, edit: Edit<AppLore> = (lore) => lore): JsonObject {
  const data = card['data'] as JsonObject;
  const held = data['character_book'] as JsonObject | undefined;
  const book: JsonObject = held ?? { entries: [], extensions: {} };
  const parted = (keys: string): readonly string[] => keys.split(',').map((key) => key.trim());
  const imported = held === undefined ? [] : importedLore(card);
  const edited = imported.flatMap((lore) => (lore.mode === 'folder' ? lore : edit(lore)));
  const entries = edited.map((lore): JsonObject => {
    return {
      keys: parted(lore.key),
      ...(lore.selective ? { secondary_keys: parted(lore.secondkey) } : {}),
      content: lore.content,
      extensions: { ...lore.extentions, risu_loreCache: null },
      enabled: true,
      insertion_order: lore.insertorder,
      constant: lore.alwaysActive,
      selective: lore.selective,
      name: lore.comment,
      comment: lore.comment,
      case_sensitive: lore.extentions['risu_case_sensitive'] ?? false,
      use_regex: lore.useRegex,
      mode: lore.mode,
      ...(lore.folder === undefined ? {} : { folder: lore.folder }),
    };
  });
  const extensions = isObject(data['extensions']) ? data['extensions'] : {};
  return throughJson({
    ...card,
    data: {
      ...Object.fromEntries(TAKEN.flatMap((key) => (data[key] === undefined ? [] : [[key, data[key]]]))),
      extensions: { ...extensions, depth_prompt: { depth: 0, prompt: '' }, risuai: { viewScreen: 'none' } },
      character_book: {
        scan_depth: book['scan_depth'],
        token_budget: book['token_budget'],
        recursive_scanning: book['recursive_scanning'],
        extensions: { ...(book['extensions'] as JsonObject), risu_fullWordMatching: false },
        entries,
      },
    },
  });
}
