// The rows of Marinara's tables that are no plain values: keys with their switch, the slot, triggers, sources.

import { shown } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { isArray, sameJson } from '../../core/json.ts';
import { sameKeys, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { areBarePatterns, bareKey, bareSources, MARINARA_SWITCH, plainKey } from '../_shared/bare-keys.ts';
import { rawValue } from '../_shared/book-position.ts';
import { flag } from '../_shared/codecs.ts';
import type { EntryField, EntrySource } from '../_shared/entry-field.ts';
import { field, inEntry, inside } from '../_shared/entry-field.ts';
import { plain } from '../_shared/plain-row.ts';
import { WHERE } from '../_shared/position-row.ts';
import type { SlotNames } from './codecs.ts';
import { TRIGGER_NAMES, vectorsOff } from './codecs.ts';

/** One of an entry's two lists of keys, with the regex switch that both share. */
export function bareKeyRow(list: 'keys' | 'secondaryKeys', name: string): EntryField {
  return {
    path: list,
    wires: [inEntry(name), inEntry('useRegex'), inEntry('regex')],
    isPlain: false,
    read: (source, draft) => {
      const texts = textsAt(source, name, list);
      const isBare = areBarePatterns(source);
      draft[list] = texts.map((text) =>
        isBare ? bareKey(text, list, source, MARINARA_SWITCH) : plainKey(text, source),
      );
    },
    same: (a, b) => sameKeys(a[list], b[list]),
    take: (from, into) => {
      into[list] = from[list];
    },
    write: (entry, { entry: target, twin }) => {
      const bare = bareSources(entry, entry.scan.caseSensitive === true ? '' : 'i');
      target[name] = bare?.[list] ?? entry[list].map(writeKey);
      target['useRegex'] = bare !== null;
      // The app's own copy of the switch in a card.
      if (twin !== null && Object.hasOwn(twin.entry, 'regex')) target['regex'] = bare !== null;
    },
    show: (entry) => entry[list].map(writeKey),
  };
}

function textsAt(source: EntrySource, name: string, path: string): readonly string[] {
  const raw = source.entry[name];
  if (raw === undefined || raw === null) return [];
  const list = isArray(raw) ? raw : [raw];
  const texts = list.filter((item): item is string => typeof item === 'string');
  if (texts.length === list.length && isArray(raw)) return texts;
  source.note('repaired', path, raw, texts, `${path} ${shown(raw)} is not a list of texts.`);
  return texts;
}

/** Where the entry stands; a value that Marinara does not know is before the character there, as it is here. */
export function slotRow(names: SlotNames): EntryField {
  return {
    path: 'position.slot',
    wires: [inEntry('position')],
    isPlain: false,
    read: (source, draft) => {
      const raw = source.entry['position'];
      const precise = rawValue(raw);
      const found = names.find(([, ...known]) => known.includes(raw as Json));
      const slot = found?.[0] ?? 'world';
      draft.position.slot = slot;
      const isUsual = found !== undefined && found[1] === raw;
      const agreement = isUsual ? 'precise-only' : precise.present ? 'invalid' : 'assumed';
      const nothing = rawValue(undefined);
      source.position = {
        coarse: nothing,
        precise: { ...precise, at: 'entry' },
        slot,
        agreement,
        floor: false,
      };
      if (found === undefined) {
        const what = precise.present
          ? `The position ${shown(raw)} is not known there`
          : 'The entry has no position';
        source.note('assumed', 'position.slot', raw, slot, `${what}; it stands ${WHERE[slot]}.`);
      }
    },
    same: (a, b) => a.position.slot === b.position.slot,
    take: (from, into) => {
      into.position.slot = from.position.slot;
    },
    write: (entry, { entry: target }) => {
      const found = names.find(([slot]) => slot === entry.position.slot) ?? names[0];
      target['position'] = found?.[1];
    },
    show: (entry) => entry.position.slot,
  };
}

/** The one title of an entry; `also` is a second name under which the same text stands. */
export function nameRow(name: string, also: string | null): EntryField {
  return {
    path: 'title',
    wires: also === null ? [inEntry(name)] : [inEntry(name), inEntry(also)],
    isPlain: false,
    read: (source, draft) => {
      const texts = [name, also].map((key) => (key === null ? undefined : source.entry[key]));
      draft.title = texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
    },
    same: (a, b) => a.title === b.title && a.memo === b.memo,
    take: (from, into) => {
      into.title = from.title;
      into.memo = from.memo;
    },
    write: (entry, { entry: target }) => {
      target[name] = entry.title;
      if (also !== null) target[also] = entry.title;
    },
    show: (entry) => (entry.memo === '' ? entry.title : [entry.title, entry.memo]),
  };
}

const SOURCES = 'additionalMatchingSources';

/** One further text that is searched, in the list of all of them. */
export function sourceRow(name: keyof LorebookEntry['sources'], word: string): EntryField {
  const lens = inside('sources', name);
  return {
    path: lens.path,
    wires: [inEntry(SOURCES)],
    isPlain: false,
    read: ({ entry }, draft) => {
      const held = entry[SOURCES];
      lens.set(draft, isArray(held) && held.includes(word));
    },
    same: (a, b) => lens.get(a) === lens.get(b),
    take: (from, into) => lens.set(into, lens.get(from)),
    write: (entry, { entry: target }) => {
      const held = target[SOURCES];
      const others = isArray(held) ? held.filter((each) => each !== word) : [];
      target[SOURCES] = lens.get(entry) ? [...others, word] : others;
    },
    show: (entry) => lens.get(entry),
  };
}

const [MODE, FILTERS] = ['generationTriggerFilterMode', 'generationTriggerFilters'];
const ALL_TRIGGERS = [...TRIGGER_NAMES.map(([name]) => name), 'quiet'];
// A kind of chat is a trigger there as well (2.3.3); what SillyTavern has are roleplays.
const ROLEPLAY = 'roleplay';

/** The kinds of generation in which an entry may fire; a list of those in which it may not is turned round. */
export const triggersRow: EntryField = {
  path: 'triggers',
  wires: [inEntry(FILTERS), inEntry(MODE)],
  isPlain: false,
  read: ({ entry, note }, draft) => {
    const held = entry[FILTERS];
    const words = isArray(held) ? held.map((word) => String(word).trim().toLowerCase()).filter(Boolean) : [];
    const mode = entry[MODE];
    draft.triggers = [];
    if (words.length === 0 || (mode !== 'include' && mode !== 'exclude')) return;
    const known = TRIGGER_NAMES.filter(([, word]) => words.includes(word)).map(([name]) => name);
    const isListed = words.includes(ROLEPLAY);
    const isNever = mode === 'include' ? !isListed && known.length === 0 : isListed;
    if (!isNever && !isListed && known.length > 0)
      draft.triggers = mode === 'include' ? known : ALL_TRIGGERS.filter((name) => !known.includes(name));
    const unknown = words.filter((word) => !TRIGGER_NAMES.some(([, name]) => name === word));
    if (unknown.length === 0) return;
    const message = `SillyTavern has no triggers ${shown(unknown)}; they are kept aside.`;
    note('stashed', 'triggers', held, draft.triggers, message);
    // None left would mean "at any time".
    if (!isNever) return;
    if (draft.enabled) {
      const off =
        'Nothing starts it in a roleplay, and every chat of SillyTavern’s is one; it was read as off.';
      note('approximated', 'enabled', true, false, off);
    }
    draft.enabled = false;
  },
  same: (a, b) => sameJson(a.triggers, b.triggers),
  take: (from, into) => {
    into.triggers = from.triggers;
  },
  write: ({ triggers }, { entry: target }) => {
    const words = TRIGGER_NAMES.filter(([name]) => triggers.includes(name)).map(([, word]) => word);
    target[MODE] = words.length === 0 ? 'any' : 'include';
    target[FILTERS] = words;
  },
  show: (entry) => entry.triggers,
};

const VECTORS = { lens: field('vectorized'), unset: false } as const;
const [VECTORIZED, NO_VECTORS] = [inEntry('vectorized'), inEntry('excludeFromVectorization')];

/** Whether it is found by its meaning; the app's own cards say it twice. */
export const vectorRows: Readonly<Record<'card' | 'native' | 'compatible', EntryField>> = {
  card: plain({ ...VECTORS, codec: flag, wires: [VECTORIZED, { ...NO_VECTORS, invert: true }] }),
  native: plain({ ...VECTORS, codec: vectorsOff, wires: [NO_VECTORS] }),
  compatible: plain({ ...VECTORS, codec: flag, wires: [VECTORIZED] }),
};
