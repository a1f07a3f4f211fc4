// Findings that say the same of several entries: most entries of a big lorebook differ in the same few ways.

import type { Finding } from './core/finding.ts';

/** What findings have in common that say the same of different entries; equal for those alone. */
export const likeness = (found: Finding): string => `${found.code} ${found.path} ${ofAny(found.message)}`;

/** A finding's sentence as it is said of any entry: without the key, the name and the number that it is about. */
export function ofAny(sentence: string): string {
  return sentence
    .replace(/ So may \d+ more of its keys\.$/, '')
    .replace(/\bThe (key|name) “[^”]*”/g, 'A $1')
    .replace(/“[^”]*”/g, '“…”')
    .replace(/\d+/g, '…');
}
