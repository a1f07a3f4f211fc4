// JSON values taken apart into leaves, so that a test can say which leaf differs. Written apart from the code under
// test on purpose: it must not share its notion of equality.

/** A leaf and where it stands. Empty lists and objects are leaves too. */
export interface Leaf {
  readonly path: readonly string[];
  /** The leaf as JSON text; -0 is kept apart from 0 by nobody, so it is not here either. */
  readonly text: string;
}

/** All leaves of a JSON value; undefined in an object counts as absent, as JSON writes it. */
export function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, text: JSON.stringify(value) ?? 'absent' }];
  const keys = Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
  if (keys.length === 0) return [{ path, text: Array.isArray(value) ? '[]' : '{}' }];
  return keys.flatMap((key) => leavesOf((value as Record<string, unknown>)[key], [...path, key]));
}

/** A leaf that two values do not share: `path: before -> after`. */
export function leafDifferences(before: unknown, after: unknown): string[] {
  const left = byPath(before);
  const right = byPath(after);
  const paths = new Set([...left.keys(), ...right.keys()]);
  return [...paths]
    .filter((path) => left.get(path) !== right.get(path))
    .map((path) => `${path}: ${left.get(path) ?? 'absent'} -> ${right.get(path) ?? 'absent'}`);
}

/** The paths at which two values differ, joined by dots, sorted. */
export function changedPaths(before: unknown, after: unknown): string[] {
  return leafDifferences(before, after)
    .map((line) => line.slice(0, line.indexOf(': ')))
    .sort();
}

function byPath(value: unknown): Map<string, string> {
  return new Map(leavesOf(value).map(({ path, text }) => [path.join('.'), text]));
}
