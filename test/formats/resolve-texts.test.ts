// Decorators, macros, and how a key is looked for in a text.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import { readKey } from '../../src/core/key.ts';
import { readDecorators } from '../../src/formats/sillytavern/decorators.ts';
import {
  contentValues,
  expandMacros,
  expandNames,
  macroValues,
} from '../../src/formats/sillytavern/resolve-macros.ts';
import { foundInside, holdsKey, regexTraits } from '../../src/formats/sillytavern/resolve-matching.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { cardWith } from '../support/fixtures.ts';

describe('readDecorators', () => {
  it.each<[string, boolean, boolean, string]>([
    ['plain', false, false, 'plain'],
    ['@@activate\ntext', true, false, 'text'],
    ['@@dont_activate\ntext', false, true, 'text'],
    ['@@depth 3\n@@role user\ntext\n@@activate', false, false, 'text\n@@activate'],
    ['@@depth 3\n@@activate\ntext', true, false, 'text'],
    // Known by its beginning, yet not the word itself.
    ['@@activate now\ntext', false, false, 'text'],
    ['@@activate\r\ntext', false, false, 'text'],
    // A fallback counts only under an unknown line.
    ['@@depth 3\n@@@activate\ntext', true, false, 'text'],
    ['@@activate\n@@@dont_activate\ntext', true, false, 'text'],
    ['@@@activate\ntext', false, false, 'text'],
    ['@@x\n@@@y\n@@@activate\ntext', true, false, 'text'],
    ['@@activate\n@@dont_activate\ntext', true, true, 'text'],
    ['@@activate', true, false, '@@activate'],
    [' @@activate\ntext', false, false, ' @@activate\ntext'],
    ['', false, false, ''],
  ])('%j', (written, activate, dontActivate, content) => {
    expect(readDecorators(written)).toEqual({ activate, dontActivate, content });
  });
});

const { character } = readPieces(
  cardWith(undefined, {
    name: 'Nyra',
    description: ' Keeper {{char}} of {{user}}. ',
    personality: 'See {{description}}!',
    character_version: '1.2',
    extensions: { depth_prompt: { prompt: 'Whisper.' } },
  }),
);

describe('expandMacros', () => {
  const names = macroValues(character, 'Robin');
  it.each<[string, string, boolean]>([
    ['none', 'none', false],
    ['{{char}} and {{USER}}', 'Nyra and Robin', false],
    ['{{ char }}', 'Nyra', false],
    ['{{{char}}}', '{Nyra}', false],
    ['<USER>, <bot>, <Char>', 'Robin, Nyra, Nyra', false],
    ['{{group}} {{charIfNotGroup}} {{notChar}}', 'Nyra Nyra Robin', false],
    ['{{description}}', 'Keeper Nyra of Robin.', false],
    ['{{personality}}', 'See !', false],
    ['{{charDepthPrompt}}{{charVersion}}', 'Whisper.1.2', false],
    ['a{{noop}}b{{// a word }}c', 'abc', false],
    ['a\n\n{{trim}}\r\nb', 'ab', false],
    ['{{newline}}{{space::2}}', '\n  ', false],
    ['{{reverse::abc}} {{reverse:abc}}', 'cba cba', false],
    ['{{random::{{user}}::b}}', '{{random::Robin::b}}', true],
    ['{{char::x}}', '{{char::x}}', true],
    ['{{if x}}{{char}}{{/if}}', '{{if x}}Nyra{{/if}}', true],
    ['{{char', '{{char', false],
    ['char}}', 'char}}', false],
    ['{{__proto__}}', '{{__proto__}}', true],
    ['{{constructor}}', '{{constructor}}', true],
    ['\\{\\{char\\}\\}', '{{char}}', false],
    ['{{space::1000000000}}', '{{space::1000000000}}', true],
  ])('%j', (written, text, open) => {
    expect(expandMacros(written, names)).toEqual({ text, open });
  });

  it('keeps names as macros in a content', () => {
    const values = contentValues(character);
    const { text } = expandMacros('<USER> met {{charIfNotGroup}}: {{description}}{{noop}}', values);
    expect(text).toBe('{{user}} met {{char}}: Keeper {{char}} of {{user}}.');
    expect(expandNames(text, 'Nyra', 'Robin')).toBe('Robin met Nyra: Keeper Nyra of Robin.');
    expect(expandMacros('{{reverse::{{char}}}}', values)).toEqual({
      text: '{{reverse::{{char}}}}',
      open: true,
    });
  });

  it('reads no macro in what it put in, and is not slow', () => {
    const tricky = readPieces(
      cardWith(undefined, { name: '{{user}}', description: '\\{\\{description\\}\\}' }),
    );
    const values = macroValues(tricky.character, 'Robin');
    expect(expandMacros('{{char}} {{description}}', values).text).toBe('{{user}} {{description}}');
    const taken = cpuTime(() => {
      for (const hostile of ['{{', '}}', '\n', '{{trim}}', '\\{', '<', 'a ', '{{a ']) {
        expandMacros(`{{${hostile.repeat(50_000)}`, values);
        expandMacros(`{{trim}}${hostile.repeat(50_000)}`, values);
      }
    });
    expect(taken).toBeLessThan(2000);
  });
});

