// Macros that have one value for a character and a persona, whatever the chat (SillyTavern 1.19, its macro engine,
// which is on as shipped). Everything that depends on the chat, on chance or on the clock is left as it stands.

import type { CanonicalCharacter } from '../../core/character.ts';
import { textAt } from '../../core/character.ts';
import { isObject, jsonAt } from '../../core/json.ts';

/** What macros stand for. `card`: texts of the card by the macro's name in lower case. */
export interface MacroValues {
  readonly char: string;
  readonly user: string;
  readonly card: ReadonlyMap<string, string>;
}

/** A text with its macros replaced; `open` when some were left, since only a running chat knows their value. */
export interface Expansion {
  readonly text: string;
  readonly open: boolean;
}

const CHAR = '{{char}}';
const USER = '{{user}}';
// A brace before a macro belongs to the text around it.
const BRACES = /\{\{(?!\{)|\}\}/g;
const MACRO = /^\s*([a-z][\w-]*)\s*(?:(?:::?|(?<=\s))\s*([\s\S]*))?$/i;
// {{if}}...{{/if}} and the like hold other macros between them.
const CLOSING = /\{\{\s*\/(?!\/[^/])/;

/**
 * Replaces the macros of a text. `unknown` says what stands in place of one that stays open. Values are never read
 * again, so a name or a text of the card cannot bring in macros.
 */
export function expandMacros(
  text: string,
  values: MacroValues,
  unknown: (raw: string) => string = (raw) => raw,
): Expansion {
  if (!/[{<\\]/.test(text)) return { text, open: false };
  const scoped = CLOSING.test(text);
  const known = withoutMarkers(text);
  const frames: string[] = [''];
  let open = false;
  let last = 0;
  const add = (part: string): void => {
    frames[frames.length - 1] += part;
  };
  for (const { 0: brace, index } of known.matchAll(BRACES)) {
    add(known.slice(last, index));
    last = index + 2;
    if (brace === '{{') frames.push('');
    else if (frames.length === 1) add(brace);
    else {
      const inner = frames.pop() ?? '';
      const value = macroValue(inner, values, scoped);
      if (value === null) open = true;
      add(value ?? unknown(`{{${inner}}}`));
    }
  }
  add(known.slice(last));
  const joined = frames.join('{{');
  // The engine's last steps: escaped braces lose their backslash, {{trim}} takes the line ends around it.
  return { text: trimmed(joined.replace(/\\([{}])/g, '$1')), open };
}

function trimmed(text: string): string {
  const parts = text.split(/\{\{trim\}\}/i);
  if (parts.length === 1) return text;
  const last = parts.length - 1;
  return parts
    .map((part, index) => {
      let [from, to] = [0, part.length];
      if (index > 0) while (part[from] === '\n' || part.startsWith('\r\n', from)) from++;
      if (index < last) while (to > from && part[to - 1] === '\n') to -= part[to - 2] === '\r' ? 2 : 1;
      return part.slice(from, Math.max(from, to));
    })
    .join('');
}

function withoutMarkers(text: string): string {
  return text.replace(/<(user|bot|char|group|charifnotgroup)>/gi, (_, name: string) =>
    name.toLowerCase() === 'user' ? USER : CHAR,
  );
}

function macroValue(inner: string, values: MacroValues, scoped: boolean): string | null {
  if (!scoped && /^\s*\/\//.test(inner)) return '';
  const [, written = '', argument] = MACRO.exec(inner) ?? [];
  const name = written.toLowerCase();
  if (argument !== undefined && argument !== '') return scoped ? null : withArgument(name, argument);
  switch (name) {
    case 'char':
    case 'group':
    case 'charifnotgroup':
    case 'groupnotmuted':
      return values.char;
    case 'user':
    case 'notchar':
      return values.user;
  }
  if (scoped) return null;
  switch (name) {
    case 'noop':
      return '';
    case 'newline':
      return '\n';
    case 'space':
      return ' ';
    case 'trim':
      return '{{trim}}';
    default:
      return values.card.get(name) ?? null;
  }
}

function withArgument(name: string, argument: string): string | null {
  if (name === 'reverse') return argument.includes('{{') ? null : Array.from(argument).reverse().join('');
  if (name !== 'newline' && name !== 'space') return null;
  const count = Number(argument);
  if (!Number.isInteger(count) || count < 0 || count > 100) return null;
  return (name === 'space' ? ' ' : '\n').repeat(count);
}

/** Replaces `{{char}}` and `{{user}}` in a text, for a target that does not know them. */
export function expandNames(text: string, char: string, user: string): string {
  return text.replace(/\{\{\s*(char|user)\s*\}\}/gi, (_, name: string) =>
    name.toLowerCase() === 'char' ? char : user,
  );
}

/** The values of a character and a persona, names and all: what keys are searched with. */
export function macroValues(character: CanonicalCharacter, user: string): MacroValues {
  return valuesWith(character, character.body.name, user);
}

/** The values for a content: names stay `{{char}}` and `{{user}}`, which every target knows. */
export function contentValues(character: CanonicalCharacter): MacroValues {
  return valuesWith(character, CHAR, USER);
}

function valuesWith(character: CanonicalCharacter, char: string, user: string): MacroValues {
  const { body } = character;
  const raw = Object.values(character.original)[0]?.raw;
  const root = isObject(raw) ? raw : {};
  const data = isObject(root['data']) ? root['data'] : root;
  const note = jsonAt(body.extensions, ['depth_prompt', 'prompt']);
  const texts: readonly (readonly [string, string])[] = [
    ['description', body.description],
    ['chardescription', body.description],
    ['personality', body.personality],
    ['charpersonality', body.personality],
    ['scenario', body.scenario],
    ['charscenario', body.scenario],
    ['creatornotes', body.creatorNotes],
    ['charcreatornotes', body.creatorNotes],
    ['chardepthprompt', typeof note === 'string' ? note : ''],
    ['mesexamplesraw', body.exampleMessages],
    ['greeting', body.firstMessage],
    ['charfirstmessage', body.firstMessage],
    ['charprompt', textAt(data, 'system_prompt')],
    ['charinstruction', textAt(data, 'post_history_instructions')],
    ['version', textAt(data, 'character_version')],
    ['charversion', textAt(data, 'character_version')],
    ['char_version', textAt(data, 'character_version')],
  ];
  // Inside a text of the card the other texts are empty: SillyTavern does not go round in circles.
  const empty = new Map(texts.map(([name]) => [name, '']));
  const names: MacroValues = { char, user, card: empty };
  const card = new Map(texts.map(([name, text]) => [name, expandMacros(text.trim(), names).text]));
  return { char, user, card };
}
