// The prompt as SillyTavern builds it, and as a spec-only reader would: slots, order in each, what moved.

import { describe, expect, it } from 'vitest';
import type { ContainerRead } from '../../src/containers/container.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Role } from '../../src/core/position.ts';
import { exportLorebooks } from '../../src/export-character.ts';
import { RISU_EXPORTER } from '../../src/formats/risu/exporter.ts';
import { lorebookFromWorld } from '../../src/formats/sillytavern/world-twin.ts';
import type { EntryView } from '../../src/inspection/book-view.ts';
import { type ChatPart, chatParts } from '../../src/inspection/prompt-chat.ts';
import { type MapEntry, type PromptMap, promptMap } from '../../src/inspection/prompt-map.ts';
import {
  AGNAI_READER,
  LUMIVERSE_READER,
  MARINARA_READER,
  NOTHING_AROUND,
  PROMPT_READERS,
  type PromptPlace,
  type PromptReader,
  type PromptSurroundings,
  placeHere,
  RISU_READER,
  SILLYTAVERN_READER,
  SPEC_ONLY_READER,
} from '../../src/inspection/prompt-readers.ts';
import { parityCases } from '../parity/cases.ts';
import { bookEntry, bookOf, cardWith, readCase, worldEntry, worldOf } from '../support/fixtures.ts';
import { viewOf } from '../support/views.ts';

const names = (entries: readonly MapEntry[] | null | undefined): readonly string[] | null =>
  entries?.map(({ view }) => view.label) ?? null;

/** A map as names, empty slots left out. */
function drawn(map: PromptMap): Readonly<Record<string, Json>> {
  const slots: readonly (readonly [string, readonly MapEntry[] | null])[] = [
    ['before', map.before],
    ['after', map.after],
    ['examplesTop', map.examplesTop],
    ['examplesBottom', map.examplesBottom],
    ['noteTop', map.noteTop],
    ['noteBottom', map.noteBottom],
    ...(map.depths ?? []).map((row) => [`${row.depth} ${row.role}`, row.entries] as const),
    ...(map.outlets ?? []).map((row) => [`outlet ${row.outlet}`, row.entries] as const),
    ['nowhere', map.nowhere],
  ];
  return Object.fromEntries(
    slots
      .filter(([, entries]) => entries !== null && entries.length > 0)
      .map(([slot, entries]) => [slot, names(entries)]),
  ) as Readonly<Record<string, Json>>;
}

const named = (comment: string, given: JsonObject): JsonObject => ({ comment, key: [comment], ...given });
const worldMap = (entries: readonly JsonObject[], reader: PromptReader = SILLYTAVERN_READER): PromptMap =>
  promptMap(viewOf(worldOf(...entries.map((given, uid) => worldEntry(uid, given)))).entries, reader);
const cardMap = (entries: readonly JsonObject[], reader: PromptReader): PromptMap =>
  promptMap(
    viewOf(cardWith(bookOf(...entries.map((given, id) => bookEntry({ id, ...given }))))).entries,
    reader,
  );

describe('SillyTavern’s slots', () => {
  it('hold each of the eight positions', () => {
    const entries = Array.from({ length: 8 }, (_, position) =>
      named(`p${position}`, { position, depth: 2, role: 1, outletName: 'shelf' }),
    );
    expect(drawn(worldMap(entries))).toEqual({
      before: ['p0'],
      after: ['p1'],
      noteTop: ['p2'],
      noteBottom: ['p3'],
      '2 user': ['p4'],
      examplesTop: ['p5'],
      examplesBottom: ['p6'],
      'outlet shelf': ['p7'],
    });
  });

  it('leave out an outlet without a name and a position that the engine does not know', () => {
    const entries = [
      named('unnamed', { position: 7, outletName: '' }),
      named('text', { position: '4' }),
      named('none', { position: null }),
    ];
    expect(drawn(worldMap(entries))).toEqual({ nowhere: ['unnamed', 'text', 'none'] });
  });

  it('are all there when the book is empty', () => {
    const map = worldMap([]);
    expect(drawn(map)).toEqual({});
    expect(map.before).toEqual([]);
    expect(map.depths).toEqual([]);
    expect(map.moved.size).toBe(0);
  });

  it('show what is off where it would stand', () => {
    expect(drawn(worldMap([named('off', { disable: true, position: 1 })]))).toEqual({ after: ['off'] });
  });
});

