// An entry of RisuAI's, said in SillyTavern's words: what its decorators mean becomes fields of a character_book entry,
// which the shared table then reads. Facts: commit 460ecae2.

import type { Note } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isArray, isObject } from '../../../core/json.ts';
import { foreignTemplate } from '../foreign-template.ts';
import { noteTopLines } from '../top-lines.ts';
import { isRisuEntry } from './book.ts';
import { readDecoratorLines, writtenLine } from './decorator-lines.ts';
import { noteUnfound } from './findable.ts';
import type { Held } from './held.ts';
import { newHeld } from './held.ts';
import { withoutStale } from './left-over.ts';
import {
  areTexts,
  type Conditions,
  conditionsOf,
  hasText,
  listOf,
  plainConditions,
  plainKeys,
} from './plain-keys.ts';
import { afterThrow, BEYOND_BUDGET, RISU_PLACES, takeDecorator } from './table.ts';

/** The entry in SillyTavern's words, and the words that told its place. */
export interface PlainEntry {
  readonly entry: JsonObject;
  /** The decorator that placed it; null when none did. */
  readonly place: string | null;
}

/**
 * Says a raw entry of a RisuAI book in SillyTavern's words; null when it is none in RisuAI's. The entry is not changed.
 */
export function plainRisuEntry(raw: JsonObject, note: Note): PlainEntry | null {
  if (!isRisuEntry(raw)) return null;
  const held = newHeld();
  const written = typeof raw['content'] === 'string' ? raw['content'] : '';
  const bag = isObject(raw['extensions']) ? raw['extensions'] : {};
  const percent = chanceOf(raw, bag);
  if (percent !== null) held.chance = afterThrow(null, percent);
  const { text } = readDecoratorLines(written, (line) => takeDecorator(line, held));
  const extensions = withoutStale(bag, note);
  const entry: Record<string, Json | undefined> = Object.fromEntries(
    Object.entries(raw).filter(([key]) => !NOT_SAID.has(key)),
  );
  const title = raw['name'] ?? raw['comment'];
  if (title !== undefined) entry['comment'] = title;
  if (typeof raw['content'] === 'string') entry['content'] = text;
  noteTopLines(text, note);
  noteCode(text, note);
  entry['extensions'] = extensions;
  entry['use_regex'] = false;
  const conditions = conditionsOf(raw, held);
  takeSwitches(raw, held, conditions, entry, note);
  const keys = plainKeys(raw);
  entry['keys'] = keys.keys;
  entry['case_sensitive'] = keys.caseSensitive ?? false;
  extensions['case_sensitive'] = keys.caseSensitive ?? false;
  const wholeWord = keys.wholeWord ?? held.wholeWord;
  if (wholeWord !== null) extensions['match_whole_words'] = wholeWord;
  const isSearched = entry['constant'] !== true && entry['enabled'] === true;
  plainConditions(raw, conditions, keys.undo, entry, extensions, isSearched ? note : null);
  if (isSearched) {
    const { needed, excluded, notAll } = conditions;
    noteUnfound(raw, held, listOf(raw['keys']), [...needed, ...excluded, ...notAll], note);
  }
  takeNumbers(held, extensions, entry['constant'] === true, note);
  const place = takePlace(held, extensions, note);
  for (const line of held.aside) {
    const message = `SillyTavern has nothing like “${writtenLine(line)}”; the line is kept aside.`;
    note('stashed', `decorators.${line.name}`, writtenLine(line), null, message);
  }
  return { entry, place };
}

function noteCode(text: string, note: Note): void {
  const code = foreignTemplate(text);
  if (code === undefined) return;
  const message = `SillyTavern does not run RisuAI’s “${code}”; it stays in the text as it is written.`;
  note('approximated', 'content', code, null, message);
}

// Its way to say a chance before there were decorators; a text that it has already written anew has the line instead.
function chanceOf(raw: JsonObject, bag: JsonObject): number | null {
  const version = raw['bookVersion'];
  if (typeof version === 'number' && version >= 2) return null;
  const percent = Number.parseInt(String(bag['risu_activationPercent'] ?? raw['activationPercent']), 10);
  return Number.isNaN(percent) || percent === 0 ? null : percent;
}

