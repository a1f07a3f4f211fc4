// `loreferry convert --to marinara`: what is written for it, what is told, and that it comes back as it was.

import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { bookEntry, bookOf, cardWith, worldEntriesOf, worldEntry, worldOf } from '../support/fixtures.ts';
import { buildPng, chunkList, rawChunks } from '../support/png-fixtures.ts';
import { bytesOf, done, jsonOf, listed, loreferry, put, type Report, refused } from './run-cli.ts';

const TO = ['--to', 'marinara'] as const;
const dataOf = (card: JsonObject): JsonObject => card['data'] as JsonObject;
const entriesIn = (card: JsonObject): readonly JsonObject[] =>
  (dataOf(card)['character_book'] as JsonObject)['entries'] as readonly JsonObject[];
const LINKED = { extensions: { world: 'Quay Notes' } };

/** Runs it and reads its report. */
function converted(file: string, ...options: readonly string[]): Report {
  done('convert', file, ...TO, ...options, '--report', 'report.json', '--force');
  return jsonOf('report.json') as unknown as Report;
}

describe('a card', () => {
  it('as PNG holds the card in chara alone, and every other chunk as it was', () => {
    const png = buildPng([
      { type: 'tEXt', keyword: 'Title', text: 'A quay' },
      { type: 'tEXt', keyword: 'ccv3', base64json: cardWith(bookOf(bookEntry())) },
    ]);
    put('card.png', png);
    done('convert', 'card.png', ...TO, '-o', 'out.png');
    const kept = (chunks: readonly Uint8Array[]): readonly string[] =>
      chunks
        .map((chunk) => Buffer.from(chunk).toString('latin1'))
        .filter((text) => !/^....tEXt(chara|ccv3)/s.test(text));
    expect(kept(rawChunks(bytesOf('out.png')))).toEqual(kept(rawChunks(png)));
    expect(chunkList(bytesOf('out.png')).filter((name) => /chara|ccv3/.test(name))).toHaveLength(1);
    expect(chunkList(bytesOf('out.png')).join()).toContain('chara');
  });

  it('speaks the dialect at the entry itself: depth, role, logic, chance', () => {
    const extensions = {
      position: 4,
      depth: 2,
      role: 2,
      selectiveLogic: 3,
      probability: 40,
      useProbability: true,
    };
    const entry = bookEntry({ secondary_keys: ['oil'], selective: true, position: 'after_char', extensions });
    put('card.json', cardWith(bookOf(entry)));
    done('convert', 'card.json', ...TO, '-o', 'out.json');
    expect(entriesIn(jsonOf('out.json'))).toMatchObject([
      { position: 4, depth: 2, role: 2, selectiveLogic: 'and_all', probability: 40, preventRecursion: false },
    ]);
  });

  it('takes the linked world file in the place of its stale copy, and the others behind it', () => {
    put('card.json', cardWith(bookOf(bookEntry({ content: 'Old.' })), LINKED));
    put('Quay Notes.json', worldOf(worldEntry(0, { content: 'New.' })));
    put('More.json', worldOf(worldEntry(0, { content: 'More.' })));
    const report = converted('card.json', '--book', 'Quay Notes.json', '--book', 'More.json', '-o', 'o.json');
    expect(entriesIn(jsonOf('o.json')).map(({ content }) => content)).toEqual(['New.', 'More.']);
    expect(report.findings).toContainEqual(expect.objectContaining({ code: 'conflict', path: 'book' }));
  });

  it('has the settings of the user folded in', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    put('settings.json', { world_info_settings: { world_info_depth: 7, world_info_case_sensitive: true } });
    done('convert', 'card.json', ...TO, '--settings', 'settings.json', '-o', 'o.json');
    const card = jsonOf('o.json');
    expect(dataOf(card)['character_book']).toMatchObject({ scan_depth: 7 });
    expect(entriesIn(card)).toMatchObject([{ case_sensitive: true }]);
  });

  it('never holds private fields unless they are to be kept', () => {
    put('card.json', cardWith(bookOf(bookEntry({ extensions: { automation_id: 'secret' } })), LINKED));
    put('Quay Notes.json', worldOf(worldEntry(0, { automationId: 'secret' })));
    const rest = ['--book', 'Quay Notes.json'];
    done('convert', 'card.json', ...TO, ...rest, '-o', 'o.json');
    expect(JSON.stringify(jsonOf('o.json'))).not.toContain('secret');
    done('convert', 'card.json', ...TO, ...rest, '--private', 'keep', '-o', 'p.json');
    expect(JSON.stringify(jsonOf('p.json'))).toContain('secret');
  });

  it('comes back as the world file that it was', () => {
    const world = worldOf(
      ...Array.from({ length: 8 }, (_, position) =>
        worldEntry(position, {
          position,
          depth: 2,
          role: 1,
          outletName: position === 7 ? 'shelf' : '',
          key: [`lamp${position}`, '/l[ae]mp/i'],
          keysecondary: ['oil'],
          selectiveLogic: position % 4,
          probability: 50 + position,
          group: 'quay',
          sticky: 2,
          triggers: position === 3 ? ['normal'] : [],
          comment: `Entry ${position}`,
        }),
      ),
    );
    put('card.json', cardWith(undefined, LINKED));
    put('Quay Notes.json', world);
    done('convert', 'card.json', ...TO, '--private', 'keep', '--book', 'Quay Notes.json', '-o', 'm.png');
    done('convert', 'm.png', '--to', 'sillytavern', '--as', 'lorebook', '-o', 'back.json');
    const back = worldEntriesOf(jsonOf('back.json')) as Record<string, JsonObject>;
    const sent = worldEntriesOf(world) as Record<string, JsonObject>;
    expect(Object.keys(back)).toEqual(Object.keys(sent));
    for (const [uid, entry] of Object.entries(sent)) expect(back[uid]).toMatchObject(entry);
  });
});