describe('the order in a slot', () => {
  const three = (position: number): readonly JsonObject[] =>
    [30, 10, 20].map((order) => named(`o${order}`, { order, position, depth: 1, outletName: 'x' }));
  it.each([0, 1, 2, 3, 4, 6])('is ascending at position %i', (position) => {
    expect(Object.values(drawn(worldMap(three(position))))).toEqual([['o10', 'o20', 'o30']]);
  });
  it.each([5, 7])('is descending at position %i', (position) => {
    expect(Object.values(drawn(worldMap(three(position))))).toEqual([['o30', 'o20', 'o10']]);
  });

  const ties = (position: number): readonly JsonObject[] =>
    ['first', 'second', 'third'].map((name) => named(name, { position, depth: 1, outletName: 'x' }));
  it('puts the later one of two that are equal first, and the other way round where it is descending', () => {
    expect(drawn(worldMap(ties(0)))).toEqual({ before: ['third', 'second', 'first'] });
    expect(drawn(worldMap(ties(5)))).toEqual({ examplesTop: ['first', 'second', 'third'] });
    expect(drawn(worldMap(ties(7)))).toEqual({ 'outlet x': ['first', 'second', 'third'] });
  });

  it('has the deepest first, and at one depth assistant, user, system', () => {
    const at = (depth: number, role: number): JsonObject =>
      named(`${depth}.${role}`, { position: 4, depth, role });
    const map = worldMap([at(0, 0), at(4, 0), at(4, 2), at(4, 1), at(12, 0)]);
    expect(map.depths?.map(({ depth, role }) => `${depth} ${role}`)).toEqual([
      '12 system',
      '4 assistant',
      '4 user',
      '4 system',
      '0 system',
    ]);
  });
});

describe('what the real engine built', () => {
  const SLOTS: Readonly<Record<string, keyof PromptMap>> = {
    before: 'before',
    after: 'after',
    emTop: 'examplesTop',
    emBottom: 'examplesBottom',
    anTop: 'noteTop',
    anBottom: 'noteBottom',
  };
  const markOf = ({ view }: MapEntry): number => Number(/MARK_(\d+)/.exec(view.entry.content)?.[1]);
  const listOf = (map: PromptMap, place: { slot: string; depth?: number; role?: string; name?: string }) => {
    if (place.slot === 'depth')
      return map.depths?.find(({ depth, role }) => depth === place.depth && role === place.role)?.entries;
    if (place.slot === 'outlet') return map.outlets?.find(({ outlet }) => outlet === place.name)?.entries;
    return map[SLOTS[place.slot] as keyof PromptMap] as readonly MapEntry[];
  };
  let compared = 0;
  let inOrder = 0;

  // Several books are mixed by rules of their own.
  const cases = parityCases().filter(
    ({ worlds, settings }) => worlds.length === 1 && settings['recursive'] !== undefined,
  );
  it.each(cases.map((each) => [each.id, each] as const))('%s', (_, given) => {
    const map = promptMap(viewOf(given.worlds[0]?.world as Json).entries, SILLYTAVERN_READER);
    for (const { id, truth } of given.chats) {
      const places = Object.entries(truth.placed).filter(([mark]) => mark !== '900');
      const byPlace = new Map<string, { readonly mark: number; readonly order: number }[]>();
      for (const [mark, place] of places) {
        const { order, ...rest } = place;
        const key = JSON.stringify(rest);
        byPlace.set(key, [...(byPlace.get(key) ?? []), { mark: Number(mark), order }]);
      }
      for (const [key, marks] of byPlace) {
        const real = marks.sort((a, b) => a.order - b.order).map(({ mark }) => mark);
        const ours = (listOf(map, JSON.parse(key)) ?? []).filter((each) => real.includes(markOf(each)));
        const marksOf = ours.map(markOf);
        const hasTies = new Set(ours.map(({ view }) => view.order)).size < ours.length;
        // With recursion, of two that are equal the one that fires in a later pass comes first.
        const isSettled = !hasTies || given.settings['recursive'] !== true;
        if (isSettled) expect([id, key, marksOf]).toEqual([id, key, real]);
        else expect([id, key, [...marksOf].sort()]).toEqual([id, key, [...real].sort()]);
        if (isSettled && real.length > 1) inOrder += real.length;
        compared += real.length;
      }
    }
  });

  it('was compared at all', () => {
    expect(compared).toBeGreaterThan(100);
    expect(inOrder).toBeGreaterThan(20);
  });
});

