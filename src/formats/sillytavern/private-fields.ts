// Fields that name other things of the user's: kept within SillyTavern, dropped on the way out (decisions 26).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import { characterFilterCodec } from '../_shared/lore-enums.ts';

/** Whether private fields travel. */
export type PrivateChoice = 'keep' | 'drop';

/** A lorebook and what is to be said of its private fields. */
export interface CheckedLorebook {
  readonly lorebook: CanonicalLorebook;
  readonly findings: readonly Finding[];
}

/**
 * Drops character filters and automation ids from a lorebook, or keeps them; either way each filter is named,
 * because it holds names of other characters.
 */
export function forgetPrivate(lorebook: CanonicalLorebook, choice: PrivateChoice): CheckedLorebook {
  const findings: Finding[] = [];
  const entries = lorebook.body.entries.map((entry) => {
    const { characterFilter: filter, automationId } = entry;
    if (filter === null && automationId === '') return entry;
    const place = { bookId: lorebook.id, entryId: entry.id };
    if (choice === 'drop') {
      const kept: LorebookEntry = { ...entry, characterFilter: null, automationId: '' };
      if (filter !== null) {
        const before = characterFilterCodec.encode(filter);
        findings.push(
          finding(
            'lost',
            place,
            'characterFilter',
            before,
            null,
            'The character filter was dropped because it is private.',
          ),
        );
      }
      if (automationId !== '') {
        findings.push(
          finding(
            'lost',
            place,
            'automationId',
            automationId,
            '',
            'The automation id was dropped because it is private.',
          ),
        );
      }
      return kept;
    }
    if (filter !== null) {
      const before = characterFilterCodec.encode(filter);
      const who = [...filter.names, ...filter.tags].join(', ');
      findings.push(
        finding(
          'stashed',
          place,
          'characterFilter',
          before,
          before,
          `The character filter (${who}) has no place in a card; it was kept aside, and it names other characters of yours.`,
        ),
      );
    }
    return entry;
  });
  const unchanged = entries.every((entry, index) => entry === lorebook.body.entries[index]);
  return { lorebook: unchanged ? lorebook : { ...lorebook, body: { ...lorebook.body, entries } }, findings };
}
