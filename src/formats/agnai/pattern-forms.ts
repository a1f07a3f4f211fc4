// A pattern taken apart into the forms in which it can be found, as far as keywords can say them. What cannot be said
// becomes a gap or a wider token, with a doubt: the forms are found at least where the pattern is.

import type { KeyForm, Token } from './key-tokens.ts';
import { charToken, EDGE } from './key-tokens.ts';

type Forms = readonly KeyForm[];

/** More forms than this, and the largest part becomes a gap. */
const MOST_FORMS = 64;
/** A class of more characters than this is any word character. */
const MOST_MEMBERS = 12;

/** Groups may stand inside each other: more than this, and the pattern is not taken apart. */
const MOST_GROUPS = 200;
/** Nor is a longer one: nobody writes it, and its forms would be copied letter by letter. */
const MOST_LETTERS = 10_000;

const GAP: Token = { kind: 'gap', wordless: false };
const WORDLESS: Token = { kind: 'gap', wordless: true };
const ONE: Token = { kind: 'word', many: false };
const MANY: Token = { kind: 'word', many: true };
const NOTHING: Forms = [{ tokens: [], doubt: null }];
const WIDER = 'Agnai can only look for something wider';
const AROUND = 'what must stand around it cannot be said there';
const SPACE = 'any white space is one space there';

const of = (doubt: string | null, ...tokens: readonly Token[]): Forms => [{ tokens, doubt }];

/** The forms of a pattern that compiles. */
export function formsOfPattern(source: string, flags: string): Forms {
  if (source.length > MOST_LETTERS || (source.match(/\(/g) ?? []).length > MOST_GROUPS) return of(WIDER, GAP);
  const reader: Reader = { source, at: 0 };
  const forms: KeyForm[] = [];
  // A bracket too many cannot be in a pattern that compiles; it would only end the reading early.
  do forms.push(...alternatives(reader));
  while (reader.at++ < source.length);
  const isCased = !flags.includes('i') && /\p{Cased}/u.test(source.replace(/\\./g, ''));
  if (!isCased && !flags.includes('y')) return forms;
  const doubt = isCased ? 'case does not count in Agnai' : AROUND;
  return forms.map((form) => ({ ...form, doubt: form.doubt ?? doubt }));
}

interface Reader {
  readonly source: string;
  at: number;
}

const peek = ({ source, at }: Reader): string => source[at] ?? '';
function take(reader: Reader, pattern: RegExp): string | null {
  const found = new RegExp(pattern.source, 'y');
  found.lastIndex = reader.at;
  const [text] = found.exec(reader.source) ?? [];
  if (text === undefined) return null;
  reader.at += text.length;
  return text;
}

function alternatives(reader: Reader): Forms {
  const all: KeyForm[] = [...sequence(reader)];
  while (take(reader, /\|/) !== null) all.push(...sequence(reader));
  return all.length > MOST_FORMS ? of(WIDER, GAP) : all;
}

function sequence(reader: Reader): Forms {
  let forms = NOTHING;
  while (reader.at < reader.source.length && !'|)'.includes(peek(reader))) {
    forms = joined(forms, repeated(atom(reader), reader));
  }
  return forms;
}

function joined(first: Forms, second: Forms): Forms {
  if (first.length * second.length > MOST_FORMS) {
    return first.length > second.length ? joined(of(WIDER, GAP), second) : joined(first, of(WIDER, GAP));
  }
  return first.flatMap((a) =>
    second.map((b) => ({ tokens: [...a.tokens, ...b.tokens], doubt: a.doubt ?? b.doubt })),
  );
}

function atom(reader: Reader): Forms {
  const char = peek(reader);
  if (char === '(') return group(reader);
  if (char === '[') return classOf(take(reader, /\[(?:\\[\s\S]|[^\]\\])*\]?/) ?? '');
  if (char === '\\') return escaped(reader);
  const point = String.fromCodePoint(reader.source.codePointAt(reader.at) ?? 0);
  reader.at += point.length;
  if (char === '.') return of(WIDER, GAP);
  if (char === '^' || char === '$') return of(AROUND);
  return of(null, charToken(point));
}

function group(reader: Reader): Forms {
  const opening = take(reader, /\((?:\?(?:<?[=!]|<[^>]*>|:|[a-z-]+:))?/) ?? '(';
  const forms = alternatives(reader);
  take(reader, /\)/);
  return /[=!]$/.test(opening) ? of(AROUND) : forms;
}

const CONTROL: ReadonlySet<string> = new Set('nrtfv0');

