// The apps that a file can be written for, and the forms that each can have.

import type { ContainerKind } from '../../containers/container.ts';
import type { Form } from '../../convert-file.ts';
import { EXPORTERS } from '../../formats/exporters.ts';
import { SILLYTAVERN } from '../../formats/sillytavern/card.ts';
import type { OfferedForm, OfferedTarget } from './export-material.ts';

const CARD_FORMS: readonly Form[] = ['png', 'json', 'charx'];

/**
 * SillyTavern itself first, then every app that has an exporter.
 *
 * @param isCard whether a character is exported; else only lorebook files can be written
 * @param kind what the file came as: the usual form for SillyTavern
 */
export function offeredTargets(isCard: boolean, kind: ContainerKind): readonly OfferedTarget[] {
  const own = kind === 'jpeg+zip' ? 'charx' : kind;
  const cardForms = [own, ...CARD_FORMS.filter((form) => form !== own)];
  return [
    {
      id: SILLYTAVERN,
      forms: isCard ? cardForms : ['lorebook', 'book'],
      versions: [],
      hasStyles: false,
    },
    ...EXPORTERS.filter(({ forms }) => isCard || forms.includes('lorebook')).map(
      ({ id, forms, versions }): OfferedTarget => ({
        id,
        forms: isCard ? withAuto(forms) : ['lorebook'],
        versions,
        hasStyles: true,
      }),
    ),
  ];
}

// With a single form there is nothing to be found out.
const withAuto = (forms: readonly OfferedForm[]): readonly OfferedForm[] =>
  forms.length > 1 ? ['auto', ...forms] : forms;
