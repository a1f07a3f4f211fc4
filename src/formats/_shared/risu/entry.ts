// An entry of RisuAI's, said in SillyTavern's words: what its decorators mean becomes fields of a character_book entry,
// which the shared table then reads. Facts: commit 460ecae2. RisuAI never looks at SillyTavern's own extensions; those
// that it could say itself are stale beside its decorators (decisions 8a), the others can only be the author's.

import type { Note } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isArray, isObject } from '../../../core/json.ts';
import { readDecoratorLines, writtenLine } from './decorator-lines.ts';
import type { Held } from './held.ts';
import { newHeld } from './held.ts';
import { plainConditions, plainKeys } from './plain-keys.ts';
import { BEYOND_BUDGET, RISU_PLACES, takeDecorator } from './table.ts';

/** The entry in SillyTavern's words, and the words that told its place. */
export interface PlainEntry {
  readonly entry: JsonObject;
  /** The decorator that placed it; null when none did. */
  readonly place: string | null;
}

/**
 * Says a raw entry of a RisuAI book in SillyTavern's words; null when it is no entry of RisuAI's: it gives every entry a
 * `mode`, which SillyTavern, embedding its own copy of the book, and an edit of ours leave out. The entry is not changed.
 */
export function plainRisuEntry(raw: JsonObject, note: Note): PlainEntry | null {
  if (typeof raw['mode'] !== 'string') return null;
  const held = newHeld();
  const written = typeof raw['content'] === 'string' ? raw['content'] : '';
  const bag = isObject(raw['extensions']) ? raw['extensions'] : {};
  // Its way to say a chance before there were decorators; it turns it into one itself.
  const percent = bag['risu_activationPercent'] ?? raw['activationPercent'];
  if (typeof percent === 'number' && percent !== 0) held.chance = percent;
  const { text } = readDecoratorLines(written, (line) => takeDecorator(line, held));
  const extensions: Record<string, Json | undefined> = Object.fromEntries(
    Object.entries(bag).filter(([key]) => !STALE.has(key)),
  );
  const entry: Record<string, Json | undefined> = Object.fromEntries(
    Object.entries(raw).filter(([key]) => !NOT_SAID.has(key)),
  );
  const title = raw['name'] ?? raw['comment'];
  if (title !== undefined) entry['comment'] = title;
  if (typeof raw['content'] === 'string') entry['content'] = text;
  entry['extensions'] = extensions;
  entry['use_regex'] = false;
  // The file says true of every entry; the real switch is a decorator.
  entry['enabled'] = held.forced !== 'off';
  if (held.forced === 'on') entry['constant'] = true;
  const keys = plainKeys(raw);
  entry['keys'] = keys.keys;
  entry['case_sensitive'] = keys.caseSensitive ?? false;
  extensions['case_sensitive'] = keys.caseSensitive ?? false;
  const wholeWord = keys.wholeWord ?? held.wholeWord;
  if (wholeWord !== null) extensions['match_whole_words'] = wholeWord;
  plainConditions(raw, held, keys.undo, entry, extensions, note);
  takeNumbers(held, extensions, note);
  const place = takePlace(held, extensions, note);
  for (const line of held.aside) {
    const message = `SillyTavern has nothing like “${writtenLine(line)}”; the line is kept aside.`;
    note('stashed', `decorators.${line.name}`, writtenLine(line), null, message);
  }
  return { entry, place };
}

// One title under two names, a place that it never looks at, and what marks the entry as its own.
const NOT_SAID = new Set(['name', 'position', 'mode']);

// What decorators decide, whatever SillyTavern once wrote.
const STALE = new Set(['position', 'depth', 'role', 'selectiveLogic', 'match_whole_words', 'case_sensitive']);

function takeNumbers(held: Held, extensions: Record<string, Json | undefined>, note: Note): void {
  const { chance, delay, recursive, searchesEntries, scanDepth, priority } = held;
  if (chance !== null) Object.assign(extensions, { probability: chance, useProbability: true });
  if (delay !== null) extensions['delay'] = delay;
  if (recursive !== null) extensions['prevent_recursion'] = !recursive;
  if (!searchesEntries) extensions['exclude_recursion'] = true;
  if (priority === BEYOND_BUDGET) extensions['ignore_budget'] = true;
  if (scanDepth === 0) {
    extensions['delay_until_recursion'] = 1;
    const message =
      'Only the text of other entries is searched for its keys there; here the chat is searched as well.';
    note('approximated', 'scan.depth', 0, 'delayed recursion', message);
  } else if (scanDepth !== null) extensions['scan_depth'] = scanDepth;
}

function takePlace(held: Held, extensions: Record<string, Json | undefined>, note: Note): string | null {
  const { place, depth, role } = held;
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
