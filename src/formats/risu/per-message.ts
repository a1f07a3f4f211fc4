// A regex of SillyTavern's as it works on one message: SillyTavern searches one text, newest message first, each as
// "Name: text" behind a mark of its own (1.19, WorldInfoBuffer); RisuAI searches the bare text of each message.

/** A pattern, and why it may find something else. */
export interface MovedPattern {
  readonly source: string;
  readonly flags: string;
  readonly doubt: string | null;
}

/** What surrounds a message in SillyTavern's text. */
export interface MessageEdges {
  /** The character before its text: behind a speaker's name, or the mark. */
  readonly before: ' ' | '\u0001';
  /** Whether another message follows the newest one. */
  readonly hasNext: boolean;
}

const PIECE =
  /\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|[pP]\{[^}]*\}|[\s\S])|\(\?<?[=!]|\{\d+(?:,\d*)?\}|[\s\S]/gu;
const MARK = /^\\(?:x01|u0001)$/;
const SET = /^(?:\[|\\[sSdDwWpP]|\.$)/;

/** Moves a regex from the joined text to a single message. */
export function perMessage(
  { source, flags }: { readonly source: string; readonly flags: string },
  edges: MessageEdges,
): MovedPattern {
  const byLine = flags.includes('m');
  let doubt: string | null = flags.includes('y') ? 'it looks only at the beginning of the text' : null;
  const pieces = [...source.matchAll(PIECE)].map(([piece]) => piece);
  const repeats = (at: number): boolean => /^[*+{?]/.test(pieces[at + 1] ?? '');
  const holds = (piece: string, character: string): boolean =>
    SET.test(piece) && finds(piece, flags, character);
  const first = firstAtoms(pieces);
  const last = lastAtoms(pieces);
  const written = pieces.map((piece, at) => {
    // In SillyTavern a message begins with its mark and its speaker, so only its further lines begin with their text.
    if (piece === '^' && byLine) return '(?<=\\n)';
    if ((piece === '^' || piece === '$') && !byLine) {
      doubt ??= 'it looks for the beginning or end of the text, which is each message’s own there';
      return piece;
    }
    if (MARK.test(piece) || piece.includes('\\x01')) {
      doubt ??= 'it looks for the mark that SillyTavern puts before a message';
    }
    if (/^[*+{]/.test(pieces[at + 1] ?? '') && goesOverLines(piece, flags)) {
      doubt ??= 'it can run over the end of a message, and RisuAI searches each message by itself';
    }
    if (repeats(at)) return piece;
    if (first.has(at) && holds(piece, edges.before)) return `(?:^|${piece})`;
    if (last.has(at) && holds(piece, '\n')) {
      doubt ??= 'at the end of the oldest message that is searched it finds nothing here';
      return edges.hasNext ? `(?:${piece}|$)` : piece;
    }
    return piece;
  });
  return { source: written.join(''), flags, doubt };
}

// Atoms with which the whole pattern, or one of its alternatives, begins or ends.
const firstAtoms = (pieces: readonly string[]): ReadonlySet<number> =>
  new Set([0, ...barsOutside(pieces).map((at) => at + 1)]);
const lastAtoms = (pieces: readonly string[]): ReadonlySet<number> =>
  new Set([pieces.length - 1, ...barsOutside(pieces).map((at) => at - 1)]);

function barsOutside(pieces: readonly string[]): readonly number[] {
  let depth = 0;
  return pieces.flatMap((piece, at) => {
    if (piece.startsWith('(')) depth++;
    if (piece === ')') depth--;
    return piece === '|' && depth === 0 ? [at] : [];
  });
}

function finds(piece: string, flags: string, character: string): boolean {
  try {
    return new RegExp(`^${piece}$`, flags.replace(/[gmy]/g, '')).test(character);
  } catch {
    return false;
  }
}

const goesOverLines = (piece: string, flags: string): boolean =>
  (piece === '.' && flags.includes('s')) || /^\[(?:\^|.*\\[SDW].*\\[sdw]|.*\\[sdw].*\\[SDW])/.test(piece);
