// Lumiverse's numbers for the places of entries: 0 to 6 as in SillyTavern, 7 is a marker, 8 an outlet (1.1.0). Shared,
// because the reader of a card's book needs them as well.

import type { FindingCode } from '../../../core/finding.ts';
import { shown } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { Position, Slot } from '../../../core/position.ts';

/** The place at a marker of the prompt. */
export const MARKER = 7;
const OUTLET = 8;

/**
 * The outlet that stands for the place of the prompt's {{wi_marker}}: like an outlet it is where a person puts it, and
 * there is one for all entries.
 */
export const MARKER_OUTLET = 'wi_marker';

/** The block beside which an entry stands, as Lumiverse names it, and on which side. */
export interface Pin {
  readonly marker: string;
  readonly side: 'before' | 'after';
}

/** A place in Lumiverse's words. */
export interface LumiversePlace {
  readonly position: number;
  readonly pin: Pin | null;
}

const EXAMPLES = 'dialogue_examples';
const NUMBERS: Partial<Readonly<Record<Slot, number>>> = {
  world: 0,
  character: 1,
  note_top: 2,
  note_bottom: 3,
  depth: 4,
};

/** The place of a position that Lumiverse has: its blocks of examples are where SillyTavern's are, its 5 and 6 are not. */
export function lumiversePlace({ slot, outlet }: Position): LumiversePlace {
  if (slot === 'outlet') return { position: outlet === MARKER_OUTLET ? MARKER : OUTLET, pin: null };
  if (slot === 'before_example') return { position: MARKER, pin: { marker: EXAMPLES, side: 'before' } };
  if (slot === 'after_example') return { position: MARKER, pin: { marker: EXAMPLES, side: 'after' } };
  return { position: NUMBERS[slot] ?? 0, pin: null };
}

const BY_NUMBER: readonly Slot[] = [
  'world',
  'character',
  'note_top',
  'note_bottom',
  'depth',
  'before_example',
  'after_example',
];
const BY_WORD: Readonly<Record<string, Slot>> = Object.assign(Object.create(null) as Record<string, Slot>, {
  before: 'world',
  before_char: 'world',
  before_character: 'world',
  after: 'character',
  after_char: 'character',
  after_character: 'character',
  before_an: 'note_top',
  before_authors_note: 'note_top',
  before_author_note: 'note_top',
  after_an: 'note_bottom',
  after_authors_note: 'note_bottom',
  after_author_note: 'note_bottom',
  at_depth: 'depth',
  depth: 'depth',
  before_em: 'before_example',
  before_example: 'before_example',
  before_examples: 'before_example',
  before_example_messages: 'before_example',
  after_em: 'after_example',
  after_example: 'after_example',
  after_examples: 'after_example',
  after_example_messages: 'after_example',
});

/** A remark on a place that was read. */
export interface SlotRemark {
  readonly code: FindingCode;
  readonly message: string;
}

/** What a place of Lumiverse's means here. */
export interface ReadSlot {
  readonly slot: Slot;
  /** Where the slot itself does not tell. */
  readonly depth?: number;
  readonly outlet?: string;
  /** Whether Lumiverse knows the value. */
  readonly isKnown: boolean;
  readonly remark: SlotRemark | null;
}

// The nearest slot beside each block (its list of markers, 1.1.0), before and behind it.
const BESIDE: Readonly<Record<string, readonly [before: Slot, after: Slot]>> = Object.assign(
  Object.create(null) as Record<string, readonly [Slot, Slot]>,
  {
    [EXAMPLES]: ['before_example', 'after_example'],
    main_prompt: ['world', 'world'],
    world_info_before: ['world', 'world'],
    char_description: ['world', 'character'],
    char_personality: ['character', 'character'],
    scenario: ['character', 'character'],
    persona_description: ['character', 'character'],
    world_info_after: ['character', 'character'],
    enhance_definitions: ['character', 'character'],
    nsfw_prompt: ['character', 'character'],
    chat_history: ['after_example', 'depth'],
    jailbreak: ['depth', 'depth'],
  },
);

/** Reads a place: a number or a word, with the marker and the side beside it. What is unknown is before the character. */
export function readLumiverseSlot(
  raw: Json | undefined,
  marker: Json | undefined,
  side: Json | undefined,
): ReadSlot {
  const value =
    typeof raw === 'string' && raw.trim() !== '' && Number.isFinite(Number(raw)) ? Number(raw) : raw;
  if (value === OUTLET) return plainSlot('outlet');
  if (value === MARKER) return markedSlot(marker, side);
  const slot =
    typeof value === 'number'
      ? BY_NUMBER[value]
      : typeof value === 'string'
        ? BY_WORD[value.trim().toLowerCase()]
        : undefined;
  if (slot === undefined) return { slot: 'world', isKnown: false, remark: null };
  return ROUND_THE_CHAT.has(slot) ? { ...plainSlot(slot), remark: FIRST_MESSAGE } : plainSlot(slot);
}

// It calls these places as SillyTavern does, and puts them round the first message of the chat.
const ROUND_THE_CHAT: ReadonlySet<Slot> = new Set([
  'note_top',
  'note_bottom',
  'before_example',
  'after_example',
]);
const FIRST_MESSAGE: SlotRemark = {
  code: 'approximated',
  message:
    'Lumiverse puts it beside the first message of the chat; here it stands where the name of its place says.',
};

const plainSlot = (slot: Slot): ReadSlot => ({ slot, isKnown: true, remark: null });

function markedSlot(marker: Json | undefined, side: Json | undefined): ReadSlot {
  const name = typeof marker === 'string' ? marker.trim().toLowerCase() : '';
  const isBefore = typeof side === 'string' && side.trim().toLowerCase() === 'before';
  const beside = BESIDE[name];
  if (beside === undefined) {
    const message = `It stands where the prompt has {{wi_marker}}; put {{outlet::${MARKER_OUTLET}}} into SillyTavern's.`;
    return {
      slot: 'outlet',
      outlet: MARKER_OUTLET,
      isKnown: true,
      remark: { code: 'approximated', message },
    };
  }
  const slot = beside[isBefore ? 0 : 1];
  if (name === EXAMPLES) return plainSlot(slot);
  const where = `${isBefore ? 'before' : 'after'} the block ${shown(name)}`;
  const message = `It stands ${where} of the prompt, which SillyTavern has no place for; the nearest was taken.`;
  const remark: SlotRemark = { code: 'approximated', message };
  return slot === 'depth' ? { slot, depth: 0, isKnown: true, remark } : { slot, isKnown: true, remark };
}

/** Writes a place into the fields that hold it; a marker that no longer counts is taken away. */
export function writeLumiverseSlot(
  position: Position,
  entry: Record<string, Json | undefined>,
  pins: Record<string, Json | undefined>,
): void {
  const place = lumiversePlace(position);
  entry['position'] = place.position;
  const held: JsonObject = pins;
  if (place.pin === null && held['wi_marker'] === undefined && held['wi_marker_side'] === undefined) return;
  pins['wi_marker'] = place.pin?.marker ?? null;
  pins['wi_marker_side'] = place.pin?.side ?? null;
}
