// What lies beside the card in a charx of RisuAI's: a module with the character's lorebook and scripts. RisuAI imports
// these three and nothing else of it, each in place of the card's own, and leaves the scripts out of the card when it
// exports one (460ecae2).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, NO_FIELDS, sameJson, withoutKey } from '../../core/json.ts';
import { rawEntries } from '../_shared/raw-entries.ts';
import { partedKeys } from '../_shared/risu/entry.ts';
import { asCardEntry } from './lorebook-file.ts';

/** Where it lies. */
export const MODULE_PATH = 'module.risum';

/** A card that says what its module said, too. */
export interface ModuleTaken {
  readonly card: JsonObject;
  readonly findings: readonly Finding[];
}

/**
 * Puts a module's lorebook and scripts where a card of RisuAI's has them, in place of the card's own. A lorebook that
 * says the same leaves the card's as it is, and a list that the module lacks leaves the card's.
 *
 * @returns the same card when the module has nothing to add; null when the JSON is no module
 */
export function withRisuModule(card: JsonObject, json: Json): ModuleTaken | null {
  const module = isObject(json) && isObject(json['module']) ? json['module'] : null;
  if (module === null) return null;
  const data = isObject(card['data']) ? card['data'] : card;
  const findings: Finding[] = [];
  const changed = { ...bookOf(data, module, findings), ...scriptsOf(data, module, findings) };
  if (Object.keys(changed).length === 0) return { card, findings };
  const taken = { ...data, ...changed };
  return { card: data === card ? taken : { ...card, data: taken }, findings };
}

const CARD = { bookId: null, entryId: null };

function bookOf(data: JsonObject, module: JsonObject, findings: Finding[]): JsonObject {
  const { lorebook } = module;
  if (!isArray(lorebook)) return NO_FIELDS;
  const book = isObject(data['character_book']) ? data['character_book'] : NO_FIELDS;
  const own = rawEntries(book).items;
  const entries = lorebook.map((item) => (isObject(item) ? asCardEntry(item) : item));
  if (entries.length === own.length && entries.every((entry, at) => saysSame(entry, own[at] ?? null)))
    return NO_FIELDS;
  // A card of before 88336756 (August 2025) does not say what is a folder and what stands in it.
  const isSame =
    entries.length === own.length &&
    entries.every((entry, at) => saysSame(withoutFolder(entry), own[at] ?? null));
  if (own.length > 0 && !isSame) {
    const message = `The module beside the card holds another lorebook (${entries.length} entries, the card ${own.length}); the module’s was read, as RisuAI does.`;
    findings.push(finding('conflict', CARD, 'data.character_book', own.length, entries.length, message));
  }
  const extensions = isObject(book['extensions']) ? book['extensions'] : NO_FIELDS;
  // RisuAI takes it for false where a book lacks it.
  return {
    character_book: { ...book, extensions: { risu_fullWordMatching: false, ...extensions }, entries },
  };
}

const withoutFolder = (entry: Json): Json =>
  isObject(entry) ? withoutKey(withoutKey(entry, 'mode'), 'folder') : entry;

// What RisuAI reads of an entry; a file of its own and a card say some of it in other ways.
function saysSame(one: Json, other: Json): boolean {
  if (!isObject(one) || !isObject(other)) return sameJson(one, other);
  return sameJson(said(one), said(other));
}

function said(entry: JsonObject): JsonObject {
  const isSelective = entry['selective'] === true;
  const extensions = isObject(entry['extensions']) ? entry['extensions'] : NO_FIELDS;
  return {
    keys: partedKeys(entry['keys']).join(','),
    // It leaves those out of a card that it never looks at.
    secondary: isSelective ? partedKeys(entry['secondary_keys']).join(',') : '',
    title: entry['name'] ?? entry['comment'] ?? '',
    content: entry['content'] ?? '',
    order: entry['insertion_order'] ?? null,
    mode: entry['mode'] ?? 'normal',
    constant: entry['constant'] ?? false,
    selective: isSelective,
    isPattern: entry['use_regex'] ?? false,
    folder: entry['folder'] ?? '',
    percent: extensions['risu_activationPercent'] ?? entry['activationPercent'] ?? 0,
    others: Object.fromEntries(Object.entries(extensions).filter(([key]) => !key.startsWith('risu_'))),
  };
}

// The module's name of each list of scripts, and the card's.
const SCRIPTS = [
  ['trigger', 'triggerscript'],
  ['regex', 'customScripts'],
] as const;

function scriptsOf(data: JsonObject, module: JsonObject, findings: Finding[]): JsonObject {
  const extensions = isObject(data['extensions']) ? data['extensions'] : NO_FIELDS;
  const risuai = isObject(extensions['risuai']) ? extensions['risuai'] : NO_FIELDS;
  const taken = SCRIPTS.flatMap(([inModule, inCard]): readonly [string, Json][] => {
    const scripts = module[inModule];
    const own = risuai[inCard] ?? [];
    if (!isArray(scripts) || sameJson(own, scripts)) return [];
    if (!sameJson(own, [])) {
      const message =
        'The module beside the card holds other scripts; the module’s were read, as RisuAI does.';
      findings.push(finding('conflict', CARD, `data.extensions.risuai.${inCard}`, own, scripts, message));
    }
    return [[inCard, scripts]];
  });
  if (taken.length === 0) return NO_FIELDS;
  return { extensions: { ...extensions, risuai: { ...risuai, ...Object.fromEntries(taken) } } };
}
