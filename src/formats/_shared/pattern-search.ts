// A stranger's pattern, looked for in a stranger's text while nothing can interrupt it: some patterns take years on a
// short text, and some are too big for the engine, which says so only when they are run.

import { characterOf, partsOf } from './pattern-parts.ts';

/** Whether a text holds the pattern; null when that cannot be told in bounded time. */
export type PatternSearch = (text: string) => boolean | null;

// About a fifth of a second. In up to 1,000 letters two open repetitions are looked for wherever they begin, and more
// behind a letter that is not everywhere.
const MOST_STEPS = 200_000_000;

// Above some 50,000 letters the engine gives up, after seconds.
const MOST_LETTERS = 10_000;

/** A search for a pattern; null when it does not compile. It begins at the start of each text, whatever the flags. */
export function patternSearch(source: string, flags: string): PatternSearch | null {
  const pattern = compiled(source, flags.replace('g', ''));
  if (pattern === null) return null;
  if (source.length > MOST_LETTERS) return () => null;
  let steps: readonly Step[] | undefined;
  return (text) => {
    steps ??= stepsOf(source);
    if (mostSteps(steps, text) > MOST_STEPS) return null;
    try {
      pattern.lastIndex = 0;
      return pattern.test(text);
    } catch {
      return null;
    }
  };
}

function compiled(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}

type Step =
  | { readonly kind: 'close' }
  | { readonly kind: 'choice' }
  /** `isPlace`: it takes no letter, it looks around. */
  | { readonly kind: 'open'; readonly isPlace: boolean }
  /** `letter`: the only one that it can begin with, small; null when there are others. */
  | { readonly kind: 'atom'; readonly letter: string | null; readonly isPlace: boolean }
  | { readonly kind: 'repeat'; readonly least: number; readonly most: number };

function stepsOf(source: string): readonly Step[] {
  return partsOf(source).map(({ kind, text }) => {
    if (kind === 'quantifier') return { kind: 'repeat', ...boundsOf(text) };
    if (text === '|' && kind === 'mark') return { kind: 'choice' };
    if (text === ')' && kind === 'mark') return { kind: 'close' };
    if (kind === 'mark') return { kind: 'open', isPlace: /[=!]$/.test(text) };
    const letter = kind === 'character' ? (characterOf(text)?.toLowerCase()[0] ?? null) : null;
    return { kind: 'atom', letter, isPlace: kind === 'anchor' || text === '\\b' };
  });
}

function boundsOf(quantifier: string): { readonly least: number; readonly most: number } {
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
  if (least === undefined) {
    return { least: quantifier.startsWith('+') ? 1 : 0, most: quantifier.startsWith('?') ? 1 : Infinity };
  }
  return { least: Number(least), most: comma === '' ? Number(least) : most ? Number(most) : Infinity };
}

/** The letters with which something begins; null when it may begin with any. */
type Letters = ReadonlySet<string> | null;

/** The alternatives of a group, as far as they were read. */
interface Level {
  /** In how many ways those before can be tried. */
  closed: number;
  /** The same of this one, without its last atom. */
  ways: number;
  last: number;
  runs: number;
  /** Of those before. */
  begins: Letters;
  /** Of this one; undefined until something takes a letter. */
  begin: Letters | undefined;
  isLastTheBegin: boolean;
  readonly isPlace: boolean;
}

// At every place where it can begin, every way in which the pattern may be tried: more than any engine does, and endless
// for a repetition of what can itself be tried in several ways.
function mostSteps(steps: readonly Step[], text: string): number {
  const levels: Level[] = [newLevel(false)];
  for (const step of steps) {
    const level = levels.at(-1) as Level;
    if (step.kind === 'repeat') {
      repeat(level, step.least, step.most, text.length + 1);
      continue;
    }
    level.ways *= level.last;
    level.last = 1;
    level.isLastTheBegin = false;
    if (step.kind === 'open') levels.push(newLevel(step.isPlace));
    else if (step.kind === 'choice') close(level);
    else if (step.kind === 'close') {
      if (levels.length === 1) return Infinity;
      levels.pop();
      close(level);
      const outer = levels.at(-1) as Level;
      outer.last = level.closed;
      if (!level.isPlace) beginWith(outer, level.begins);
    } else if (step.kind === 'atom' && !step.isPlace)
      beginWith(level, step.letter === null ? null : new Set([step.letter]));
  }
  const [top] = levels as [Level];
  top.ways *= top.last;
  close(top);
  return top.closed * placesOf(top.begins, text);
}

const newLevel = (isPlace: boolean): Level => ({
  closed: 0,
  ways: 1,
  last: 1,
  runs: 0,
  begins: new Set(),
  begin: undefined,
  isLastTheBegin: false,
  isPlace,
});

function close(level: Level): void {
  const { closed, ways, begins, begin } = level;
  const all = begins === null || !begin ? null : new Set([...begins, ...begin]);
  Object.assign(level, { ...newLevel(level.isPlace), closed: closed + ways, begins: all });
}

function beginWith(level: Level, letters: Letters): void {
  if (level.begin !== undefined) return;
  level.begin = letters;
  level.isLastTheBegin = true;
}

function repeat(level: Level, least: number, most: number, length: number): void {
  const { last } = level;
  if (least === 0 && level.isLastTheBegin) level.begin = null;
  if (most <= 1) level.last = last + 1 - least;
  else if (last > 1) level.last = last ** most;
  else if (least !== most) {
    level.runs++;
    // What one run takes, the next ones have not.
    level.last = Math.max(1, Math.min(most - least + 1, length / (level.runs + 1)));
  }
}

function placesOf(begins: Letters, text: string): number {
  if (begins === null) return text.length + 1;
  let places = 1;
  const small = text.toLowerCase();
  for (let at = 0; at < small.length; at++) if (begins.has(small[at] as string)) places++;
  return places;
}
