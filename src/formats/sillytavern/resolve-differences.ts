// What is said of an entry that is no longer as it was read: one finding a field, with the reason. Settings that were
// folded in are no difference, since a target writes them as values (decisions 33).

import type { Finding, FindingCode, FindingPlace } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { sameJson } from '../../core/json.ts';
import { writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';
import type { OpenMatters } from './resolve-entry.ts';

interface Row {
  readonly path: string;
  readonly show: (entry: LorebookEntry) => Json;
  readonly code: FindingCode;
  readonly message: (resolved: ResolvedEntry) => string;
}

const SOURCE_NAMES = [
  'personaDescription',
  'characterDescription',
  'characterPersonality',
  'characterDepthPrompt',
  'scenario',
  'creatorNotes',
] as const;

const KEYS_MESSAGE =
  'Keys are written as SillyTavern searches them for this card: macros are replaced, outer spaces are gone, and keys that make no difference are left out.';

const ROWS: readonly Row[] = [
  {
    path: 'enabled',
    show: ({ enabled }) => enabled,
    code: 'approximated',
    message: ({ reason, blocksGroup }) =>
      `It can never fire in SillyTavern and is switched off: ${reason ?? ''}${
        blocksGroup ? ' In SillyTavern it still takes its group’s turn when its keys match.' : ''
      }`,
  },
  {
    path: 'constant',
    show: ({ constant }) => constant,
    code: 'approximated',
    message: ({ fires, reason }) =>
      fires === 'always'
        ? `It always fires in SillyTavern and is made constant: ${reason ?? ''}`
        : 'It takes its group’s turn in every chat.',
  },
  keysRow('keys'),
  keysRow('secondaryKeys'),
  {
    path: 'content',
    show: ({ content }) => content,
    code: 'approximated',
    message: () =>
      'The content is written as SillyTavern puts it into the prompt: decorators are gone, macros of the card are replaced.',
  },
  {
    path: 'characterFilter',
    show: ({ characterFilter }) => characterFilter as Json,
    code: 'stashed',
    message: () => 'The character filter lets this character through, so it is not needed there.',
  },
  ...SOURCE_NAMES.map(
    (name): Row => ({
      path: `sources.${name}`,
      show: ({ sources }) => sources[name],
      code: 'approximated',
      message: ({ fires }) =>
        fires === 'always'
          ? 'The entry always fires, so this text need not be searched.'
          : 'None of the keys stands in this text of the card, so it need not be searched.',
    }),
  ),
];

function keysRow(path: 'keys' | 'secondaryKeys'): Row {
  return {
    path,
    show: (entry) => entry[path].map(writeKey),
    code: 'approximated',
    message: () => KEYS_MESSAGE,
  };
}

/** The findings of one resolved entry. */
export function resolvedFindings(
  resolved: ResolvedEntry,
  bookId: string,
  open: OpenMatters | undefined,
): readonly Finding[] {
  const { source, entry } = resolved;
  const place: FindingPlace = { bookId, entryId: source.id };
  const differences = ROWS.flatMap(({ path, show, code, message }): readonly Finding[] => {
    const [before, after] = [show(source), show(entry)];
    if (before === after || sameJson(before, after)) return [];
    return [finding(code, place, path, before, after, message(resolved))];
  });
  return [...differences, ...openFindings(entry, place, open)];
}

function openFindings(
  entry: LorebookEntry,
  place: FindingPlace,
  open: OpenMatters | undefined,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (open?.openMacros) {
    const keys = entry.keys.map(writeKey);
    const message = 'A key holds a macro whose value only a running chat of SillyTavern knows.';
    findings.push(finding('assumed', place, 'keys', keys, keys, message));
  }
  if (open?.unknownTags) {
    const filter = entry.characterFilter as Json;
    const message =
      'The entry is for characters with certain tags; which tags this one has is not known, so it is kept.';
    findings.push(finding('assumed', place, 'characterFilter', filter, filter, message));
  }
  return findings;
}
