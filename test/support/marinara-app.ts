// What Marinara makes of a card, told from the facts (Marinara Engine 2.3.3, marinara.md 1.4, 2.3 and 2.4): its importer
// turns the book into a lorebook of its own, and the first edit there writes the card's book anew from it.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isArray, isObject } from '../../src/core/json.ts';
import type { Edit } from './edit-trips.ts';
import { throughJson } from './fixtures.ts';

/** An entry as the app holds it; only what its importer reads at the entry's own level. */
export interface AppEntry {
  readonly name: string;
  readonly content: string;
  readonly keys: readonly string[];
  readonly secondaryKeys: readonly string[];
  readonly enabled: boolean;
  readonly constant: boolean;
  readonly selective: boolean;
  readonly selectiveLogic: string;
  readonly probability: number | null;
  readonly scanDepth: number | null;
  readonly matchWholeWords: boolean;
  readonly caseSensitive: boolean;
  readonly useRegex: boolean;
  readonly position: number;
  readonly depth: number;
  readonly order: number;
  readonly role: string;
  readonly sticky: number | null;
  readonly cooldown: number | null;
  readonly delay: number | null;
  readonly group: string;
  readonly groupWeight: number | null;
  readonly preventRecursion: boolean;
  readonly excludeRecursion: boolean;
  readonly delayUntilRecursion: boolean;
  readonly excludeFromVectorization: boolean;
}

const textsOf = (value: Json | undefined): readonly string[] =>
  isArray(value) ? value.map((item) => String(item).trim()).filter((text) => text !== '') : [];
const numberOr = <T>(value: Json | undefined, other: T): number | T =>
  typeof value === 'number' && Number.isFinite(value) ? value : other;
const POSITION: Readonly<Record<string, number>> = {
  ...{ before_char: 0, after_char: 1, at_depth: 2, depth: 2 },
  ...{ 0: 0, 1: 1, 2: 0, 3: 1, 4: 2, 5: 0, 6: 1 },
};
const ROLE = ['system', 'user', 'assistant'];
const word = (value: Json | undefined, words: readonly string[]): string =>
  typeof value === 'string' && words.includes(value) ? value : (words[Number(value ?? 0)] ?? words[0] ?? '');
const SLASHES = /^\/(.+)\/[dgimsuvy]*$/u;

