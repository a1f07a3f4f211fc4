// RoleCall's triggers: words and patterns, each with flags of its own. As far as is known it searches a plain word as a
// part of the text, or between characters that are no ASCII letters, digits or underscores where whole words are asked
// for; patterns run in an engine without look-around and back-references.

import type { Style } from '../../core/exporter.ts';
import { shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import { type Key, literalKey, patternKey, readKey, sameKeys, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { EntryField, EntrySource } from '../_shared/entry-field.ts';
import { inEntry } from '../_shared/entry-field.ts';
import { escapedText } from '../_shared/pattern-parts.ts';

type KeyList = 'keys' | 'secondaryKeys';

/** A trigger that asks for something else than a word, as `[messageCount:>10]` does. */
export const isCondition = (text: string): boolean => /^\[\w+:.+\]$/.test(text);

function keyOf(raw: Json, path: KeyList, source: EntrySource): Key | null {
  const trigger = typeof raw === 'string' ? { keyword: raw } : raw;
  const keyword = isObject(trigger) ? trigger['keyword'] : undefined;
  if (!isObject(trigger) || typeof keyword !== 'string') {
    source.note('repaired', path, raw, null, `The trigger ${shown(raw)} has no word and was not used.`);
    return null;
  }
  if (trigger['isRegex'] !== true) return literalKey(keyword);
  const { flags } = trigger;
  const usual = source.entry['matching.caseSensitive'] === true ? '' : 'i';
  const slashed = readKey(keyword).key;
  const key =
    slashed.kind === 'regex' ? slashed : patternKey(keyword, typeof flags === 'string' ? flags : usual);
  if (key !== null) return key;
  const message = `The pattern ${shown(keyword)} does not compile, so it is searched for as plain text.`;
  source.note('assumed', path, keyword, keyword, message);
  return literalKey(keyword);
}

function written(key: Key): JsonObject {
  if (key.kind === 'literal') return { keyword: key.text, isRegex: false };
  return { keyword: key.source, isRegex: true, flags: key.flags };
}

const nobody: EntrySource['note'] = () => undefined;

/** One of the two lists of triggers. */
export function triggerRow(path: KeyList, name: string): EntryField {
  const read = (source: EntrySource): readonly Key[] => {
    const raw = source.entry[name];
    if (raw === undefined || raw === null) return [];
    if (!isArray(raw)) {
      source.note('repaired', path, raw, [], `${path} ${shown(raw)} is not a list of triggers.`);
      return [];
    }
    return raw.map((each) => keyOf(each, path, source)).filter((key): key is Key => key !== null);
  };
  return {
    path,
    wires: [inEntry(name)],
    isPlain: false,
    read: (source, draft) => {
      draft[path] = read(source);
    },
    same: (a, b) => sameKeys(a[path], b[path]),
    take: (from, into) => {
      into[path] = from[path];
    },
    write: (entry, target) => {
      // A trigger that stays keeps the chance and the frequency that it has there.
      const held = target.twin?.entry[name];
      const source = { entry: target.twin?.entry ?? {}, note: nobody } as EntrySource;
      const known = (isArray(held) ? held : []).map((raw) => ({ raw, key: keyOf(raw, path, source) }));
      target.entry[name] = entry[path].map((key): Json => {
        const found = known.findIndex(
          (each) => each.key?.kind === key.kind && writeKey(each.key) === writeKey(key),
        );
        return found < 0 ? written(key) : (known.splice(found, 1)[0]?.raw ?? written(key));
      });
    },
    show: (entry) => entry[path].map(writeKey),
  };
}

type Scan = { readonly caseSensitive: boolean; readonly matchWholeWords: boolean };
const isOneWord = (text: string): boolean => !/\s/.test(text.trim());
const between = (text: string): string => `(?:^|\\W)(?:${escapedText(text)})(?:$|\\W)`;

/**
 * Keys as they are written: in the exact style a key of several words is a pattern where whole words are asked for, since
 * SillyTavern then looks for a part of the text (1.19); in the natural style plain keys stay plain.
 */
export function writtenKeys(keys: readonly Key[], scan: Scan, style: Style): readonly Key[] {
  return keys
    .filter((key) => key.kind === 'regex' || key.text !== '')
    .map((key) => {
      if (style === 'natural' || key.kind === 'regex') return key;
      const isPlain = !scan.matchWholeWords || isOneWord(key.text);
      if (isPlain && !isCondition(key.text)) return key;
      const source =
        scan.matchWholeWords && isOneWord(key.text) ? between(key.text) : escapedText(key.text.trim());
      return patternKey(source, scan.caseSensitive ? '' : 'i') ?? key;
    });
}

/** What a list of keys decides, as one pattern for each key; `ours`: as SillyTavern takes them. */
export function keyDecisions(keys: readonly Key[], scan: Scan, ours: boolean): Json {
  const decisions = keys.map((key) => {
    if (key.kind === 'regex') return `${key.source.replaceAll('\\/', '/')} ${key.flags}`;
    const text = key.text.trim();
    if (!ours && isCondition(text)) return `condition ${text}`;
    const isBetween = scan.matchWholeWords && (!ours || isOneWord(text));
    const source = isBetween ? between(text) : escapedText(text);
    return `${source.replaceAll('\\/', '/')} ${scan.caseSensitive ? '' : 'i'}`;
  });
  return decisions.filter((each, at) => decisions.indexOf(each) === at);
}

/** What a pattern uses that RoleCall's engine is said not to have. */
export function unsupportedPart(entry: Pick<LorebookEntry, KeyList>): string | null {
  for (const key of [...entry.keys, ...entry.secondaryKeys]) {
    const found = key.kind === 'regex' ? /\(\?<?[=!]|\\[1-9]|\\k</.exec(key.source)?.[0] : undefined;
    if (found !== undefined) return found;
  }
  return null;
}
