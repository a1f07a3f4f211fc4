// A key of a lorebook entry: a literal text, or a regex written /source/flags.

/** A key. `source` is written as between the slashes, so an inner slash is always escaped in it. */
export type Key =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'regex'; readonly source: string; readonly flags: string };

/** What a written key turned out to be. `broken`: it has the form of a regex but does not compile. */
export interface KeyReading {
  readonly key: Key;
  readonly broken: boolean;
}

// SillyTavern 1.19 takes a key as a regex only in this form (its flags are these six, and no other).
const SLASH_FORM = /^\/([\w\W]+?)\/([gimsuy]*)$/;
const BARE_SLASH = /(^|[^\\])\//;

/** A literal key. */
export function literalKey(text: string): Key {
  return { kind: 'literal', text };
}

/**
 * Reads a key as SillyTavern does: `/source/flags` is a regex when no slash inside stands unescaped and the
 * pattern compiles; everything else is text, also `AC/DC`, `/home/user` and a pattern that does not compile.
 */
export function readKey(written: string): KeyReading {
  if (written.charCodeAt(0) !== 47) return { key: literalKey(written), broken: false };
  const match = SLASH_FORM.exec(written);
  const source = match?.[1];
  if (source === undefined || BARE_SLASH.test(source)) return { key: literalKey(written), broken: false };
  const flags = match?.[2] ?? '';
  if (!compiles(source.replace('\\/', '/'), flags)) return { key: literalKey(written), broken: true };
  return { key: { kind: 'regex', source, flags }, broken: false };
}

/** Reads a bare pattern (CCv3 `use_regex`) into a regex key, or null when it does not compile. */
export function patternKey(pattern: string, flags: string): Key | null {
  if (pattern === '' || !compiles(pattern, flags)) return null;
  return { kind: 'regex', source: escapeSlashes(pattern), flags };
}

/** The key as SillyTavern writes it: the text itself, or `/source/flags`. */
export function writeKey(key: Key): string {
  return key.kind === 'literal' ? key.text : `/${key.source}/${key.flags}`;
}

/** Whether two lists hold the same keys in the same order. */
export function sameKeys(a: readonly Key[], b: readonly Key[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const left = a[i] as Key;
    const right = b[i] as Key;
    if (left.kind !== right.kind || writeKey(left) !== writeKey(right)) return false;
  }
  return true;
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

function escapeSlashes(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\//g, (found) => (found === '/' ? '\\/' : found));
}
