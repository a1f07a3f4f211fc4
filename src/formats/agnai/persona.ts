// A character's text in Agnai: a plain one, or attributes that are set in one of four styles (1.0.27).

import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';

/** The kinds that Agnai accepts; any other, and the character is refused. */
const KINDS: ReadonlySet<string> = new Set(['boostyle', 'wpp', 'sbf', 'attributes', 'text']);

/** A persona as Agnai saves it. */
export interface Persona extends JsonObject {
  readonly kind: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** Whether a value is a persona that Agnai accepts and can set. */
export function isPersona(value: Json | undefined): value is Persona {
  if (!isObject(value) || typeof value['kind'] !== 'string' || !KINDS.has(value['kind'])) return false;
  const { attributes } = value;
  return (
    isObject(attributes) &&
    Object.values(attributes).every((list) => isArray(list) && list.every((each) => typeof each === 'string'))
  );
}

/** A plain text as a persona. */
export const textPersona = (text: string): Persona => ({ kind: 'text', attributes: { text: [text] } });

/** A persona as the text that Agnai puts into the prompt, and into its Tavern export. */
export function personaText(name: string, { kind, attributes }: Persona): string {
  const lists = Object.entries(attributes);
  const quoted = (list: readonly string[], joint: string): string =>
    list.map((each) => `"${each}"`).join(joint);
  switch (kind) {
    case 'wpp':
      return [
        `[character("${name}") {`,
        lists.map(([key, list]) => `${key}(${quoted(list, ' + ')})`).join('\n'),
        '}]',
      ].join('\n');
    case 'sbf':
      return `[ character: "${name}"; ${lists.map(([key, list]) => `${key}: ${quoted(list, ', ')}`).join('; ')} ]`;
    case 'boostyle':
      return [name, ...lists.flatMap(([, list]) => list)].join(' + ');
    case 'attributes':
      return `Name: ${name}\n${lists.map(([key, list]) => `${key}: ${list.join(', ')}`).join('\n')}`;
    default:
      return attributes['text']?.[0] ?? '';
  }
}