describe('the forms', () => {
  const waiting = () => cardWith(bookOf(bookEntry({ extensions: { triggers: ['swipe'] } })));
  it('a card and a lorebook file when an entry needs what a card cannot hold, never the same lore twice', () => {
    put('card.json', waiting());
    const report = converted('card.json', '-o', 'out');
    expect(listed('out')).toEqual(['Mara Lint.json', 'Quay Notes.marinara.json']);
    expect(dataOf(jsonOf('out/Mara Lint.json'))['character_book']).toBeNull();
    expect(jsonOf('out/Quay Notes.marinara.json')).toMatchObject({ type: 'marinara_lorebook', version: 1 });
    expect(report.steps.join(' ')).toContain('Assign');
  });
  it('one file when one file is asked for, with what it cannot hold said', () => {
    put('card.json', waiting());
    const report = converted('card.json', '-o', 'out.json');
    expect(entriesIn(jsonOf('out.json'))).toHaveLength(1);
    expect(report.findings).toContainEqual(expect.objectContaining({ path: 'triggers' }));
  });
  it('a character file of its own', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    done('convert', 'card.json', ...TO, '--as', 'native', '-o', 'c.marinara.json');
    expect(jsonOf('c.marinara.json')).toMatchObject({ type: 'marinara_character', version: 1 });
  });
  it('a world file becomes its own lorebook file', () => {
    put('world.json', worldOf(worldEntry(0)));
    done('convert', 'world.json', ...TO, '-o', 'l.marinara.json');
    expect(jsonOf('l.marinara.json')).toMatchObject({ type: 'marinara_lorebook', data: { entries: [{}] } });
  });
  it.each([
    [['--as', 'charx'], 'Loreferry writes no charx for marinara; there are png, json, native, lorebook.'],
    [['--target-version', '9'], 'Loreferry knows no version 9 of marinara; there are 2.3, 2.4.'],
  ])('%j is refused in one sentence', (options, sentence) => {
    put('card.json', cardWith(bookOf(bookEntry())));
    expect(refused('convert', 'card.json', ...TO, ...options, '-o', 'o')).toBe(sentence);
    expect(listed()).toEqual(['card.json']);
  });
});

describe('the report', () => {
  it('counts every entry once, and --strict tells of losses', () => {
    put(
      'card.json',
      cardWith(
        bookOf(bookEntry(), bookEntry({ id: 1, position: 'after_char', extensions: { position: 2 } })),
      ),
    );
    const report = converted('card.json', '--style', 'exact', '-o', 'o.json');
    expect(report.entries).toMatchObject({ total: 2, approximated: 1, lost: 0 });
    expect(report).toMatchObject({ target: 'marinara', style: 'exact', settings: { scanDepth: 2 } });
    expect(loreferry('convert', 'card.json', ...TO, '-o', 'p.json', '--strict').status).toBe(1);
  });
});

describe('a card of Marinara’s own, for SillyTavern', () => {
  it('has depth, role and logic where SillyTavern reads them', () => {
    const entry = {
      ...bookEntry({ position: 4 }),
      depth: 2,
      role: 2,
      selectiveLogic: 'and_all',
      secondary_keys: ['oil'],
      selective: true,
      preventRecursion: false,
      groupWeight: 100,
    };
    put('card.json', cardWith(bookOf(entry)));
    done('convert', 'card.json', '--to', 'sillytavern', '-o', 'st.json');
    expect(entriesIn(jsonOf('st.json'))).toMatchObject([
      { position: 'after_char', extensions: { position: 4, depth: 2, role: 2, selectiveLogic: 3 } },
    ]);
  });
});
