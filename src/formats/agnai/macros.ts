// Macros as Agnai knows them (1.0.27, seen by rendering prompts): it replaces some of its own, and leaves SillyTavern's
// others as they stand.

import { replaceOutlets } from '../_shared/outlet-macro.ts';

// Names in two braces that it replaces with what SillyTavern would put there too.
const KNOWN = /^(?:char|user|name|idle_duration)$/i;

/** What stands for the two speakers, in the words that Agnai knows. */
export const withKnownNames = (text: string): string =>
  text.replace(/<(user|bot|char)>/gi, (_, name: string) =>
    name.toLowerCase() === 'user' ? '{{user}}' : '{{char}}',
  );

/** The macros of a text that Agnai does not replace, or takes for something of its own; each once. */
export function unknownMacros(text: string): readonly string[] {
  if (!text.includes('{{') && !text.includes('<')) return [];
  const braced = [...text.matchAll(/\{\{([^{}]*)\}\}/g)].filter(([, name = '']) => !KNOWN.test(name.trim()));
  const marked = [...text.matchAll(/<(?:user|bot|char)>/gi)];
  return [...new Set([...braced, ...marked].map(([macro]) => macro))];
}

/** A text with the outlets replaced by what stands in them. */
export const withOutlets = (text: string, held: ReadonlyMap<string, string>): string =>
  replaceOutlets(text, (name) => held.get(name) ?? '');
