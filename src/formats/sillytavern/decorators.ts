// Lines that begin with @@ at the top of an entry's content (SillyTavern 1.19, parseDecorators).

/** What stands at the top of an entry's content, and the content without it. */
export interface Decorators {
  readonly activate: boolean;
  readonly dontActivate: boolean;
  /** What reaches the prompt. */
  readonly content: string;
}

const NAMES = ['@@activate', '@@dont_activate'] as const;

/**
 * Reads the decorators of a content as SillyTavern does. It knows two, each alone on its line; every other leading
 * line with @@ is dropped from the prompt and does nothing. A line with @@@ is the fallback of the line above it and
 * counts only when that one is unknown. A content of nothing but such lines stays as it is.
 */
export function readDecorators(content: string): Decorators {
  if (!content.startsWith('@@')) return { activate: false, dontActivate: false, content };
  const lines = content.split('\n');
  const body = lines.findIndex((line) => !line.startsWith('@@'));
  const head = body === -1 ? lines : lines.slice(0, body);
  const known = new Set<string>();
  let aboveIsUnknown = false;
  for (const line of head) {
    const isFallback = line.startsWith('@@@');
    if (isFallback && !aboveIsUnknown) continue;
    const name = isFallback ? line.slice(1) : line;
    // A known name with more behind it is taken as known and then matches neither.
    aboveIsUnknown = !NAMES.some((start) => name.startsWith(start));
    if (!aboveIsUnknown) known.add(name);
  }
  return {
    activate: known.has('@@activate'),
    dontActivate: known.has('@@dont_activate'),
    content: body === -1 ? content : lines.slice(body).join('\n'),
  };
}
