// `loreferry convert` says on the terminal what differs: a line for all entries of which the same is said.

import { describe, expect, it } from 'vitest';
import { differenceLines } from '../../src/cli/difference-lines.ts';
import { fieldWords } from '../../src/cli/field-words.ts';
import { finding } from '../../src/core/finding.ts';
import { bookEntry, bookOf, cardWith } from '../support/fixtures.ts';
import { done, jsonOf, put } from './run-cli.ts';

const linesBehindCounts = (printed: string): readonly string[] => {
  const lines = printed.trimEnd().split('\n');
  return lines.slice(lines.findIndex((line) => /^\d+ entr(y|ies): /.test(line)) + 1);
};

describe('what differs', () => {
  const entries = ['Lamp', 'Quay', 'Boat', 'Mole', 'Buoy'].map((comment, id) =>
    bookEntry({
      id,
      comment,
      keys: ['x'],
      constant: true,
      position: 'after_char',
      extensions: { position: 2 },
    }),
  );

  it('is said in groups, the worst first, with the names of a few entries', () => {
    put(
      'card.json',
      cardWith(
        bookOf(
          ...entries,
          bookEntry({
            id: 9,
            comment: 'Odo',
            extensions: { character_filter: { names: ['Odo'], tags: ['t1'], isExclude: true } },
          }),
          bookEntry({ id: 10, comment: 'Bell', extensions: { automation_id: 'qr-7' } }),
        ),
      ),
    );
    const lines = linesBehindCounts(
      done('convert', 'card.json', '--to', 'rolecall', '--as', 'lorebook', '-o', 'o/'),
    );
    expect(lines[0]).toMatch(/^ {2}lost: character filter of “Odo”\. /);
    const note = lines.filter((line) => line.includes('“Lamp”'));
    expect(note).toEqual([
      expect.stringMatching(/^ {2}approximated: position of “Lamp”, “Quay”, “Boat” and 2 more\. RoleCall /),
    ]);
    expect(lines.at(-1)).toBe(
      '  remark: automation id of “Bell”. Only SillyTavern uses it, so it stays behind.',
    );
  });

  it('is nothing where all is exact', () => {
    put('card.json', cardWith(bookOf(...entries)));
    expect(linesBehindCounts(done('convert', 'card.json', '--to', 'sillytavern', '-o', 'o.json'))).toEqual(
      [],
    );
  });

  it('ends after a dozen lines and says where the rest is', () => {
    const findings = Array.from({ length: 40 }, (_, at) =>
      finding(
        'stashed',
        { bookId: 'b', entryId: null },
        `field_${String.fromCharCode(97 + (at % 26))}${at}`,
        at,
        null,
        'x.',
      ),
    );
    const conversion = { files: [], lorebooks: [], report: { findings } } as unknown as Parameters<
      typeof differenceLines
    >[0];
    const lines = differenceLines(conversion, undefined);
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toBe('  and 28 more; --report REPORT.json writes them all.');
    expect(differenceLines(conversion, 'r.json').at(-1)).toBe('  and 28 more; r.json has them all.');
  });

  it('the file of the report keeps all of it', () => {
    put('card.json', cardWith(bookOf(...entries)));
    done('convert', 'card.json', '--to', 'rolecall', '--as', 'lorebook', '-o', 'o/', '--report', 'r.json');
    const { findings } = jsonOf('r.json') as unknown as { findings: readonly { path: string }[] };
    expect(findings.filter(({ path }) => path === 'position.slot')).toHaveLength(5);
  });
});

describe('fields in words', () => {
  it.each([
    ['settings.budget', 'budget'],
    ['timing.sticky', 'sticky'],
    ['sources.scenario', 'additional sources'],
    ['data.extensions.depth_prompt', 'character’s note'],
    ['extensions.cardwright', 'the field “cardwright”'],
    ['kind', 'the field “kind”'],
    ['constructor', 'the field “constructor”'],
  ])('%s', (path, words) => {
    expect(fieldWords(path)).toBe(words);
  });
});
