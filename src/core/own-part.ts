// What an exporter gave back as the app itself had written it.

import type { Finding } from './finding.ts';

/** A part of a lorebook that is the app's own again, but for what was edited. */
export interface OwnPart {
  readonly bookId: string;
  /** Null for the book's own fields. */
  readonly entryId: string | null;
  /** Paths of what was edited; empty: it is wholly as it was. */
  readonly edited: readonly string[];
}

/**
 * Findings without those that speak of what is the app's own again: that SillyTavern cannot say a value is nothing to
 * tell of a file that holds it.
 */
export function withoutOwn(findings: readonly Finding[], own: readonly OwnPart[]): readonly Finding[] {
  if (own.length === 0) return findings;
  const parts = new Map(own.map((part) => [keyOf(part), part.edited]));
  return findings.filter((each) => {
    const edited = parts.get(keyOf(each));
    return edited === undefined || edited.some((path) => path === each.path);
  });
}

const keyOf = ({ bookId, entryId }: Pick<Finding, 'bookId' | 'entryId'>): string =>
  JSON.stringify([bookId, entryId]);
