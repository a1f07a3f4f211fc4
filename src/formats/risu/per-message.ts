// A regex of SillyTavern's as it works on one message: SillyTavern searches one text, newest message first, each as
// "Name: text" behind a mark of its own (1.19, WorldInfoBuffer); RisuAI searches the bare text of each message.

/** A pattern, and why it may find something else. */
export interface MovedPattern {
  readonly source: string;
  readonly flags: string;
  readonly doubt: string | null;
}

const PIECE = /\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])|\(\?<?[=!]|[\s\S]/gu;
const MARK = /^\\(?:x01|u0001)$/;

/** Moves a regex from the joined text to a single message. */
export function perMessage({
  source,
  flags,
}: {
  readonly source: string;
  readonly flags: string;
}): MovedPattern {
  const byLine = flags.includes('m');
  let doubt: string | null = flags.includes('y') ? 'it looks only at the beginning of the text' : null;
  const pieces = [...source.matchAll(PIECE)].map(([piece]) => piece);
  const written = pieces.map((piece, at) => {
    // In SillyTavern a message begins with its mark and its speaker, so only its further lines begin with their text.
    if (piece === '^' && byLine) return '(?<=\\n)';
    if ((piece === '^' || piece === '$') && !byLine) {
      doubt ??= 'it looks for the beginning or end of the text, which is each message’s own there';
      return piece;
    }
    const repeats = /^[*+{]/.test(pieces[at + 1] ?? '');
    if (MARK.test(piece) || piece.includes('\\x01'))
      doubt ??= 'it looks for the mark that SillyTavern puts before a message';
    if (repeats && goesOverLines(piece, flags)) {
      doubt ??= 'it can run over the end of a message, and RisuAI searches each message by itself';
    }
    return piece;
  });
  return { source: written.join(''), flags, doubt };
}

const goesOverLines = (piece: string, flags: string): boolean =>
  (piece === '.' && flags.includes('s')) || /^\[(?:\^|.*\\[SDW].*\\[sdw]|.*\\[sdw].*\\[SDW])/.test(piece);