describe('a spec-only reader', () => {
  it('has the two slots of the standard', () => {
    const map = cardMap([{}], SPEC_ONLY_READER);
    expect([map.examplesTop, map.noteTop, map.depths, map.outlets]).toEqual([null, null, null, null]);
  });

  it('follows the word alone', () => {
    const entry = (comment: string, position: Json, precise: Json): JsonObject => ({
      comment,
      position,
      extensions: { position: precise, depth: 2, outlet_name: 'x' },
    });
    const map = cardMap(
      [
        entry('agree', 'before_char', 0),
        entry('floor', 'after_char', 4),
        entry('conflict', 'before_char', 4),
        entry('outlet', 'after_char', 7),
        entry('note', 'after_char', 2),
        entry('examples', 'before_char', 5),
        entry('absent', null, 0),
        entry('number', 0, null),
        entry('foreign', 'before_char_defs', 1),
      ],
      SPEC_ONLY_READER,
    );
    // Equal orders: the later one first.
    expect(drawn(map)).toEqual({
      before: ['examples', 'conflict', 'agree'],
      after: ['foreign', 'number', 'absent', 'note', 'outlet', 'floor'],
    });
    const moved = [...(map.before ?? []), ...(map.after ?? [])]
      .filter(({ movedFrom }) => movedFrom !== null)
      .map(({ view, movedFrom }) => [view.label, movedFrom === 'nowhere' ? movedFrom : movedFrom?.slot]);
    expect(Object.fromEntries(moved)).toEqual({
      examples: 'before_example',
      conflict: 'depth',
      number: 'world',
      absent: 'world',
      note: 'note_top',
      outlet: 'outlet',
      floor: 'depth',
    });
    expect(Object.fromEntries(map.moved)).toEqual({
      examples: 1,
      depths: 2,
      character: 2,
      note: 1,
      outlets: 1,
    });
  });

  it('brings out what goes nowhere in SillyTavern', () => {
    const map = cardMap(
      [{ comment: 'hulk', position: 'after_char', extensions: { position: 7 } }],
      SPEC_ONLY_READER,
    );
    expect(map.after?.[0]?.movedFrom).toBe('nowhere');
    expect(Object.fromEntries(map.moved)).toEqual({ nowhere: 1 });
  });

  it('sees a world file as the card that is made from it', () => {
    const map = worldMap(
      [named('before', { position: 0 }), named('depth', { position: 4 }), named('examples', { position: 5 })],
      SPEC_ONLY_READER,
    );
    expect(drawn(map)).toEqual({ before: ['examples', 'before'], after: ['depth'] });
  });
});

