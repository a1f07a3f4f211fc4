// What happened to a value on its way: a closed set of codes, one record a difference. No finding means exact.

import type { Json } from './json.ts';

/**
 * Why a value is not, or may not be, what the author wrote:
 * - `stashed`: only our private copy holds it, the target ignores it
 * - `approximated`: the target holds the nearest thing it can say
 * - `lost`: nothing holds it any more
 * - `repaired`: the value was of the wrong kind and was mended
 * - `assumed`: nothing usable stood there, a default was taken
 * - `conflict`: two sources disagreed; the message says which one won
 * - `refused`: the value or the file was not taken at all
 */
export type FindingCode =
  | 'stashed'
  | 'approximated'
  | 'lost'
  | 'repaired'
  | 'assumed'
  | 'conflict'
  | 'refused';

/** How much a person should care. */
export type Severity = 'info' | 'warning' | 'error';

/** One difference: where it is, what stood there, what stands there now, and why in one sentence. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The lorebook's id, or null when the finding is about the card. */
  readonly bookId: string | null;
  /** The entry's id, or null when the finding is about the whole book. */
  readonly entryId: string | null;
  /** One field, as a canonical path (`position`, `recursion.exclude`, `extensions.note`). */
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  readonly message: string;
}

const SEVERITY: Readonly<Record<FindingCode, Severity>> = {
  stashed: 'info',
  approximated: 'warning',
  lost: 'error',
  repaired: 'info',
  assumed: 'info',
  conflict: 'warning',
  refused: 'error',
};

/** What a finding is about: an entry of a book, a whole book, or (both null) the card. */
export interface FindingPlace {
  readonly bookId: string | null;
  readonly entryId: string | null;
}

/** Builds a finding with the severity that its code has. */
export function finding(
  code: FindingCode,
  place: FindingPlace,
  path: string,
  before: Json | undefined,
  after: Json | undefined,
  message: string,
): Finding {
  return {
    code,
    severity: SEVERITY[code],
    bookId: place.bookId,
    entryId: place.entryId,
    path,
    before: before ?? null,
    after: after ?? null,
    message,
  };
}

/** Whether a finding says that something is gone which nobody misses: a remark, not a loss. */
export const isRemark = ({ code, severity }: Finding): boolean => code === 'lost' && severity === 'info';

/** Takes the finding of one field while it is read. */
export type Note = (
  code: FindingCode,
  path: string,
  before: Json | undefined,
  after: Json | undefined,
  message: string,
) => void;

/** A `Note` that adds to a list, for one place. */
export function noteInto(list: Finding[], place: FindingPlace): Note {
  return (code, path, before, after, message) => {
    list.push(finding(code, place, path, before, after, message));
  };
}

/** A value short enough to stand in a sentence. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