// The file says enabled of every entry; the real switches are decorators, and what makes an entry wait in vain.
function takeSwitches(
  raw: JsonObject,
  held: Held,
  conditions: Conditions,
  entry: Record<string, Json | undefined>,
  note: Note,
): void {
  entry['enabled'] = held.forced !== 'off';
  const isConstant = raw['constant'] === true;
  // It passes over an entry without a key before it reads the lines.
  if (held.forced === 'on' && !isConstant && !hasText(raw['keys']) && areTexts(raw['keys'])) {
    const message = 'RisuAI passes over an entry without keys, whatever its lines say.';
    note('assumed', 'constant', '@@activate', false, message);
  } else if (held.forced === 'on') {
    entry['constant'] = true;
    // What is forced on asks for nothing more.
    held.chance = null;
    held.delay = null;
  }
  if (held.forced !== null) return;
  if (raw['mode'] === 'child') {
    const message =
      'It only keeps another entry of RisuAI’s active in one chat; it is switched off here and kept aside.';
    entry['enabled'] = false;
    note('stashed', 'mode', 'child', null, message);
  } else if (conditions.isHopeless && entry['constant'] !== true) {
    const message =
      'It asks for one of a list without keys, so RisuAI never puts it in; it is switched off here.';
    entry['enabled'] = false;
    note('approximated', 'enabled', true, false, message);
  }
}

// One title under two names, a place that it never looks at, and what marks the entry as its own.
const NOT_SAID = new Set(['name', 'position', 'mode']);

function takeNumbers(
  held: Held,
  extensions: Record<string, Json | undefined>,
  isConstant: boolean,
  note: Note,
): void {
  const { chance, delay, recursive, searchesEntries, scanDepth, priority } = held;
  if (chance !== null) Object.assign(extensions, { probability: chance, useProbability: true });
  if (delay !== null) extensions['delay'] = delay;
  if (recursive !== null) extensions['prevent_recursion'] = !recursive;
  if (!searchesEntries) extensions['exclude_recursion'] = true;
  if (priority === BEYOND_BUDGET) extensions['ignore_budget'] = true;
  if (scanDepth === null) return;
  if (scanDepth > 0) extensions['scan_depth'] = scanDepth;
  else if (!isConstant) {
    extensions['delay_until_recursion'] = 1;
    const message =
      'Only the text of other entries is searched for its keys there; here the chat is searched as well.';
    note('approximated', 'scan.depth', scanDepth, 'delayed recursion', message);
  }
}

function takePlace(held: Held, extensions: Record<string, Json | undefined>, note: Note): string | null {
  const { place, depth, role } = held;
  if (role !== 'system') {
    extensions['role'] = ROLE_NUMBERS[role];
    // What stands elsewhere than among the messages is spoken by nobody here; in a text of the prompt template also there.
    const isOfText = place.startsWith('pt_') || held.aside.some(({ name }) => name.startsWith('inject_'));
    if (!isOfText && place !== 'depth' && place !== 'reverse_depth') {
      const message =
        'SillyTavern lets an entry speak as somebody only at a depth; elsewhere it is part of the prompt.';
      note('approximated', 'position.role', role, 'system', message);
    }
  }
  const put = (
    position: number,
    path: string,
    before: string | null,
    after: string,
    message: string | null,
  ): string | null => {
    extensions['position'] = position;
    if (message !== null) note('approximated', path, before, after, message);
    return before;
  };
  if (place === 'depth' || place === 'reverse_depth') {
    Object.assign(extensions, { depth: Math.max(0, depth), role: ROLE_NUMBERS[role] });
    if (depth < 0) {
      const message = `There is no depth ${depth} in SillyTavern; it was read as 0.`;
      note('repaired', 'position.depth', `@@${place} ${depth}`, 0, message);
    }
    const isFromTop = place === 'depth' && depth > 0;
    const message = `RisuAI counts this depth from the top of the chat; it was read as ${depth} from its end, as the standard says.`;
    return put(
      4,
      'position.depth',
      `@@${place} ${depth}`,
      `${depth} from the end`,
      isFromTop ? message : null,
    );
  }
  if (place.startsWith('pt_')) {
    extensions['outlet_name'] = place.slice(3);
    return put(7, 'position.outlet', `@@position ${place}`, place.slice(3), null);
  }
  if (Object.hasOwn(RISU_PLACES, place)) {
    return put(RISU_PLACES[place] === 'world' ? 0 : 1, 'position.slot', `@@position ${place}`, place, null);
  }
  extensions['position'] = 1;
  const message = 'RisuAI puts it where the prompt template has lore; it was put after the character.';
  note('assumed', 'position.slot', null, 'character', message);
  return null;
}

const ROLE_NUMBERS = { system: 0, user: 1, assistant: 2 } as const;

/** The keys of RisuAI's own lorebook files as a list: one text, parted at commas. */
export function partedKeys(value: Json | undefined): readonly string[] {
  const texts = isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [];
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