function escaped(reader: Reader): Forms {
  const coded = take(reader, /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\})/);
  if (coded !== null)
    return of(null, charToken(String.fromCodePoint(Number.parseInt(coded.replace(/[^0-9a-fA-F]/g, ''), 16))));
  if (take(reader, /\\(?:[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|[1-9]\d*)/) !== null) return of(WIDER, GAP);
  const char = reader.source[reader.at + 1] ?? '';
  reader.at += 2;
  if (char === 'b') return of(null, EDGE);
  if (char === 'B') return of(AROUND);
  if (char === 'w') return of(null, ONE);
  if (char === 'd') return of(WIDER, ONE);
  if (char === 's') return of(SPACE, charToken(' '));
  if (char === 'W' || CONTROL.has(char)) return of(WIDER, WORDLESS);
  return char === 'D' || char === 'S' ? of(WIDER, GAP) : of(null, charToken(char));
}

/** A class: each of a few members, any word character when all are, else anything. */
function classOf(text: string): Forms {
  const inner = text.replace(/^\[|\]$/g, '');
  if (inner.startsWith('^')) return of(WIDER, GAP);
  if (inner === '\\w' || inner === 'A-Za-z0-9_') return of(null, ONE);
  const members = membersOf(inner);
  if (members === null) return of(WIDER, GAP);
  const isSpaced = /\\s/.test(inner);
  if (members.length <= MOST_MEMBERS) {
    return members.map((char) => ({ tokens: [charToken(char)], doubt: isSpaced ? SPACE : null }));
  }
  const words = members.filter((char) => /\w/.test(char)).length;
  return of(WIDER, words === members.length ? ONE : words === 0 ? WORDLESS : GAP);
}

const RANGE_LIMIT = 256;

function membersOf(inner: string): readonly string[] | null {
  const spelled = inner.replace(/\\w/g, 'A-Za-z0-9_').replace(/\\d/g, '0-9').replace(/\\s/g, ' ');
  const members: string[] = [];
  for (const [, low = '', high] of spelled.matchAll(/(\\[\s\S]|[\s\S])(?:-(\\[\s\S]|[^\\]))?/gu)) {
    const [first, last] = [plainMember(low), plainMember(high ?? low)];
    if (first === null || last === null) return null;
    const [from, to] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
    if (to - from > RANGE_LIMIT) return null;
    for (let point = from; point <= to; point++) members.push(String.fromCodePoint(point));
  }
  return members;
}

// An escape that stands for other characters than itself is not taken apart further.
const plainMember = (text: string): string | null => {
  if (!text.startsWith('\\')) return text;
  const char = text.slice(1);
  return /[A-Za-z0-9]/.test(char) ? null : char;
};

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function boundsOf(reader: Reader): Bounds | null {
  const text = take(reader, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/);
  if (text === null) return null;
  if (text.startsWith('{')) {
    const [, least = '0', comma, most] = /\{(\d+)(,?)(\d*)\}/.exec(text) ?? [];
    return {
      least: Number(least),
      most: comma === '' ? Number(least) : most === '' ? Infinity : Number(most),
    };
  }
  return { least: text.startsWith('+') ? 1 : 0, most: text.startsWith('?') ? 1 : Infinity };
}

const MOST_REPEATS = 8;

function repeated(forms: Forms, reader: Reader): Forms {
  const bounds = boundsOf(reader);
  if (bounds === null) return forms;
  const { least, most } = bounds;
  const [only] = forms;
  const [token] = only?.tokens ?? [];
  const isOne = forms.length === 1 && only?.tokens.length === 1;
  const times = (count: number): Forms =>
    Array.from({ length: Math.min(count, MOST_REPEATS) }).reduce<Forms>(
      (held) => joined(held, forms),
      NOTHING,
    );
  if (isOne && token?.kind === 'gap') return of(WIDER, least === 0 ? GAP : token);
  if (isOne && token?.kind === 'word' && most > least) {
    return joined(times(least), of(most === Infinity ? (only?.doubt ?? null) : WIDER, MANY));
  }
  const isSpace = isOne && token?.kind === 'char' && token.char === ' ';
  if (isSpace && most === Infinity)
    return least === 0 ? [...doubted(NOTHING, SPACE), ...doubted(forms, SPACE)] : doubted(forms, SPACE);
  if (most <= MOST_REPEATS && (most - least) * forms.length <= MOST_FORMS) {
    const counts = Array.from({ length: most - least + 1 }, (_, index) => least + index);
    const all = counts.flatMap(times);
    if (all.length <= MOST_FORMS) return all;
  }
  return joined(times(least), of(WIDER, GAP));
}

const doubted = (forms: Forms, doubt: string): Forms =>
  forms.map((form) => ({ ...form, doubt: form.doubt ?? doubt }));
