// What was edited in an app stays edited on the way back, field by field, and the rest is as it was sent. An app's table
// says what each edit is in the app's own fields, and which of ours it changes.

import { describe, expect, it } from 'vitest';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from './in-force.ts';
import type { HandOver, Way } from './round-trips.ts';
import { changedFields, entryView } from './sent-books.ts';

/** What becomes of an entry in an app: another in its place, several, or none. */
export type Edit<Held> = (held: Held) => Held | readonly Held[];

/** A way through an app whose editor is used: how it goes on in the name of a test, and what comes back. */
export type EditWay<There, Held> = readonly [
  suffix: string,
  back: (there: There, edit: Edit<Held>) => readonly CanonicalLorebook[],
];

/** What is an app's own about editing there. */
export interface EditTrips<There, Held> {
  readonly handOver: HandOver<There>;
  /** The ways on which nothing is edited. */
  readonly ways: readonly Way<There>[];
  readonly editWays: readonly EditWay<There, Held>[];
  readonly titleOf: (held: Held) => string;
  /** What of the edited entry is not as in the other apps' tests. */
  readonly original?: PartOfEntry;
  /** What is done to the entry there, and the paths that it then comes back with otherwise. */
  readonly edits: readonly (readonly [name: string, edit: (held: Held) => Held, paths: readonly string[]])[];
  /** An entry made there, at the start the same as another: its title is New, its text “Made there.” */
  readonly made: {
    readonly title?: string;
    readonly of: (other: Held) => Held;
    readonly position: Partial<LorebookEntry['position']>;
  };
}

/** The entry that is not edited. */
export const WICK = entryOf(
  { title: 'Wick', content: 'Wick note.', keys: [{ kind: 'literal', text: 'wick' }] },
  'w1',
);

/** The entry that is edited; what is given replaces. */
export const editedLamp = (given: PartOfEntry = {}): LorebookEntry =>
  entryOf({
    title: 'Lamp',
    position: { slot: 'note_top', depth: 2 },
    probability: { chance: 30 },
    triggers: ['swipe', 'normal'],
    automationId: 'au1',
    scan: { caseSensitive: null },
    ...given,
  });

/** Describes edits there: a test for each edit on each way, for a new and a removed entry, and for private fields. */
export function editTripsOf<There, Held>(app: EditTrips<There, Held>): void {
  const original = editedLamp(app.original);
  const { there } = app.handOver(characterInForce([lorebookOf([original, WICK])]), {
    style: 'exact',
    privateFields: 'keep',
  });
  const entriesOf = (books: readonly CanonicalLorebook[]) => books.flatMap(({ body }) => body.entries);
  describe('edits there win, field by field', () => {
    it.each(
      app.edits.flatMap(([name, edit, paths]) =>
        app.editWays.map(([suffix, back]) => [`${name}${suffix}`, edit, paths, back] as const),
      ),
    )('%s', (_, edit, paths, back) => {
      const [first, second, ...others] = entriesOf(
        back(there, (held) => (app.titleOf(held) === 'Lamp' ? edit(held) : held)),
      );
      expect(changedFields(original, first as LorebookEntry)).toEqual([...paths].sort());
      expect(entryView(second as LorebookEntry)).toEqual(entryView(WICK));
      expect(others).toEqual([]);
    });
    const title =
      app.made.title ?? 'an entry that was made there has only what stands there, and a removed one is gone';
    it.each(app.editWays)(`${title}%s`, (_, back) => {
      const entries = entriesOf(
        back(there, (held) => (app.titleOf(held) === 'Lamp' ? [] : [held, app.made.of(held)])),
      );
      expect(entries.map((entry) => entry.title)).toEqual(['Wick', 'New']);
      expect(entryView(entries[0] as LorebookEntry)).toEqual(entryView(WICK));
      expect(entries[1]).toMatchObject({
        position: app.made.position,
        automationId: '',
        content: 'Made there.',
      });
    });
    it('private fields come back only when they were kept', () => {
      const dropped = app.handOver(characterInForce([lorebookOf([original])]), { style: 'exact' });
      expect(JSON.stringify(dropped.there)).not.toContain('au1');
      const said = dropped.findings.filter(({ path }) => path === 'automationId');
      expect(said.map(({ code }) => code)).toEqual(['lost']);
      for (const [, read] of app.ways) {
        expect(entriesOf(read(dropped.there))[0]).toMatchObject({
          automationId: '',
          triggers: ['swipe', 'normal'],
        });
      }
    });
  });
}
