// A pattern taken apart, and put together again: for apps whose patterns have no flags but a switch for case.

/** One atom of a pattern, or a mark between atoms; `text` is as written. */
export interface PatternPart {
  readonly kind: 'character' | 'class' | 'escape' | 'reference' | 'dot' | 'anchor' | 'mark' | 'quantifier';
  readonly text: string;
}

const PART = new RegExp(
  [
    '(?<group>\\((?:\\?(?:[:=!]|<[=!]|<[A-Za-z_$][\\w$]*>))?)',
    '(?<mark>[)|])',
    '(?<anchor>[\\^$])',
    '(?<quantifier>(?:[*+?]|\\{\\d+(?:,\\d*)?\\})\\??)',
    '(?<dot>\\.)',
    '(?<class>\\[(?:\\\\[\\s\\S]|[^\\]\\\\])*\\])',
    '(?<reference>\\\\(?:[1-9]\\d*|k<[^>]*>))',
    '(?<coded>\\\\(?:x[\\da-fA-F]{2}|u[\\da-fA-F]{4}|u\\{[\\da-fA-F]+\\}|c[A-Za-z]|0(?!\\d)))',
    '(?<escape>\\\\[dDwWsSbBtnvfr]|\\\\[pP]\\{[^}]*\\})',
    '(?<quoted>\\\\[\\s\\S])',
    '(?<character>[\\s\\S])',
  ].join('|'),
  'gu',
);

/** Takes a source apart; put together again, the texts of the parts are the source. */
export function partsOf(source: string): readonly PatternPart[] {
  return [...source.matchAll(PART)].map(({ 0: text, groups }) => {
    const name = Object.keys(groups ?? {}).find((each) => groups?.[each] !== undefined) ?? 'character';
    if (name === 'group') return { kind: 'mark', text };
    if (name === 'coded' || name === 'quoted') return { kind: 'character', text };
    return { kind: name as PatternPart['kind'], text };
  });
}

/** The character that a `character` part stands for; null for one that only the flag u knows. */
export function characterOf(text: string): string | null {
  if (!text.startsWith('\\')) return text;
  const code = /^\\(?:x(..)|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\})$/.exec(text);
  const digits = code?.[1] ?? code?.[2] ?? code?.[3];
  if (digits !== undefined) {
    const point = Number.parseInt(digits, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : null;
  }
  if (text === '\\0') return '\0';
  return text.startsWith('\\c') && text.length === 3 ? null : text.slice(1);
}

/** Text as a pattern that finds just this text. */
export function escapedText(text: string): string {
  // A blank at an edge would be trimmed away, and a slash at one could be taken for the /source/flags form.
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/^\s|\s$/g, (blank) => codeOf(blank));
}

/** A character as an escape of its code. */
export const codeOf = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Both cases of a character, each one code unit long; just the character when it has no case. */
export function casesOf(character: string): readonly string[] {
  const others = [character.toLowerCase(), character.toUpperCase()].filter(
    (other) => other.length === character.length && other !== character,
  );
  return [character, ...new Set(others)];
}
