// Golden files of what an app gets (test/fixtures/<app>/golden.json): every place, every logic, keys of every kind, and
// the order of entries. The entries are the same for every app; what of a written row is kept is the app's own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Style } from '../../src/core/exporter.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { SLOTS } from './entry-values.ts';
import type { PartOfEntry } from './in-force.ts';
import { STYLES } from './sent-books.ts';
import { keysOf } from './wire-tables.ts';

/** An entry at each place that SillyTavern has. */
export const PLACES: readonly PartOfEntry[] = SLOTS.map((slot, at) => ({
  title: slot,
  content: `${slot}.`,
  order: 10 * at,
  position: { slot, depth: 2, role: 'user', outlet: 'shelf' },
}));

/** The logics, in the order of the golden files. */
export const LOGICS = ['and_any', 'and_all', 'not_any', 'not_all'] as const;

/** Entries whose order in the prompt is told by their orders, by the later of equals, or by their depths. */
export const ORDERS: readonly PartOfEntry[] = [
  ...[30, 10, 20, 20].map((order, at) => ({ content: `Before ${at}.`, order })),
  ...[4, 1, 2].map((depth) => ({
    content: `Depth ${depth}.`,
    position: { slot: 'depth' as const, depth },
  })),
];

const KEY_KINDS: Readonly<Record<string, PartOfEntry>> = {
  'inside words': { keys: keysOf('lamp'), scan: { matchWholeWords: false } },
  'case counts': { keys: keysOf('Lamp', 'oil lamp'), scan: { caseSensitive: true } },
  'comma and signs': { keys: keysOf('Paris, France', 'C++', 'AC/DC') },
  'other scripts': { keys: keysOf('東京', 'дом', 'élan') },
  'regex with flags': { keys: keysOf('/l[ae]mp/i', '/^lamp/m', '/l.mp/s', '/\\p{L}amp/u') },
  'regex without flags': { keys: keysOf('/Lamp/') },
  'slash and comma': { keys: keysOf('/a\\/b,c/i', '/[x,/]/i') },
  'beside plain keys': { keys: keysOf('lamp', '/x+/i') },
  'with second keys': { keys: keysOf('/x+/i'), secondaryKeys: keysOf('oil', '/tar/') },
  'always there': { keys: keysOf('lamp', '/x/'), constant: true },
  blank: { keys: keysOf('', 'lamp') },
};

/** Something in each style. */
export const inStyles = (made: (style: Style) => unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(STYLES.map((style) => [style, made(style)]));

/** Keys of every kind in each style, those that only one app is asked for among them. */
export const keyKinds = (
  own: Readonly<Record<string, PartOfEntry>>,
  written: (given: PartOfEntry, style: Style) => unknown,
): Readonly<Record<string, unknown>> =>
  inStyles((style) =>
    Object.fromEntries(
      Object.entries({ ...KEY_KINDS, ...own }).map(([kind, given]) => [kind, written(given, style)]),
    ),
  );

/** Describes that an app gets what its golden file says. */
export function goldenOf(
  app: string,
  title: string,
  current: Readonly<Record<'places' | 'logics' | 'keys' | 'order', unknown>>,
): void {
  const file = join(import.meta.dirname, '../fixtures', app, 'golden.json');
  const golden = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
  describe(title, () => {
    it.each(['places', 'logics', 'keys', 'order'] as const)('%s', (name) => {
      expect(current[name]).toEqual(golden[name]);
    });
  });
}
