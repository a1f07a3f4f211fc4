// RisuAI as a target: a card that carries everything, or its own lorebook files. Facts: RisuAI 460ecae2 (166.3.3).

import type { Exported, Exporter, ExportRequest } from '../../core/exporter.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import type { RisuOptions } from './book-writing.ts';
import { risuCard, risuLorebooks } from './card.ts';
import { risuGuidance } from './steps.ts';

/** RisuAI. Its PNG holds `ccv3` alone: beside a `chara` chunk it would be the same, and only V3 keeps patterns. */
export const RISU_EXPORTER: Exporter = {
  id: 'risu',
  version: '166.3.3',
  versions: ['166.3.3'],
  forms: ['png', 'json', 'charx', 'lorebook'],
  usualForm: 'png',
  png: { keywords: ['ccv3'] },
  write,
};

function write(resolved: ResolvedCharacter, request: ExportRequest): Exported {
  const { form, style, targetVersion, privateFields } = request;
  const options: RisuOptions = {
    style,
    privateFields,
    ...(targetVersion === undefined ? {} : { targetVersion }),
  };
  if (form === 'lorebook') {
    const { lorebooks, findings } = risuLorebooks(resolved, options);
    const files = lorebooks.map(({ name, json }) => ({ kind: 'file' as const, name: `${name}.json`, json }));
    return { files, findings, ...risuGuidance(resolved, 'lorebook', options) };
  }
  const { card, findings } = risuCard(resolved, options);
  return {
    files: [{ kind: 'card', name: resolved.character.name, json: card }],
    findings,
    ...risuGuidance(resolved, 'card', options),
  };
}