describe('holdsKey', () => {
  const whole = { caseSensitive: false, matchWholeWords: true };
  const loose = { caseSensitive: false, matchWholeWords: false };
  const exact = { caseSensitive: true, matchWholeWords: false };
  it.each<[string, string, typeof whole, boolean]>([
    ['a lamp here', 'lamp', whole, true],
    ['lamps', 'lamp', whole, false],
    ['lamps, lamp', 'lamp', whole, true],
    ['lamps', 'lamp', loose, true],
    ['Lamp', 'lamp', exact, false],
    ['Lamp', 'LAMP', whole, true],
    ['dark oil lamps', 'oil lamp', whole, true],
    // Boundaries are ASCII: a letter with an accent ends a word, as does a CJK character.
    ['éoil', 'oil', whole, true],
    ['一条龙在', '龙', whole, true],
    ['C++ code', 'c++', whole, true],
    ['xC++', 'c++', whole, false],
    ['lamp_', 'lamp', whole, false],
    ['Lamp', '/lamp/', whole, false],
    ['lamps', '/lamp/', whole, true],
    ['', '', whole, true],
    ['\x01a', '', whole, true],
    ['aa', '', whole, false],
  ])('%j holds %j', (text, written, matching, expected) => {
    expect(holdsKey(text, readKey(written).key, matching)).toBe(expected);
  });
});

describe('a single whole word', () => {
  it('is what SillyTavern’s pattern finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '_', ' ', '.', '\n', 'é'), maxLength: 8 });
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', 'é'), maxLength: 3 });
    fc.assert(
      fc.property(text, word, (hay, key) => {
        const escaped = key.replace(/[.]/g, '\\.');
        const pattern = new RegExp(`(?:^|\\W)(${escaped})(?:$|\\W)`);
        const matching = { caseSensitive: true, matchWholeWords: true };
        expect(holdsKey(hay, { kind: 'literal', text: key }, matching)).toBe(pattern.test(hay));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('foundInside', () => {
  const matching = { caseSensitive: false, matchWholeWords: true };
  it.each<[string, 'yes' | 'no' | 'open']>([
    ['keeper', 'yes'],
    ['keep', 'no'],
    ['/keep/i', 'yes'],
    ['/lamp/', 'no'],
    // A match may begin in the chat and end here.
    ['/lamp[\\s\\S]*keeper/', 'open'],
    ['/lamp[^x]*keeper/', 'open'],
    ['/lamp.*keeper/', 'no'],
    ['/lamp.*keeper/s', 'open'],
    // The chat decides what stands at the ends, and what must be missing.
    ['/light$/', 'open'],
    ['/light$/m', 'yes'],
    ['/^Keeper/m', 'no'],
    ['/keeper(?!.*lamp)/i', 'open'],
    ['/keeper/iy', 'open'],
    // May take forever.
    ['/(e+)+x/', 'open'],
  ])('%s', (written, expected) => {
    expect(foundInside('Keeper of the light', readKey(written).key, matching)).toBe(expected);
  });

  it('sees what a pattern can do', () => {
    expect(regexTraits('a[$^(?!]b\\$\\^', '')).toEqual({
      looksAround: false,
      crossesLines: false,
      isSlow: false,
    });
    expect(regexTraits('(?<!a)b', '').looksAround).toBe(true);
    expect(regexTraits('((a|b)c)*', '').isSlow).toBe(true);
    expect(regexTraits('(wyrm|drake)s?', 'i').isSlow).toBe(false);
  });
});
