// RisuAI as a target: a card that carries everything, or its own lorebook files. Facts: RisuAI 460ecae2 (166.3.3).

import {
  chosenOptions,
  type Exported,
  type Exporter,
  type ExportOption,
  type ExportRequest,
} from '../../core/exporter.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import { ownParts, risuTwinOf } from './book-twin.ts';
import type { RisuOptions } from './book-writing.ts';
import { risuCard } from './card.ts';
import { risuLorebooks } from './lorebook-writing.ts';
import { risuGuidance } from './steps.ts';

/** What RisuAI's user decides: plain keys never mind case there, patterns are harder to read. */
export const RISU_EXPORT_OPTIONS = [
  {
    id: 'case-sensitive-keys',
    choices: ['pattern', 'plain'],
    usual: { natural: 'pattern', exact: 'pattern' },
    only: 'natural',
  },
] as const satisfies readonly ExportOption[];

/** RisuAI. Its PNG holds `ccv3` alone: beside a `chara` chunk it would be the same, and only V3 keeps patterns. */
export const RISU_EXPORTER: Exporter = {
  id: 'risu',
  version: '166.3.3',
  versions: ['166.3.3'],
  forms: ['png', 'json', 'charx', 'lorebook'],
  usualForm: 'png',
  png: { keywords: ['ccv3'] },
  options: RISU_EXPORT_OPTIONS,
  write,
};

function ownOfCard({ books }: ResolvedCharacter): readonly OwnPart[] {
  const twin = risuTwinOf(books);
  const [first] = books;
  return twin === null || first === undefined ? [] : ownParts(first, twin);
}

function write(resolved: ResolvedCharacter, request: ExportRequest): Exported {
  const { form, style, targetVersion, privateFields, noteDepth, contextSize, keepsChunks } = request;
  const options: RisuOptions = {
    style,
    privateFields,
    caseSensitiveKeys: chosenOptions(RISU_EXPORT_OPTIONS, request)['case-sensitive-keys'],
    ...(keepsChunks === undefined ? {} : { keepsChunks }),
    ...(noteDepth === undefined ? {} : { noteDepth }),
    ...(contextSize === undefined ? {} : { contextSize }),
    ...(targetVersion === undefined ? {} : { targetVersion }),
  };
  if (form === 'lorebook') {
    const { lorebooks, findings, own } = risuLorebooks(resolved, options);
    const files = lorebooks.map(({ name, json }) => ({ kind: 'file' as const, name: `${name}.json`, json }));
    return { files, findings, own, ...risuGuidance(resolved, 'lorebook', options) };
  }
  const { card, findings } = risuCard(resolved, options);
  return {
    files: [{ kind: 'card', name: resolved.character.name, json: card }],
    findings,
    own: ownOfCard(resolved),
    ...risuGuidance(resolved, 'card', options),
  };
}
