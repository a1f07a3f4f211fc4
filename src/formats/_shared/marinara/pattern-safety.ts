// Which patterns Marinara refuses to run. It guards itself against patterns that could take for ever by looks alone, and
// searches a refused one as plain text, so that practically never anything matches. Facts: Marinara Engine 2.3.3, found
// by trying patterns against its check; told anew here.

/** One piece of a pattern's source and the quantifier behind it. */
interface Piece {
  readonly text: string;
  readonly end: number;
  readonly quantifier: Quantifier | null;
}

interface Quantifier {
  /** Everything but `?`. */
  readonly repeats: boolean;
  readonly endless: boolean;
  readonly required: boolean;
}

const LONGEST = 1000;
const BROAD = /^\\[sSwWdD]$/;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})/y;

/** Whether Marinara runs a pattern; it searches any other one as plain text. Sources are looked at trimmed. */
export function isRunByMarinara(pattern: string): boolean {
  const source = pattern.trim();
  if (source.length > LONGEST) return false;
  return source === '' || (!isSlowChain(source) && nestsOnce(source));
}

// Undefined: the pattern is broken, or a quantifier is followed by "+".
function pieceAt(source: string, at: number): Piece | undefined {
  const end = endOfAtom(source, at);
  if (end === undefined) return undefined;
  const quantified = quantifierAt(source, end);
  if (quantified === undefined) return undefined;
  return { text: source.slice(at, end), end: quantified.end, quantifier: quantified.quantifier };
}

function endOfAtom(source: string, at: number): number | undefined {
  if (source[at] === '[') return endOfClass(source, at);
  if (source[at] !== '\\') return at + 1;
  const next = source[at + 1];
  if (next === undefined) return undefined;
  if ('pPu'.includes(next) && source[at + 2] === '{') {
    const close = source.indexOf('}', at + 3);
    return close < 0 ? undefined : close + 1;
  }
  return at + 2;
}

// A bracket right behind the opening one does not close the class there, unlike in JavaScript.
function endOfClass(source: string, at: number): number | undefined {
  let here = at + 1;
  if (source[here] === '^') here++;
  if (source[here] === ']') here++;
  for (; here < source.length; here++) {
    if (source[here] === '\\') here++;
    else if (source[here] === ']') return here + 1;
  }
  return undefined;
}

function quantifierAt(
  source: string,
  at: number,
): { readonly quantifier: Quantifier | null; readonly end: number } | undefined {
  QUANTIFIER.lastIndex = at;
  const found = QUANTIFIER.exec(source)?.[0];
  if (found === undefined) return { quantifier: null, end: at };
  const end = at + found.length;
  if (source[end] === '+') return undefined;
  const isCount = found.startsWith('{');
  const quantifier = {
    repeats: found !== '?',
    endless: found === '*' || found === '+' || found.endsWith(',}'),
    required: found === '+' || (isCount && Number.parseInt(found.slice(1), 10) > 0),
  };
  return { quantifier, end: source[end] === '?' ? end + 1 : end };
}

// A repetition may hold no other one, and repeated alternatives must begin differently.
function nestsOnce(source: string): boolean {
  const open: { inner: number; readonly start: number }[] = [];
  const record = (height: number): void => {
    const group = open.at(-1);
    if (group !== undefined) group.inner = Math.max(group.inner, height);
  };
  for (let at = 0; at < source.length; ) {
    if (source[at] === '(') {
      const start = startOfGroup(source, at);
      if (start === undefined) return false;
      open.push({ inner: 0, start });
      at = start;
      continue;
    }
    const piece = pieceAt(source, at);
    if (piece === undefined) return false;
    let height = piece.quantifier?.repeats === true ? 1 : 0;
    if (piece.text === ')') {
      const group = open.pop();
      if (group === undefined) return false;
      if (height > 0 && areAlternativesAlike(source.slice(group.start, at))) return false;
      height += group.inner;
    }
    if (height > 1) return false;
    record(height);
    at = piece.end;
  }
  return open.length === 0;
}

function startOfGroup(source: string, at: number): number | undefined {
  if (source[at + 1] !== '?') return at + 1;
  const known = /(?:[:=!]|<[=!])/y;
  known.lastIndex = at + 2;
  const kind = known.exec(source)?.[0];
  if (kind !== undefined) return at + 2 + kind.length;
  const close = source[at + 2] === '<' ? source.indexOf('>', at + 3) : -1;
  return close < 0 ? undefined : close + 1;
}

function areAlternativesAlike(body: string): boolean {
  const beginnings = alternativesOf(body).map(beginningOf);
  if (beginnings.length < 2) return false;
  const startsWith = (long: readonly string[], short: readonly string[]): boolean =>
    short.every((token, at) => long[at] === token);
  return beginnings.some((one, at) =>
    beginnings.some((other, place) => place !== at && startsWith(one, other)),
  );
}

// Here a bracket closes the class wherever it stands.
function alternativesOf(body: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < body.length; at++) {
    const here = body[at];
    if (here === '\\') at++;
    else if (inClass) inClass = here !== ']';
    else if (here === '[') inClass = true;
    else if (here === '(') depth++;
    else if (here === ')') depth = Math.max(0, depth - 1);
    else if (here === '|' && depth === 0) {
      found.push(body.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, body.slice(start)];
}

// The atoms up to the first one that is no plain character, escape or class.
function beginningOf(alternative: string): readonly string[] {
  const atoms: string[] = [];
  for (let at = 0; at < alternative.length; ) {
    const end = endOfAtom(alternative, at);
    if (end === undefined || '(){}*+?|^$.'.includes(alternative[at] as string)) break;
    atoms.push(alternative.slice(at, end));
    at = end;
  }
  return atoms;
}

// Two endless runs of broad atoms with nothing needed between them, or three in all. A run of "anything but x" that is
// followed by an x does not count. The marks of a group are taken for plain characters.
function isSlowChain(source: string): boolean {
  let total = 0;
  let adjacent = 0;
  let bounded: { readonly text: string; readonly before: number } | null = null;
  for (let at = 0; at < source.length; ) {
    if ('()|^$'.includes(source[at] as string)) {
      at++;
      continue;
    }
    const piece = pieceAt(source, at);
    if (piece === undefined) return true;
    const { text, quantifier } = piece;
    if (quantifier?.endless === true && isBroad(text)) {
      bounded = text.startsWith('[^') ? { text, before: total } : null;
      total++;
      adjacent++;
      if (adjacent > 1 || total > 2) return true;
    } else if (quantifier === null || quantifier.required) {
      adjacent = 0;
      const needed = neededText(text);
      if (needed !== null && bounded !== null && !matches(bounded.text, needed)) {
        total = bounded.before;
        bounded = null;
      }
    }
    at = piece.end;
  }
  return false;
}

const isBroad = (atom: string): boolean => {
  if (atom.startsWith('[')) return atom.startsWith('[^') || /\\[sSwWdD]/.test(atom);
  return atom === '.' || BROAD.test(atom);
};

function neededText(atom: string): string | null {
  if (atom.length === 1) return atom;
  return /^\\[\\^$.*+?()[\]{}|/-]$/.test(atom) ? (atom[1] as string) : null;
}

function matches(characterClass: string, character: string): boolean {
  try {
    return new RegExp(`^(?:${characterClass})$`).test(character);
  } catch {
    return true;
  }
}
