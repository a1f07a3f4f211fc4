// The apps that a file can be written for, and the forms that each can have.

import type { ContainerKind } from '../../containers/container.ts';
import type { Form } from '../../convert-file.ts';
import type { Exporter, ExportForm } from '../../core/exporter.ts';
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
      options: [],
    },
    ...EXPORTERS.filter(({ forms }) => isCard || forms.includes('lorebook')).map(
      (exporter): OfferedTarget => ({
        id: exporter.id,
        forms: isCard ? formsOf(exporter, own) : ['lorebook'],
        versions: exporter.versions,
        hasStyles: true,
        options: exporter.options ?? [],
      }),
    ),
  ];
}

// An app with a form of its own may hold there what its card cannot, and one form may keep apart what another joins; any
// other app is given a card in any case.
function formsOf({ forms, usualForm, hasBestFit }: Exporter, own: ExportForm): readonly OfferedForm[] {
  if (forms.includes('native') || hasBestFit === true) return ['auto', ...forms];
  const first = forms.includes(own) ? own : usualForm;
  return [first, ...forms.filter((form) => form !== first)];
}
