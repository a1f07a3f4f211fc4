// Marinara as a target, as the house asks for it. Facts: Marinara Engine 2.3.3.

import type { Exported, ExportedFile, Exporter, ExportRequest } from '../../core/exporter.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import { isMarinaraCompatible } from './compatible-lorebook.ts';
import { exportMarinara, type MarinaraExportOptions } from './export.ts';

/** Marinara Engine. A card unless an entry needs what only a lorebook file holds; never the same book in both. */
export const MARINARA_EXPORTER: Exporter = {
  id: 'marinara',
  version: '2.3.3',
  versions: ['2.3', '2.4'],
  forms: ['png', 'json', 'native', 'lorebook'],
  usualForm: 'png',
  png: { keywords: ['chara'] },
  write,
};

function write(resolved: ResolvedCharacter, request: ExportRequest): Exported {
  const { form, style, targetVersion, privateFields, noteDepth, picture } = request;
  const options: MarinaraExportOptions = {
    style,
    privateFields,
    carrier: carrierOf(form),
    ...(noteDepth === undefined ? {} : { noteDepth }),
    ...(targetVersion === undefined ? {} : { targetVersion }),
    ...(picture === undefined ? {} : { avatar: picture }),
  };
  const { carrier, character, lorebooks, ...said } = exportMarinara(resolved, options);
  const { name } = resolved.character;
  const card: ExportedFile =
    carrier === 'native-character'
      ? { kind: 'file', name: `${name}.marinara.json`, json: character }
      : { kind: 'card', name, json: character };
  const files = lorebooks.map(({ name: title, json }): ExportedFile => {
    const ending = isMarinaraCompatible(json) ? '.json' : '.marinara.json';
    return { kind: 'file', name: `${title}${ending}`, json };
  });
  if (form !== 'lorebook') return { ...said, files: [card, ...files] };
  // Nobody gets the card, so there is nothing to say of it.
  return { ...said, files, findings: said.findings.filter(({ bookId }) => bookId !== null) };
}

// Asked for one file, a person gets one; what it cannot hold is said.
function carrierOf(form: ExportRequest['form']): MarinaraExportOptions['carrier'] {
  if (form === undefined) return 'auto';
  if (form === 'lorebook') return 'native';
  return form === 'native' ? 'native-character' : 'card';
}