describe('another app', () => {
  const eight = Array.from({ length: 8 }, (_, position) =>
    named(`p${position}`, { position, depth: 2, role: 1, order: 10 * (8 - position), outletName: 'shelf' }),
  );
  const viewsOfEight = (given: JsonObject = {}) =>
    viewOf(worldOf(...eight.map((entry, uid) => worldEntry(uid, { ...entry, ...given })))).entries;
  const someone = (noteDepth: number | null, ...outlets: readonly string[]): PromptSurroundings => ({
    noteDepth: 6,
    character: { noteDepth, outlets: new Set(outlets) },
  });

  it('RisuAI: the examples’ slots behind the character, in their order; the note’s at its depth', () => {
    const map = promptMap(viewsOfEight(), RISU_READER, someone(null));
    expect(drawn(map)).toEqual({
      before: ['p0'],
      after: ['p1', 'p5', 'p6'],
      '6 system': ['p2', 'p3'],
      '2 user': ['p4'],
      'outlet shelf': ['p7'],
    });
    expect(map.noteTop).toBeNull();
    expect([...map.moved]).toEqual([
      ['note', 2],
      ['examples', 2],
    ]);
    expect(RISU_READER.outletMarker?.(' a, b ')).toBe('{{position::a b}}');
  });

  it('RisuAI: what is put on top of the examples one by one keeps that order', () => {
    const entries = [10, 30, 20].map((order) => named(`o${order}`, { position: 5, order }));
    expect(drawn(worldMap(entries, RISU_READER))).toEqual({ after: ['o30', 'o20', 'o10'] });
  });

  it('RisuAI: as its file says it, read back', () => {
    const written = exportLorebooks(RISU_EXPORTER, CONTAINER, {
      lorebooks: [
        lorebookFromWorld(worldOf(...eight.map((entry, uid) => worldEntry(uid, entry))), 'w', 'W').lorebook,
      ],
      style: 'natural',
      privateFields: 'drop',
      noteDepth: 6,
    });
    const [file] = written.files;
    const json = JSON.parse(new TextDecoder().decode(file?.bytes)) as { data: JsonObject[] };
    // Without what is kept aside, as an edit there would leave it.
    const bare = { ...json, data: json.data.map(({ extentions: _kept, ...lore }) => lore) };
    const back = viewOf(bare as unknown as Json).entries;
    const placeOf = RISU_READER.placer(viewsOfEight(), someone(null));
    expect(back.map((view) => placed(placeHere(view)))).toEqual(
      viewsOfEight().map((view) => placed(placeOf(view))),
    );
  });

  it('Lumiverse: all places but the author’s note’s', () => {
    const map = promptMap(viewsOfEight(), LUMIVERSE_READER, someone(null));
    expect(drawn(map)).toEqual({
      before: ['p0'],
      after: ['p1'],
      examplesTop: ['p5'],
      examplesBottom: ['p6'],
      '6 system': ['p2', 'p3'],
      '2 user': ['p4'],
      'outlet shelf': ['p7'],
    });
    expect([...map.moved]).toEqual([['note', 2]]);
    expect(LUMIVERSE_READER.outletMarker?.('shelf')).toBe('{{outlet::shelf}}');
    expect(LUMIVERSE_READER.outletMarker?.('wi_marker')).toBe('{{wi_marker}}');
  });

  it('Agnai: one block from top to bottom; an outlet goes nowhere', () => {
    expect(drawn(promptMap(viewsOfEight(), AGNAI_READER, someone(null)))).toEqual({
      after: ['p0', 'p1', 'p5', 'p6', 'p2', 'p3', 'p4'],
      nowhere: ['p7'],
    });
  });

  it('Agnai: what is always there goes to the Insert, behind the examples and into an outlet that is shown', () => {
    const constant = viewsOfEight({ constant: true });
    expect(drawn(promptMap(constant, AGNAI_READER, someone(2, 'shelf')))).toEqual({
      after: ['p0', 'p1', 'p5', 'p2', 'p3'],
      examplesBottom: ['p6'],
      '2 system': ['p4'],
      'outlet shelf': ['p7'],
    });
    expect(drawn(promptMap(constant, AGNAI_READER, someone(null)))).toMatchObject({
      '6 system': ['p2', 'p3'],
      nowhere: ['p7'],
    });
    expect(drawn(promptMap(constant, AGNAI_READER))).toMatchObject({ nowhere: ['p7'] });
    expect(promptMap(constant, AGNAI_READER).depths).toEqual([]);
  });

  it('Agnai: an entry that is off, or that ordinary replies never start, is in the block', () => {
    const inBlock = (given: JsonObject) =>
      drawn(promptMap(viewsOfEight({ constant: true, ...given }), AGNAI_READER, someone(2)))['after'];
    expect(inBlock({ disable: true })).toHaveLength(7);
    expect(inBlock({ triggers: ['quiet'] })).toHaveLength(7);
    expect(inBlock({ triggers: ['normal', 'quiet'] })).toHaveLength(5);
  });

  it('Marinara: the note’s slots at its depth', () => {
    expect(drawn(promptMap(viewsOfEight(), MARINARA_READER, someone(null)))).toEqual({
      before: ['p5', 'p0'],
      after: ['p6', 'p1'],
      '6 system': ['p3', 'p2'],
      '2 user': ['p4'],
      nowhere: ['p7'],
    });
  });
});

