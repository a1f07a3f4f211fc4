// A key taken apart: what a text must hold for it to be found, as far as Agnai's keywords can say it. A keyword is made
// of the longest piece that they can; what it leaves out makes it fire more often, never less.

import { isDeleted, isWordCharacter } from './keywords.ts';

/**
 * One part of a key: a character; one word character, or any number of them; an edge, where no word goes on; a gap, in
 * which anything may stand, `wordless` when it begins and ends with something that is no word character.
 */
export type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'word'; readonly many: boolean }
  | { readonly kind: 'edge' }
  | { readonly kind: 'gap'; readonly wordless: boolean };

/** One form in which a key can be found; `doubt` says where the tokens say less than the key. */
export interface KeyForm {
  readonly tokens: readonly Token[];
  readonly doubt: string | null;
}

/** A keyword; `doubt` is null when Agnai finds it exactly where SillyTavern finds the key. */
export interface Keyword {
  readonly keyword: string;
  readonly doubt: string | null;
}

/** One character as a token. */
export const charToken = (char: string): Token => ({ kind: 'char', char });
/** Where no word goes on. */
export const EDGE: Token = { kind: 'edge' };

interface Piece {
  readonly text: string;
  readonly letters: number;
  readonly left: boolean;
  readonly right: boolean;
  /** Nothing of the key but edges stands beside it. */
  readonly isWhole: boolean;
}

/** The keyword of a form, or null when it holds nothing that Agnai could look for. */
export function keywordOfForm({ tokens, doubt }: KeyForm): Keyword | null {
  const known = tokens.map((token) => (isUnderscore(token) ? ONE : token));
  const pieces = piecesOf(known);
  const best = pieces.reduce<Piece | null>(
    (held, piece) => (held === null || piece.letters > held.letters ? piece : held),
    null,
  );
  if (best === null) return null;
  const left = best.left || best.text.startsWith('*') ? '' : '*';
  const right = best.right || best.text.endsWith('*') ? '' : '*';
  const reason =
    doubt ??
    (best.isWhole
      ? tokens.some(isUnderscore)
        ? 'an underscore is one letter or digit of no matter which kind there'
        : null
      : 'Agnai can only look for a part of it');
  return { keyword: left + best.text + right, doubt: reason };
}

const ONE: Token = { kind: 'word', many: false };
const isUnderscore = (token: Token): boolean => token.kind === 'char' && token.char === '_';
const isBreak = (token: Token): boolean =>
  token.kind === 'gap' ||
  (token.kind === 'char' && (isDeleted(token.char) || token.char === '*' || token.char === '?'));
const isWordy = (token: Token | undefined): boolean =>
  token?.kind === 'word' || (token?.kind === 'char' && isWordCharacter(token.char));

function piecesOf(tokens: readonly Token[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at];
    if (token !== undefined && !isBreak(token) && !isOddEdge(tokens, at)) continue;
    const piece = pieceOf(tokens, from, at);
    if (piece !== null) pieces.push(piece);
    from = at + 1;
  }
  return pieces;
}

// An edge inside a key that does not part a word from something else can never be there, or asks for more than is seen.
function isOddEdge(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.kind !== 'edge' || at === 0 || at === tokens.length - 1) return false;
  return isWordy(tokens[at - 1]) === isWordy(tokens[at + 1]);
}

function pieceOf(tokens: readonly Token[], start: number, end: number): Piece | null {
  let [from, to] = [start, end];
  while (from < to && !isWordy(tokens[from])) from++;
  while (to > from && !isWordy(tokens[to - 1])) to--;
  const inside = tokens.slice(from, to);
  const letters = inside.filter((token) => token.kind === 'char').length;
  if (letters === 0) return null;
  const text = inside
    .map((token) =>
      token.kind === 'char' ? token.char : token.kind === 'word' ? (token.many ? '*' : '?') : '',
    )
    .join('')
    .replace(/\*{2,}/g, '*');
  const outside = [...tokens.slice(0, from), ...tokens.slice(to)];
  return {
    text,
    letters,
    left: endsWord(tokens[from - 1]),
    right: endsWord(tokens[to]),
    isWhole: outside.every(({ kind }) => kind === 'edge') && outside.length <= 2,
  };
}

// Whether no word goes on past a neighbour: an edge, or a character that is in no word.
function endsWord(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.kind === 'edge' || (token.kind === 'gap' ? token.wordless : !isWordy(token));
}
