// Where JSON text is wrong. Browsers word `JSON.parse` errors differently, and most give no position.

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const LIST = 91;
const BACKSLASH = 92;
const LIST_END = 93;
const OBJECT = 123;
const OBJECT_END = 125;

const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
/** Longer numbers are taken as right: a regular expression over millions of digits can overflow its stack. */
const SCALAR_LENGTH = 1000;

type Want = 'value' | 'first-item' | 'key' | 'first-key' | 'colon' | 'after';

/**
 * The index of the first character that makes a text invalid JSON, its length when it only ends too early, or
 * undefined when it is valid. Takes no recursion, so depth does not matter.
 */
export function jsonFault(text: string): number | undefined {
  const open: number[] = [];
  let want = 'value' as Want;
  let at = 0;
  for (;;) {
    at = afterSpace(text, at);
    const top = open.at(-1);
    if (at >= text.length) return want === 'after' && top === undefined ? undefined : text.length;
    const c = text.charCodeAt(at);
    if ((want === 'first-item' && c === LIST_END) || (want === 'first-key' && c === OBJECT_END)) {
      open.pop();
      want = 'after';
      at++;
    } else if (want === 'colon') {
      if (c !== COLON) return at;
      want = 'value';
      at++;
    } else if (want === 'after') {
      if (top === undefined) return at;
      if (c === COMMA) want = top === OBJECT ? 'key' : 'value';
      else if (c === (top === OBJECT ? OBJECT_END : LIST_END)) open.pop();
      else return at;
      at++;
    } else if (c === QUOTE) {
      const end = stringEnd(text, at);
      if (end < 0) return -end;
      want = want === 'key' || want === 'first-key' ? 'colon' : 'after';
      at = end;
    } else if (want === 'key' || want === 'first-key') {
      return at;
    } else if (c === OBJECT || c === LIST) {
      open.push(c);
      want = c === OBJECT ? 'first-key' : 'first-item';
      at++;
    } else {
      const end = scalarEnd(text, at);
      if (end - at <= SCALAR_LENGTH && !SCALAR.test(text.slice(at, end))) return at;
      want = 'after';
      at = end;
    }
  }
}

/** Line and column (both from 1) of an index, for a message. */
export function lineAndColumn(text: string, index: number): string {
  let line = 1;
  let lineStart = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < index; i = text.indexOf('\n', i + 1)) {
    line++;
    lineStart = i + 1;
  }
  return `line ${line}, column ${index - lineStart + 1}`;
}

function isSpace(c: number): boolean {
  return c === 32 || c === 10 || c === 13 || c === 9;
}

function afterSpace(text: string, at: number): number {
  let i = at;
  while (i < text.length && isSpace(text.charCodeAt(i))) i++;
  return i;
}

function scalarEnd(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (isSpace(c) || c === COMMA || c === LIST_END || c === OBJECT_END || c === COLON || c === QUOTE) break;
  }
  return i === at ? at + 1 : i;
}

/** The index behind a string's closing quote, or minus the index of what is wrong in it (never 0). */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) return i + 1;
    if (c < 32) return -i;
    if (c !== BACKSLASH) continue;
    const escaped = text[i + 1];
    if (escaped === undefined) break;
    if (escaped === 'u') {
      const digits = text.slice(i + 2, i + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) return i + 2 + digits.length >= text.length ? -text.length : -i;
      i += 5;
    } else if ('"\\/bfnrt'.includes(escaped)) i++;
    else return -i;
  }
  return -text.length;
}
