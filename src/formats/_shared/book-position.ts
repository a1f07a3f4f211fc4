// The two encodings of an entry's position in a character_book, and how far they agree (decisions 1 and 2).

import type { Json, JsonObject } from '../../core/json.ts';
import type { Agreement, PositionReading, RawValue, Slot } from '../../core/position.ts';

/** The word that the character card standard knows. */
export type CoarsePosition = 'before_char' | 'after_char';

/** SillyTavern's numbers for the slots (1.19, `world_info_position`), in order. */
export const SLOT_BY_NUMBER: readonly Slot[] = [
  'world',
  'character',
  'note_top',
  'note_bottom',
  'depth',
  'before_example',
  'after_example',
  'outlet',
];

// RoleCall's own slots have no number in SillyTavern: the nearest is written, the word stays in the twin.
const NUMBER_OF_SLOT: Readonly<Record<Slot, number>> = {
  world: 0,
  character: 1,
  note_top: 2,
  note_bottom: 3,
  depth: 4,
  before_example: 5,
  after_example: 6,
  outlet: 7,
  append: 1,
  append_bottom: 4,
  prepend_top: 0,
  scene: 0,
};

const WORDS: ReadonlyMap<string, Slot> = new Map<string, Slot>([
  ['before_char', 'world'],
  ['after_char', 'character'],
  ['world', 'world'],
  ['character', 'character'],
  ['note_top', 'note_top'],
  ['note_bottom', 'note_bottom'],
  ['depth', 'depth'],
  ['at_depth', 'depth'],
  ['before_example', 'before_example'],
  ['after_example', 'after_example'],
  ['outlet', 'outlet'],
  ['append', 'append'],
  ['append_bottom', 'append_bottom'],
  ['prepend_top', 'prepend_top'],
  ['scene', 'scene'],
]);

/** The standard's word for a slot: what a reader sees that knows nothing else (spec 000). */
export function positionToCoarse(slot: Slot): CoarsePosition {
  return slot === 'world' || slot === 'before_example' || slot === 'prepend_top' || slot === 'scene'
    ? 'before_char'
    : 'after_char';
}

/** SillyTavern's own floor: `before_char` only for position 0 (1.19, convertWorldInfoToCharacterBook). */
function sillyTavernCoarse(slot: Slot): CoarsePosition {
  return NUMBER_OF_SLOT[slot] === 0 ? 'before_char' : 'after_char';
}

/** The precise value for `extensions.position`, an integer 0 to 7 (spec 000, SillyTavern 1.19). */
export function positionToExt(slot: Slot): number {
  return NUMBER_OF_SLOT[slot];
}

/** A slot named by a number 0 to 7, a digit string or a known word; undefined for anything else. */
export function slotFromPrecise(value: Json | undefined): Slot | undefined {
  if (typeof value === 'number') return SLOT_BY_NUMBER[value];
  if (typeof value !== 'string') return undefined;
  if (/^[0-7]$/.test(value.trim())) return SLOT_BY_NUMBER[Number(value)];
  return WORDS.get(value.toLowerCase());
}

const slotFromWord = (value: Json | undefined): Slot | undefined =>
  value === 'before_char' ? 'world' : value === 'after_char' ? 'character' : undefined;

/** Which encoding is believed when both are usable (decisions 8a). */
export type PositionOrder = 'extensions-first' | 'entry-first';

/** Raw value beside its presence; null is the same as absent. */
export function rawValue(value: Json | undefined): RawValue {
  return value === undefined || value === null ? ABSENT : { present: true, value };
}

const ABSENT: RawValue = Object.freeze({ present: false, value: null });

/** A position reading, the slot that each value names by itself, and which of the two was taken. */
export interface ParsedPosition {
  readonly reading: PositionReading;
  readonly byCoarse: Slot | undefined;
  readonly byPrecise: Slot | undefined;
  readonly taken: 'coarse' | 'precise' | null;
}

/**
 * Reads both encodings of a book entry's position: `coarse` as it stands at the entry, `precise` as it stands
 * in the entry's extensions; `slotOf`: what a value at the entry means to an app that believes it. Never fails: what cannot be used is `invalid`, nothing at all is `assumed`, and
 * both land after the character, as SillyTavern's own import would have it.
 */
