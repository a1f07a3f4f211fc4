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

/** A stretch of the tokens that begins and ends with a word, from one index to before another. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly letters: number;
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
  const text = textOf(known.slice(best.from, best.to));
  const left = endsWord(known[best.from - 1]) || text.startsWith('*') ? '' : '*';
  const right = endsWord(known[best.to]) || text.endsWith('*') ? '' : '*';
  return { keyword: left + text + right, doubt: doubt ?? doubtOf(tokens, best) };
}

function doubtOf(tokens: readonly Token[], { from, to }: Piece): string | null {
  const around = tokens.filter((_, at) => at < from || at >= to);
  if (around.length > 2 || !around.every(({ kind }) => kind === 'edge'))
    return 'Agnai can only look for a part of it';
  return tokens.some(isUnderscore)
    ? 'an underscore is one letter or digit of no matter which kind there'
    : null;
}

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      token.kind === 'char' ? token.char : token.kind === 'word' ? (token.many ? '*' : '?') : '',
    )
    .join('')
    .replace(/\*{2,}/g, '*');

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
  let letters = 0;
  for (let at = from; at < to; at++) if (tokens[at]?.kind === 'char') letters++;
  return letters === 0 ? null : { from, to, letters };
}

// Whether no word goes on past a neighbour: an edge, or a character that is in no word.
function endsWord(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.kind === 'edge' || (token.kind === 'gap' ? token.wordless : !isWordy(token));
}