/** The entries as the app holds them after a card was imported. */
export function importedEntries(card: JsonObject): readonly AppEntry[] {
  const book = (card['data'] as JsonObject)['character_book'] as JsonObject;
  return (book['entries'] as readonly JsonObject[]).map((raw, index): AppEntry => {
    const isBare = Boolean(raw['useRegex'] ?? raw['regex'] ?? false);
    const lists = [textsOf(raw['keys']), textsOf(raw['secondary_keys'])];
    const hasSlashes = lists.flat().some((text) => SLASHES.test(text));
    const asKey = (text: string): string => {
      if (!isBare && !hasSlashes) return text;
      const [, source] = SLASHES.exec(text) ?? [];
      return source ?? (isBare ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    };
    const [keys = [], secondaryKeys = []] = lists.map((list) => list.map(asKey));
    const chance = raw['useProbability'] === false ? null : numberOr(raw['probability'], null);
    const title = [raw['comment'], raw['name']].find(
      (text) => typeof text === 'string' && text.trim() !== '',
    );
    return {
      name: typeof title === 'string' ? title : `Entry ${index + 1}`,
      content: String(raw['content'] ?? ''),
      keys,
      secondaryKeys,
      enabled: raw['enabled'] !== false,
      constant: raw['constant'] === true,
      selective: raw['selective'] === true,
      selectiveLogic: word(raw['selectiveLogic'], ['and', 'not_all', 'not', 'and_all', 'or']),
      probability: chance === null ? null : Math.max(0, Math.min(100, chance)),
      scanDepth: numberOr(raw['scanDepth'] ?? raw['scan_depth'], null),
      matchWholeWords: (raw['matchWholeWords'] ?? raw['match_whole_words'] ?? false) === true,
      caseSensitive: (raw['caseSensitive'] ?? raw['case_sensitive'] ?? false) === true,
      useRegex: isBare || hasSlashes,
      position: POSITION[String(raw['position'])] ?? 0,
      depth: numberOr(raw['depth'], 4),
      order: numberOr(raw['order'] ?? raw['insertion_order'], 100),
      role: word(raw['role'], ROLE),
      sticky: numberOr(raw['sticky'], null),
      cooldown: numberOr(raw['cooldown'], null),
      delay: numberOr(raw['delay'], null),
      group: typeof raw['group'] === 'string' ? raw['group'] : '',
      groupWeight: numberOr(raw['groupWeight'], null),
      preventRecursion: raw['preventRecursion'] == null ? true : Boolean(raw['preventRecursion']),
      excludeRecursion: Boolean(raw['excludeRecursion'] ?? false),
      delayUntilRecursion: Boolean(raw['delayUntilRecursion'] ?? false),
      excludeFromVectorization: raw['vectorized'] === false || raw['excludeFromVectorization'] === true,
    };
  });
}

/** A card's book as the app writes it from its own lorebook: the entries by order, without any extensions. */
export function rewrittenCard(card: JsonObject, edit: Edit<AppEntry> = (entry) => entry): JsonObject {
  const data = card['data'] as JsonObject;
  const book = data['character_book'] as JsonObject;
  const name = String(data['name']);
  const held = importedEntries(card)
    .map((entry, at) => ({ entry, at }))
    .sort((a, b) => a.entry.order - b.entry.order || a.at - b.at)
    .flatMap(({ entry }) => edit(entry));
  const description = book['description'];
  return throughJson({
    ...card,
    data: {
      ...data,
      extensions: {
        ...(isObject(data['extensions']) ? data['extensions'] : {}),
        importMetadata: { embeddedLorebook: { hasEmbeddedLorebook: true, lorebookId: 'x1' } },
      },
      character_book: {
        name: `${name} — ${name}'s Lorebook`,
        description:
          typeof description === 'string' && description !== '' ? description : 'Imported from SillyTavern',
        scan_depth: book['scan_depth'],
        token_budget: book['token_budget'],
        recursive_scanning: book['recursive_scanning'],
        extensions: {},
        entries: held.map((entry, id) => ({
          keys: entry.keys,
          content: entry.content,
          extensions: {},
          enabled: entry.enabled,
          insertion_order: entry.order,
          case_sensitive: entry.caseSensitive,
          name: entry.name,
          priority: entry.order,
          id,
          comment: entry.name,
          description: '',
          selective: entry.selective,
          secondary_keys: entry.secondaryKeys,
          constant: entry.constant,
          position: entry.position === 2 ? 4 : entry.position === 1 ? 'after_char' : 'before_char',
          depth: entry.depth,
          role: ROLE.indexOf(entry.role),
          selectiveLogic: entry.selectiveLogic,
          probability: entry.probability,
          scanDepth: entry.scanDepth,
          scan_depth: entry.scanDepth,
          matchWholeWords: entry.matchWholeWords,
          match_whole_words: entry.matchWholeWords,
          useRegex: entry.useRegex,
          regex: entry.useRegex,
          sticky: entry.sticky,
          cooldown: entry.cooldown,
          delay: entry.delay,
          ephemeral: null,
          group: entry.group,
          groupWeight: entry.groupWeight,
          tag: 'item',
          locked: false,
          preventRecursion: entry.preventRecursion,
          excludeRecursion: entry.excludeRecursion,
          delayUntilRecursion: entry.delayUntilRecursion,
          vectorized: !entry.excludeFromVectorization,
          excludeFromVectorization: entry.excludeFromVectorization,
        })),
      },
    },
  });
}