export function parseBookPosition(
  coarse: Json | undefined,
  precise: Json | undefined,
  order: PositionOrder = 'extensions-first',
  slotOf: (value: Json | undefined) => Slot | undefined = slotFromPrecise,
): ParsedPosition {
  const usual = typeof coarse === 'string' && typeof precise === 'number' && order === 'extensions-first';
  if (!usual) return parsePosition(coarse, precise, order, slotOf);
  // A book of thousands of entries holds a handful of pairs; each is worked out once.
  const key = `${precise} ${coarse}`;
  const known = USUAL_PAIRS.get(key);
  if (known !== undefined) return known;
  const parsed = parsePosition(coarse, precise, order, slotOf);
  if (USUAL_PAIRS.size < 64) USUAL_PAIRS.set(key, parsed);
  return parsed;
}

const USUAL_PAIRS = new Map<string, ParsedPosition>();

function parsePosition(
  coarse: Json | undefined,
  precise: Json | undefined,
  order: PositionOrder,
  slotOf: (value: Json | undefined) => Slot | undefined,
): ParsedPosition {
  const byPrecise = slotFromPrecise(precise);
  const byWord = slotFromWord(coarse);
  const byCoarse = byWord ?? (order === 'entry-first' ? slotOf(coarse) : numberAtEntry(coarse));
  const coarseIsTaken = byCoarse !== undefined && (order === 'entry-first' || byPrecise === undefined);
  const taken = coarseIsTaken ? 'coarse' : byPrecise !== undefined ? 'precise' : null;
  const slot = (coarseIsTaken ? byCoarse : byPrecise) ?? 'character';

  const coarseValue = rawValue(coarse);
  const preciseValue = rawValue(precise);
  const { agreement, floor } = agreementOf(coarseValue, preciseValue, byWord, byPrecise);
  return {
    reading: { coarse: coarseValue, precise: { ...preciseValue, at: 'extensions' }, slot, agreement, floor },
    byCoarse,
    byPrecise,
    taken,
  };
}

function numberAtEntry(coarse: Json | undefined): Slot | undefined {
  if (typeof coarse === 'number') return SLOT_BY_NUMBER[coarse];
  return typeof coarse === 'string' && /^[0-7]$/.test(coarse.trim())
    ? SLOT_BY_NUMBER[Number(coarse)]
    : undefined;
}

function agreementOf(
  coarse: RawValue,
  precise: RawValue,
  fromWord: Slot | undefined,
  fromExtensions: Slot | undefined,
): { agreement: Agreement; floor: boolean } {
  const invalid =
    (coarse.present && fromWord === undefined) || (precise.present && fromExtensions === undefined);
  if (invalid) return { agreement: 'invalid', floor: false };
  if (fromWord === undefined && fromExtensions === undefined) return { agreement: 'assumed', floor: false };
  if (fromExtensions === undefined) return { agreement: 'coarse-only', floor: false };
  if (fromWord === undefined) return { agreement: 'precise-only', floor: false };
  if (fromWord === fromExtensions) return { agreement: 'agree', floor: false };
  const word = coarse.value;
  const isFloor = word === positionToCoarse(fromExtensions) || word === sillyTavernCoarse(fromExtensions);
  return isFloor ? { agreement: 'agree', floor: true } : { agreement: 'conflict', floor: false };
}

/** How a world file's position was known: it has one value, at the entry's own level. */
export function parseWorldPosition(entry: JsonObject): ParsedPosition {
  const value = entry['position'];
  const named = slotFromPrecise(value);
  const precise = rawValue(value);
  const agreement: Agreement = !precise.present
    ? 'assumed'
    : typeof value === 'number' && named !== undefined
      ? 'precise-only'
      : 'invalid';
  return {
    reading: {
      coarse: ABSENT,
      precise: { ...precise, at: 'entry' },
      slot: named ?? 'world',
      agreement,
      floor: false,
    },
    byCoarse: undefined,
    byPrecise: named,
    taken: named === undefined ? null : 'precise',
  };
}
