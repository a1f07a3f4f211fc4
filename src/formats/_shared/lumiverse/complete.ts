// What an entry of Lumiverse's says beside its fields: a block of the prompt that it stands at, and a priority. For every
// form in which the app holds entries (1.1.0).

import type { Note } from '../../../core/finding.ts';
import { shown as shownValue } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { EntryDraft } from '../../../core/lorebook.ts';
import { noteGroup, switchOffUnsaid } from '../app-codecs.ts';
import type { EntrySource } from '../entry-field.ts';
import { noteTopLines } from '../top-lines.ts';
import { MARKER, readLumiverseSlot } from './slots.ts';

/** The priority of a new entry there. */
export const USUAL_PRIORITY = 10;

/** Completes an entry after its fields were read. Its pin stands at the entry or in its extensions. */
export function completeLumiverse({ entry, extensions, note }: EntrySource, draft: EntryDraft): void {
  const marker = entry['wi_marker'] ?? extensions['wi_marker'];
  const side = entry['wi_marker_side'] ?? extensions['wi_marker_side'];
  const { slot, depth, outlet, remark } = readLumiverseSlot(entry['position'], marker, side);
  if (depth !== undefined) draft.position.depth = depth;
  if (outlet !== undefined) draft.position.outlet = outlet;
  const place = entry['position'];
  const isPinned = typeof marker === 'string' && Number(place) === MARKER;
  const shown = isPinned ? `${marker}, ${side === 'before' ? 'before' : 'after'}` : (place ?? null);
  if (remark !== null) note(remark.code, 'position.slot', shown, outlet ?? slot, remark.message);
  const priority = entry['priority'] ?? extensions['priority'];
  if (typeof priority === 'number' && priority !== USUAL_PRIORITY) {
    const message = `Its priority ${priority} is compared before the order there; SillyTavern has only the order, so it is kept aside.`;
    note('stashed', 'priority', priority, null, message);
  }
  noteTopLines(draft.content, note);
  noteOutlet(draft, note);
  leaveStale(entry, extensions, draft, note);
  readLogic(
    entry['selective_logic'] ?? extensions['selective_logic'] ?? entry['selectiveLogic'],
    draft,
    note,
  );
  noteGroup(draft, note);
  readActivation(draft, note);
}

// An entry with an outlet's name is in that outlet there wherever else it stands.
function noteOutlet({ position }: EntryDraft, note: Note): void {
  if (position.slot === 'outlet' || position.outlet === '') return;
  const message = `In Lumiverse its text stands also where the prompt has {{outlet::${position.outlet}}}.`;
  note('approximated', 'position.outlet', position.outlet, null, message);
}

// In its card's book: no switch is inherited, and two fields are left out where there are none; what SillyTavern left in
// the extensions is nobody's then.
function leaveStale(entry: JsonObject, extensions: JsonObject, draft: EntryDraft, note: Note): void {
  const isOfCard = Object.hasOwn(extensions, 'selective_logic') && !Object.hasOwn(entry, 'selective_logic');
  if (!isOfCard) return;
  switchOffUnsaid(extensions, draft);
  const say = (path: string, before: Json, after: Json): void =>
    note(
      'conflict',
      path,
      before,
      after,
      `The entry's extensions say ${path} from before Lumiverse; there it has none.`,
    );
  const { role } = draft.position;
  if ((entry['role'] ?? null) === null && role !== 'system') {
    draft.position.role = 'system';
    if (draft.position.slot === 'depth') say('position.role', role, 'system');
  }
  const { name } = draft.group;
  if ((entry['group'] ?? null) === null && name !== '') {
    draft.group = { ...draft.group, name: '' };
    say('group.name', name, '');
  }
}

// Of a logic that it does not know it asks no secondary keys (1.1.0).
function readLogic(logic: Json | undefined, draft: EntryDraft, note: Note): void {
  if (logic === undefined || logic === null || [0, 1, 2, 3].includes(logic as number)) return;
  if (!draft.selective || draft.secondaryKeys.length === 0) return;
  draft.selective = false;
  const message = `Lumiverse does not know the logic ${shownValue(logic)} and asks for no secondary keys then; so it is read.`;
  note('repaired', 'selective', true, false, message);
}

// What is constant is in the prompt there always: it rolls no chance and waits for nothing (1.1.0). The times are kept as
// they stand, for the switch may be turned off again.
function readActivation(draft: EntryDraft, note: Note): void {
  const isAlways = draft.enabled && draft.constant;
  const { chance, used } = draft.probability;
  if (isAlways && used && chance < 100) {
    draft.probability = { chance, used: false };
    const message = `A constant entry always fires in Lumiverse, whatever its chance (${chance} %); so the chance is not used.`;
    note('repaired', 'probability.used', true, false, message);
  }
  if (isAlways) noteWaiting(draft, note);
  else noteTiming(draft, note);
  if (draft.vectorized && draft.enabled && !draft.constant) {
    const message =
      'In Lumiverse the text of other entries is not searched for its keys, nor its own text for theirs, since it is vectorized.';
    note('approximated', 'vectorized', 'without recursion', 'with recursion', message);
  }
}

function noteWaiting({ timing, recursion }: EntryDraft, note: Note): void {
  const message = 'A constant entry always fires in Lumiverse; here it waits, too, and the number was kept.';
  for (const name of ['sticky', 'cooldown', 'delay'] as const) {
    const value = timing[name];
    if (value !== null) note('approximated', `timing.${name}`, 'not used', value, message);
  }
  const { delayUntil } = recursion;
  if (delayUntil > 0) note('approximated', 'recursion.delayUntil', 'not used', delayUntil, message);
}

function noteTiming({ timing }: EntryDraft, note: Note): void {
  const { sticky, cooldown, delay } = timing;
  const counts = 'counts turns there and messages in SillyTavern; the number was kept';
  if (sticky !== null) note('repaired', 'timing.sticky', sticky, sticky, `The sticky time ${counts}.`);
  if (cooldown !== null && sticky === null) {
    const message =
      'A cooldown starts in Lumiverse only when a sticky time has ended, so this one never does; in SillyTavern it starts whenever the entry fires.';
    note('approximated', 'timing.cooldown', 'never starts', cooldown, message);
  } else if (cooldown !== null)
    note('repaired', 'timing.cooldown', cooldown, cooldown, `The cooldown ${counts}.`);
  if (delay !== null) {
    const message =
      'The delay counts turns in which its keys were found there, and messages in SillyTavern; the number was kept.';
    note('repaired', 'timing.delay', delay, delay, message);
  }
}
