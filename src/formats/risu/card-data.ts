// A card's own fields as RisuAI takes them over: everything but the books, the user's own fields and assets that stand in
// another container. Facts: importCharacterCardSpec (460ecae2); an absent extensions throws, an absent version reads
// "undefined", and a reference to an asset that is not there ends the import.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, sameJson } from '../../core/json.ts';
import { asText, CARD_TEXTS, NOT_OF_THE_CARD, rawCardData } from '../_shared/card-data.ts';
import { outletsIn, replaceOutlets } from '../_shared/outlet-macro.ts';
import { draftCardData, extensionsWithout } from '../_shared/written-card-data.ts';
import { outletMarker } from './placing.ts';

const LISTS = ['tags', 'alternate_greetings', 'group_only_greetings'] as const;
// Assets that stand in another container do not come along with the card.
const LEFT_OUT: ReadonlySet<string> = new Set([...NOT_OF_THE_CARD, 'assets']);
const EXTENSIONS_LEFT_OUT = new Set(['character_book', 'character_books', 'loreferry', 'fav', 'chat']);
// What RisuAI itself carried along goes back to it.
const OWN_EXTENSIONS_LEFT_OUT = new Set(['character_book', 'character_books', 'loreferry']);
const CARD = { bookId: null, entryId: null };

/** A card's data without its book, and what had to be changed in it. */
export interface CardData {
  readonly data: JsonObject;
  /** Fields of it that RisuAI does not take over. */
  readonly others: JsonObject;
  readonly findings: readonly Finding[];
}

/**
 * Takes a character's raw card where there is one, so that unknown fields travel. `keepsChunks`: the file is the picture
 * that the card came in, in whose text chunks assets may stand.
 * `isOwn`: RisuAI wrote it.
 */
export function risuData(character: CanonicalCharacter, keepsChunks: boolean, isOwn = false): CardData {
  const { raw, data, findings } = draftCardData(character, { lists: LISTS, leftOut: LEFT_OUT });
  for (const one of putOutlets(data)) findings.push(one);
  const assets = isArray(raw['assets']) ? raw['assets'] : [];
  const isReachable = (asset: Json): boolean =>
    (keepsChunks ? IN_PICTURE : ANYWHERE).test(uriOf(asset)) || (keepsChunks && isPictureItself(asset));
  const kept = assets.filter(isReachable);
  if (kept.length > 0) data['assets'] = kept;
  const gone = assets.filter((asset) => !isReachable(asset) && !isOwnIcon(asset));
  if (gone.length > 0) {
    const message = 'Assets that stand in the file that the card came in are not taken over.';
    findings.push(finding('lost', CARD, 'data.assets', gone, null, message));
  }
  const leftOut = isOwn ? OWN_EXTENSIONS_LEFT_OUT : EXTENSIONS_LEFT_OUT;
  data['extensions'] = extensionsWithout(raw, leftOut);
  const others = Object.entries(data).filter(([key]) => !TAKEN.has(key));
  for (const [key, value] of others.filter(([, held]) => !isIdle(held))) {
    const message = 'Kept aside: RisuAI does not take this field of a card over.';
    findings.push(finding('stashed', CARD, `data.${key}`, value, null, message));
  }
  return { data, others: Object.fromEntries(others), findings };
}

/** The one field in which RisuAI replaces markers of places, where the prompt template has the character's note. */
const HAS_MARKERS = 'post_history_instructions';

/** The outlets that a card shows in a field in which RisuAI shows them, too. */
export const shownOutlets = (character: CanonicalCharacter): readonly string[] =>
  outletsIn(asText(rawCardData(character, [HAS_MARKERS])[HAS_MARKERS]));

// Outlets in the words of RisuAI where it has some; elsewhere they stand as they are.
function putOutlets(data: Record<string, Json>): readonly Finding[] {
  return CARD_TEXTS.flatMap((key): readonly Finding[] => {
    const own = asText(data[key]);
    const names = outletsIn(own);
    if (names.length === 0) return [];
    if (key === HAS_MARKERS) {
      data[key] = replaceOutlets(own, outletMarker);
      return [finding('repaired', CARD, `data.${key}`, own, data[key], 'RisuAI writes an outlet so.')];
    }
    const message = 'RisuAI shows no outlet in this field; put its marker into the prompt template instead.';
    return [finding('approximated', CARD, `data.${key}`, own, `${names.join(', ')} as it stands`, message)];
  });
}

// What importCharacterCardSpec reads of a V3 card (460ecae2).
const TAKEN: ReadonlySet<string> = new Set([
  ...CARD_TEXTS,
  ...LISTS,
  'nickname',
  'source',
  'creation_date',
  'modification_date',
  'assets',
  'extensions',
  'character_book',
]);
const isIdle = (value: Json): boolean =>
  value === null || value === '' || sameJson(value, []) || sameJson(value, {});

const uriOf = (asset: Json): string => (isObject(asset) ? asText(asset['uri']) : '');
const ANYWHERE = /^(?:data:|https?:)/;
const IN_PICTURE = /^(?:data:|https?:|__asset:)/;
// RisuAI's own pictures name themselves so.
const isPictureItself = (asset: Json): boolean =>
  isObject(asset) && asset['type'] === 'icon' && asset['uri'] === 'ccdefault:';
// The card's own picture, which every container has a place of its own for.
const isOwnIcon = (asset: Json): boolean =>
  isObject(asset) && asset['type'] === 'icon' && (uriOf(asset) === 'ccdefault:' || asset['name'] === 'main');
