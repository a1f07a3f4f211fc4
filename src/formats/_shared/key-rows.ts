// The rows of a table that need several wires at once: keys with their regex flag, the title with its memo,
// and the position with its two encodings.

import { shown } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { isArray } from '../../core/json.ts';
import type { Key } from '../../core/key.ts';
import { literalKey, patternKey, readKey, sameKeys, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { KeySwitch } from './bare-keys.ts';
import {
  areBarePatterns,
  bareFlags,
  bareKey,
  bareSources,
  plainKey,
  switchOf,
  writeSwitch,
} from './bare-keys.ts';
import type { EntryField, EntrySource, EntryTarget, Wire } from './entry-field.ts';
import { foreignKey, inEntry } from './entry-field.ts';
import { writeAt } from './plain-row.ts';

type KeyList = 'keys' | 'secondaryKeys';
const USE_REGEX = inEntry('use_regex');
const SLASH = 47;

/** Where a dialect writes both lists of keys, and whether it has the `use_regex` flag beside them. */
export interface KeyWires {
  readonly keys: readonly Wire[];
  readonly secondaryKeys: readonly Wire[];
  readonly useRegex: boolean;
}

/** The two rows of an entry's keys. */
export function keyRows(wires: KeyWires): readonly EntryField[] {
  return [keyRow('keys', wires), keyRow('secondaryKeys', wires)];
}

function keyRow(list: KeyList, wires: KeyWires): EntryField {
  const own = wires[list];
  return {
    path: list,
    wires: wires.useRegex ? [...own, USE_REGEX] : own,
    isPlain: false,
    read: (source, draft) => {
      const raw = firstRaw(own, source);
      const written = raw === undefined ? [] : writtenKeys(raw, list, source);
      draft[list] = written.length === 0 ? [] : readKeys(written, list, wires, source);
    },
    same: (a, b) => sameKeys(a[list], b[list]),
    take: (from, into) => {
      into[list] = from[list];
    },
    write: (entry, target) => {
      if (wires.useRegex && hasBareKeys(target)) {
        writeBare(entry, wires, target);
        return;
      }
      writeAt(own, target, () => entry[list].map(writeKey));
      if (wires.useRegex) writeRegexFlag(entry, list, wires, target);
    },
    show: (entry) => entry[list].map(writeKey),
  };
}

const hasBareKeys = ({ options, twin }: EntryTarget): boolean =>
  options.bareKeys !== undefined && twin !== null;

// Both lists share one switch, and it gives them one case: they are always written together.
function writeBare(entry: LorebookEntry, wires: KeyWires, target: EntryTarget): void {
  const bare = bareSources(entry, entry.scan.caseSensitive === true ? '' : 'i');
  const own = target.options.bareKeys as KeySwitch;
  const isMixed = [...entry.keys, ...entry.secondaryKeys].some(({ kind }) => kind === 'regex');
  writeSwitch(target, own, bare !== null ? true : isMixed ? 'absent' : false);
  for (const list of ['keys', 'secondaryKeys'] as const) {
    if (target.twin !== null && entry[list].length === 0 && firstHeld(wires[list], target) === undefined)
      continue;
    writeAt(wires[list], target, () => bare?.[list] ?? entry[list].map(writeKey));
  }
}

const firstHeld = (wires: readonly Wire[], { twin }: EntryTarget): Json | undefined =>
  wires.map(({ key }) => twin?.entry[key]).find((held) => held !== undefined && held !== null);

/** A row whose value gives bare keys their flags: where it changes, they are written anew. */
export function besideKeys(row: EntryField): EntryField {
  return {
    ...row,
    write: (entry, target) => {
      row.write(entry, target);
      const { twin } = target;
      if (twin === null || !hasBareKeys(target) || !areBarePatterns(twin, target.options.bareKeys)) return;
      if (bareFlags(twin) !== bareFlags(target)) writeBare(entry, CARD_KEYS, target);
    },
  };
}

/** Where a card's book holds its keys. */
export const CARD_KEYS: KeyWires = {
  keys: [inEntry('keys'), foreignKey('key')],
  secondaryKeys: [inEntry('secondary_keys'), foreignKey('keysecondary')],
  useRegex: true,
};

function firstRaw(wires: readonly Wire[], source: EntrySource): Json | undefined {
  for (const wire of wires) {
    const raw = source.entry[wire.key];
    if (raw === undefined || raw === null) continue;
    if (wire.foreign) source.sawForeign = true;
    return raw;
  }
  return undefined;
}

// A single text holds several keys joined by commas (RisuAI and AI Dungeon write keys so).
function writtenKeys(raw: Json, path: string, source: EntrySource): readonly string[] {
  if (isArray(raw)) {
    if (raw.every((item) => typeof item === 'string')) return raw as readonly string[];
    const texts = raw.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
    source.note('repaired', path, raw, texts, `${path} ${shown(raw)} held something else than texts.`);
    return texts;
  }
  if (typeof raw === 'string' || typeof raw === 'number') {
    const texts = String(raw)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    source.note('repaired', path, raw, texts, `${path} was one text and was split at its commas.`);
    return texts;
  }
  source.note('repaired', path, raw, [], `${path} ${shown(raw)} is not a list of keys and was not used.`);
  return [];
}

function readKeys(
  written: readonly string[],
  list: KeyList,
  wires: KeyWires,
  source: EntrySource,
): readonly Key[] {
  const { bareKeys } = source.options;
  const isOn = wires.useRegex && bareKeys !== undefined ? switchOf(source, bareKeys) : undefined;
  if (isOn === true && bareKeys !== undefined)
    return written.map((text) => bareKey(text, list, source, bareKeys));
  if (isOn === false) return written.map((text) => plainKey(text, source));
  if (wires.useRegex && areAllPatterns(wires, source))
    return written.map((text) => asPattern(text, list, source));
  let regexes = 0;
  const keys = written.map((text) => {
    if (text.charCodeAt(0) !== SLASH) return literalKey(text);
    const { key, broken } = readKey(text);
    if (key.kind === 'regex') regexes++;
    if (broken) {
      source.note(
        'assumed',
        list,
        text,
        text,
        `The key ${shown(text)} looks like a regex but does not compile, so it is searched for as plain text.`,
      );
    }
    return key;
  });
  if (regexes > 0 && regexes < keys.length && source.entry['use_regex'] === true) {
    source.note(
      'assumed',
      list,
      written,
      written,
      'use_regex is set, but some keys are regexes and some are plain text; the plain ones stay plain.',
    );
  }
  return keys;
}

// CCv3: with use_regex every key is a pattern. Not so in SillyTavern's own books (it writes true on every
// entry, 1.19 characters.js), nor where a key has the /source/flags form: its author wrote in that form.
function areAllPatterns(wires: KeyWires, source: EntrySource): boolean {
  if (!source.options.patternKeys || source.entry['use_regex'] !== true) return false;
  return [...wires.keys, ...wires.secondaryKeys].every((wire) => {
    const raw = source.entry[wire.key];
    return (
      !isArray(raw) || !raw.some((item) => typeof item === 'string' && readKey(item).key.kind === 'regex')
    );
  });
}

function asPattern(text: string, list: KeyList, source: EntrySource): Key {
  const key = patternKey(text, source.entry['case_sensitive'] === false ? 'i' : '');
  if (key !== null) return key;
  if (text !== '') {
    source.note(
      'assumed',
      list,
      text,
      text,
      `The pattern ${shown(text)} does not compile, so it is searched for as plain text.`,
    );
  }
  return literalKey(text);
}

// Only when every key of both lists is a regex (spec 000): a single literal must never be read as a pattern.
function writeRegexFlag(entry: LorebookEntry, list: KeyList, wires: KeyWires, target: EntryTarget): void {
  const all = [...entry.keys, ...entry.secondaryKeys];
  const useRegex = all.length > 0 && all.every((key) => key.kind === 'regex');
  const twinHas = target.twin !== null && Object.hasOwn(target.twin.entry, 'use_regex');
  if (target.twin === null || twinHas || useRegex) target.entry['use_regex'] = useRegex;
  // A bare pattern of the twin's other list would change its meaning beside keys in slash form.
  const other = list === 'keys' ? 'secondaryKeys' : 'keys';
  if (target.twin !== null && entry[other].some((key) => key.kind === 'regex')) {
    writeAt(wires[other], target, () => entry[other].map(writeKey));
  }
}