const CONTAINER: ContainerRead = { kind: 'json', json: {}, copies: [{ json: {} }], notes: [] };
const placed = (place: PromptPlace): Json =>
  place === 'nowhere'
    ? place
    : [
        place.slot,
        ...(place.slot === 'depth' ? [place.depth, place.role] : []),
        ...(place.slot === 'outlet' ? [place.outlet] : []),
      ];

describe('every reader', () => {
  const views = (): readonly EntryView[] =>
    ['18-', '26-', '56-', '87-', 'S1-'].flatMap((prefix) => viewOf(readCase(prefix)).entries);
  it.each(PROMPT_READERS.map((reader) => [reader.id, reader] as const))(
    '%s places every entry once',
    (_, reader) => {
      const entries = views();
      const map = promptMap(entries, reader);
      const ids = Object.values(drawnIds(map)).flat();
      expect(ids).toHaveLength(entries.length);
      const placeOf = reader.placer(entries, NOTHING_AROUND);
      for (const view of entries) {
        const place = placeOf(view);
        if (place !== 'nowhere') expect(reader.slots.has(place.slot)).toBe(true);
      }
    },
  );

  it('moves nothing in SillyTavern itself', () => {
    expect(promptMap(views(), SILLYTAVERN_READER).moved.size).toBe(0);
  });
});

function drawnIds(map: PromptMap): readonly (readonly string[])[] {
  return [
    map.before,
    map.after,
    map.examplesTop,
    map.examplesBottom,
    map.noteTop,
    map.noteBottom,
    ...(map.depths ?? []).map(({ entries }) => entries),
    ...(map.outlets ?? []).map(({ entries }) => entries),
    map.nowhere,
  ].map((entries) => (entries ?? []).map(({ view }) => view.id));
}

describe('the chat', () => {
  const row = (depth: number, role: Role = 'system') => ({ depth, role, entries: [] });
  const words = (parts: readonly ChatPart[]): readonly string[] =>
    parts.map((part) => {
      if (part.kind === 'entries') return `${part.row.depth} ${part.row.role}`;
      return part.kind === 'messages' ? `${part.count} messages${part.newest ? ', newest' : ''}` : part.kind;
    });

  it('without entries is messages around the note', () => {
    expect(words(chatParts([], 4))).toEqual(['earlier', 'note', '4 messages, newest']);
  });

  it('has the note between deeper and higher entries, and first among the system’s at its depth', () => {
    const rows = [row(12), row(4, 'assistant'), row(4, 'user'), row(4), row(1), row(0)];
    expect(words(chatParts(rows, 4))).toEqual([
      'earlier',
      '12 system',
      '8 messages',
      '4 assistant',
      '4 user',
      'note',
      '4 system',
      '3 messages',
      '1 system',
      '1 messages, newest',
      '0 system',
    ]);
  });

  it('has the note where it is set to be', () => {
    expect(words(chatParts([row(4), row(1)], 2))).toEqual([
      'earlier',
      '4 system',
      '2 messages',
      'note',
      '1 messages',
      '1 system',
      '1 messages, newest',
    ]);
  });

  it('ends with the newest message, or with what stands below it', () => {
    expect(words(chatParts([row(9)], 4))).toEqual([
      'earlier',
      '9 system',
      '5 messages',
      'note',
      '4 messages, newest',
    ]);
    expect(words(chatParts([row(0)], 4))).toEqual(['earlier', 'note', '4 messages, newest', '0 system']);
  });
});

describe('five thousand entries', () => {
  const { entries } = viewOf(
    worldOf(
      ...Array.from({ length: 5000 }, (_, uid) =>
        worldEntry(uid, { position: uid % 8, depth: uid % 97, order: uid % 300, outletName: `o${uid % 50}` }),
      ),
    ),
  );
  it.each(PROMPT_READERS.map((reader) => [reader.id, reader] as const))(
    'are drawn up in a blink by %s',
    (_, reader) => {
      const times = Array.from({ length: 5 }, () => {
        const start = process.cpuUsage().user;
        promptMap(entries, reader);
        return (process.cpuUsage().user - start) / 1000;
      });
      // This process's own time, since other tests run beside it: 10 to 30 ms where nothing does.
      expect(Math.min(...times)).toBeLessThan(100);
    },
  );
});
