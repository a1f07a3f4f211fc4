// Lumiverse as a target, as the house asks for it. Facts: Lumiverse 1.1.0.

import type { Exported, ExportedFile, Exporter, ExportRequest } from '../../core/exporter.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import type { LumiverseOptions } from './book-writing.ts';
import { lumiverseCard, lumiverseLorebooks } from './card.ts';
import { MODULES_PATH } from './modules.ts';
import { lumiverseGuidance } from './steps.ts';

/** Lumiverse. Only a charx keeps several lorebooks apart, so it is what several are written as (decisions 41). */
export const LUMIVERSE_EXPORTER: Exporter = {
  id: 'lumiverse',
  version: '1.1.0',
  versions: ['1.1.0'],
  forms: ['png', 'json', 'charx', 'lorebook'],
  usualForm: 'png',
  hasBestFit: true,
  png: { keywords: ['chara', 'ccv3'] },
  write,
};

function write(resolved: ResolvedCharacter, request: ExportRequest): Exported {
  const { form, style, privateFields, noteDepth } = request;
  const options: LumiverseOptions = {
    style,
    privateFields,
    ...(noteDepth === undefined ? {} : { noteDepth }),
  };
  if (form === 'lorebook') {
    const { lorebooks, findings, own } = lumiverseLorebooks(resolved, options);
    const files = lorebooks.map(
      ({ name, json }): ExportedFile => ({ kind: 'file', name: `${name}.json`, json }),
    );
    return { files, findings, own, ...lumiverseGuidance(resolved, 'lorebook') };
  }
  const cardForm = form ?? (resolved.books.length > 1 ? 'charx' : undefined);
  const carrier = cardForm === 'charx' ? 'charx' : 'card';
  const { card, modules, findings, own } = lumiverseCard(resolved, carrier, options);
  const file: ExportedFile = {
    kind: 'card',
    name: resolved.character.name,
    json: card,
    members: { [MODULES_PATH]: modules },
  };
  return {
    files: [file],
    findings,
    own,
    ...lumiverseGuidance(resolved, carrier),
    ...(cardForm === 'charx' ? { cardForm } : {}),
  };
}
