// RisuAI's decorators: lines that begin with @@ at the top of an entry's content. Facts: its parser (ccardlib 0.4.2).

/** One decorator: its name and what stands behind it, parted at commas. */
export interface DecoratorLine {
  readonly name: string;
  readonly args: readonly string[];
}

/** A content taken apart: the decorators that count, and the text that reaches the prompt. */
export interface DecoratedText {
  readonly lines: readonly DecoratorLine[];
  readonly text: string;
}

/**
 * Takes a content apart as RisuAI does: the whole is trimmed, the first line without @@ (also a blank one) ends the
 * decorators, the rest is trimmed. A line with @@@ counts only when the one before it is not supported; `supports` tells
 * that, and is asked for each line in turn.
 */
export function readDecoratorLines(
  content: string,
  supports: (line: DecoratorLine) => boolean,
): DecoratedText {
  const whole = content.trim();
  if (!whole.startsWith('@@')) return { lines: [], text: whole };
  const rows = whole.split('\n');
  const lines: DecoratorLine[] = [];
  let isRefused = false;
  for (const [at, row] of rows.entries()) {
    const written = row.trim() === '@@@end' ? '@@end' : row.trim();
    if (!written.startsWith('@@')) return { lines, text: rows.slice(at).join('\n').trim() };
    const isFallback = written.startsWith('@@@');
    if (isFallback && !isRefused) continue;
    const line = lineOf(written.slice(isFallback ? 3 : 2));
    isRefused = line.name !== '' && !supports(line);
    if (line.name !== '') lines.push(line);
  }
  return { lines, text: '' };
}

function lineOf(written: string): DecoratorLine {
  const space = written.indexOf(' ');
  if (space === -1) return { name: written, args: [] };
  const args = written.slice(space).split(',');
  return {
    name: written.slice(0, space),
    args: args.map((arg) => arg.trim()).filter((arg) => arg !== ''),
  };
}

/** A decorator as it is written. */
export const writtenLine = ({ name, args }: DecoratorLine): string =>
  args.length === 0 ? `@@${name}` : `@@${name} ${args.join(',')}`;

/** Puts decorators above a text; a text that itself begins with @@ is kept apart by a blank line. */
export function writeDecoratorLines(lines: readonly DecoratorLine[], text: string): string {
  if (lines.length === 0) return text;
  const top = lines.map(writtenLine).join('\n');
  return text.trimStart().startsWith('@@') ? `${top}\n\n${text}` : `${top}\n${text}`;
}
