// A pattern without a comma or a slash: RisuAI parts keys at commas, and its regex form takes no slash (460ecae2).

/** A rewritten pattern. */
export interface Comma {
  readonly source: string;
  /** Why it may find something else; null when it does not. */
  readonly doubt: string | null;
}

const PART = new RegExp(
  [
    '(?<open>\\((?:\\?(?:[:=!]|<[=!]|<[A-Za-z_$][\\w$]*>))?)',
    '(?<close>\\))',
    '(?<bar>\\|)',
    '(?<range>\\{\\d+,\\d*\\}\\??)',
    '(?<quantifier>(?:[*+?]|\\{\\d+\\})\\??)',
    '(?<atom>\\[(?:\\\\[\\s\\S]|[^\\]\\\\])*\\]|\\\\(?:x[\\da-fA-F]{2}|u\\{[\\da-fA-F]+\\}|u[\\da-fA-F]{4}|c[A-Za-z]|k<[^>]*>|[pP]\\{[^}]*\\}|[1-9]\\d*|[\\s\\S])|[\\s\\S])',
  ].join('|'),
  'gu',
);

const LONGEST_RANGE = 100;
const REFERENCE = /\\(?:[1-9]|k<)/;
const CAPTURE = /\((?!\?)|\(\?<[A-Za-z_$]/;

/** Writes every slash and comma by its code and every range of repetitions without a comma. */
export function withoutCommas(source: string): Comma {
  if (!/[,/]/.test(source)) return { source, doubt: null };
  // What each open group holds, atom by atom.
  const stack: { readonly open: string; readonly atoms: string[] }[] = [{ open: '', atoms: [] }];
  const top = (): string[] => stack[stack.length - 1]?.atoms ?? [];
  const refersBack = REFERENCE.test(source);
  let doubt: string | null = null;
  for (const { 0: text, groups = {} } of source.matchAll(PART)) {
    if (groups['open'] !== undefined) stack.push({ open: text, atoms: [] });
    else if (groups['close'] !== undefined && stack.length > 1) {
      const { open, atoms } = stack.pop() as { open: string; atoms: string[] };
      top().push(`${open}${atoms.join('')})`);
    } else if (groups['range'] !== undefined && top().length > 0) {
      const atoms = top();
      const atom = atoms.pop() as string;
      if (refersBack && CAPTURE.test(atom)) {
        doubt = 'it repeats a group that it refers back to, which RisuAI’s form cannot hold';
      }
      const repeated = repeatedAtom(atom, text);
      doubt = repeated.doubt ?? doubt;
      atoms.push(repeated.source);
    } else if (groups['quantifier'] !== undefined && top().length > 0) {
      const atoms = top();
      atoms.push((atoms.pop() as string) + text);
    } else top().push(coded(text));
  }
  while (stack.length > 1) {
    const { open, atoms } = stack.pop() as { open: string; atoms: string[] };
    top().push(open + atoms.join(''));
  }
  return { source: top().join(''), doubt };
}

const coded = (text: string): string =>
  text.replace(/\\?[,/]|\\[^,/]/g, (found) =>
    found.endsWith('/') ? '\\x2f' : found.endsWith(',') ? '\\x2c' : found,
  );

// {2,4} as aa(?:aa|a|), {2,} as aaa*; lazy ones with the short way first.
function repeatedAtom(atom: string, range: string): Comma {
  const [, low = '0', high = ''] = /^\{(\d+),(\d*)\}/.exec(range) ?? [];
  const isLazy = range.endsWith('?');
  const lazy = isLazy ? '?' : '';
  const [from, to] = [Number(low), high === '' ? null : Number(high)];
  const again = withoutCaptures(atom);
  const head = from === 0 ? '' : from === 1 ? atom : `${atom}{${from}}`;
  const endless = from === 0 ? `${atom}*${lazy}` : `${head}${again}*${lazy}`;
  if (to === null) return { source: `(?:${endless})`, doubt: null };
  if (to - from > LONGEST_RANGE) {
    return { source: `(?:${endless})`, doubt: `its repetition ${range} is written without an end` };
  }
  const counts = Array.from({ length: Math.max(0, to - from) + 1 }, (_, at) =>
    isLazy ? at : to - from - at,
  );
  const more = counts.map((count) => (count === 0 ? '' : count === 1 ? again : `${again}{${count}}`));
  return { source: `(?:${head}(?:${more.join('|')}))`, doubt: null };
}

const withoutCaptures = (atom: string): string =>
  atom.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?!\?)|\(\?<[A-Za-z_$][\w$]*>/g, (found) =>
    found.startsWith('(') ? '(?:' : found,
  );
