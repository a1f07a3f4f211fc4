// The rows of Lumiverse's tables that are no plain values: keys with their switch, and the slot with its marker.

import { shown } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { isArray } from '../../core/json.ts';
import { sameKeys, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import {
  areBarePatterns,
  bareKey,
  bareSources,
  LUMIVERSE_OWN_SWITCH,
  LUMIVERSE_SWITCH,
  plainKey,
} from '../_shared/bare-keys.ts';
import { rawValue } from '../_shared/book-position.ts';
import type { EntryField, EntrySource, EntryTarget, Wire } from '../_shared/entry-field.ts';
import { inEntry, inExtensions } from '../_shared/entry-field.ts';
import { readLumiverseSlot, writeLumiverseSlot } from '../_shared/lumiverse/slots.ts';
import { WHERE } from '../_shared/position-row.ts';

/** Where a form has what a card's book keeps in its extensions. */
export type Level = 'entry' | 'extensions';

const wireAt = (level: Level, key: string): Wire => (level === 'entry' ? inEntry(key) : inExtensions(key));

/** One of an entry's two lists of keys, with the switch that both share. */
export function switchedKeyRow(list: 'keys' | 'secondaryKeys', name: string, level: Level): EntryField {
  return {
    path: list,
    wires: [inEntry(name), wireAt(level, 'use_regex')],
    isPlain: false,
    read: (source, draft) => {
      const own = level === 'entry' ? LUMIVERSE_OWN_SWITCH : LUMIVERSE_SWITCH;
      const isOn = areBarePatterns(source, own);
      draft[list] = textsAt(source, name, list).map((text) =>
        isOn ? bareKey(text, list, source, own) : plainKey(text, source),
      );
    },
    same: (a, b) => sameKeys(a[list], b[list]),
    take: (from, into) => {
      into[list] = from[list];
    },
    write: (entry, target) => {
      const bare = bareSources(entry, entry.scan.caseSensitive === true ? '' : 'i');
      target.entry[name] = bare?.[list] ?? entry[list].map(writeKey);
      target[level]['use_regex'] = bare !== null;
    },
    show: (entry) => entry[list].map(writeKey),
  };
}

function textsAt(source: EntrySource, name: string, path: string): readonly string[] {
  const raw = source.entry[name];
  if (raw === undefined || raw === null) return [];
  if (isArray(raw) && raw.every((item) => typeof item === 'string')) return raw as readonly string[];
  // Its importer parts a text at commas.
  const list = isArray(raw) ? raw : typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : [];
  const texts = list.filter((item): item is string => typeof item === 'string' && item !== '');
  source.note('repaired', path, raw, texts, `${path} ${shown(raw)} is not a list of texts.`);
  return texts;
}

/** Where the entry stands; a value that Lumiverse does not know is before the character, as it is there. */
export function slotRow(level: Level): EntryField {
  return {
    path: 'position.slot',
    wires: [inEntry('position'), wireAt(level, 'wi_marker'), wireAt(level, 'wi_marker_side')],
    isPlain: false,
    read: (source, draft) => {
      const raw = source.entry['position'];
      const precise = rawValue(raw);
      const { slot, isKnown } = readLumiverseSlot(
        raw,
        source[level]['wi_marker'],
        source[level]['wi_marker_side'],
      );
      draft.position.slot = slot;
      const isUsual = isKnown && typeof raw === 'number';
      source.position = {
        coarse: rawValue(undefined),
        precise: { ...precise, at: 'entry' },
        slot,
        agreement: isUsual ? 'precise-only' : precise.present ? 'invalid' : 'assumed',
        floor: false,
      };
      if (isKnown) return;
      const what = precise.present
        ? `The position ${shown(raw)} is not known there`
        : 'The entry has no position';
      source.note('assumed', 'position.slot', raw, slot, `${what}; it stands ${WHERE[slot]}.`);
    },
    same: (a, b) => a.position.slot === b.position.slot,
    take: (from, into) => {
      into.position.slot = from.position.slot;
    },
    write: (entry: LorebookEntry, target: EntryTarget) => {
      writeLumiverseSlot(entry.position, target.entry, target[level]);
    },
    show: (entry): Json => entry.position.slot,
  };
}

/** The one title of an entry. */
export const titleRow: EntryField = {
  path: 'title',
  wires: [inEntry('comment'), inEntry('name')],
  isPlain: false,
  read: ({ entry }, draft) => {
    const texts = [entry['comment'], entry['name']];
    draft.title = texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
  },
  same: (a, b) => a.title === b.title && a.memo === b.memo,
  take: (from, into) => {
    into.title = from.title;
    into.memo = from.memo;
  },
  write: (entry, { entry: target }) => {
    target['comment'] = entry.title;
  },
  show: (entry) => (entry.memo === '' ? entry.title : [entry.title, entry.memo]),
};
