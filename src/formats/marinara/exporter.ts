// Marinara as a target: which of its files carry a character. Facts: Marinara Engine 2.3.3.

import type { Exported, Exporter, ExportRequest } from '../../core/exporter.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import type { MarinaraOptions } from './book-writing.ts';
import { marinaraCard, marinaraCardWithoutBook, marinaraLorebooks, needsLorebookFile } from './card.ts';
import { marinaraCharacter } from './native-character.ts';
import { type Carrier, marinaraGuidance } from './steps.ts';

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
  const { form, style, targetVersion, privateFields } = request;
  const options: MarinaraOptions = {
    style,
    privateFields,
    ...(targetVersion === undefined ? {} : { targetVersion }),
  };
  const isAlone = form === 'lorebook';
  // Asked for one file, a person gets one; what it cannot hold is said.
  if (isAlone || (form === undefined && needsLorebookFile(resolved).length > 0)) {
    return withLorebookFiles(resolved, options, isAlone);
  }
  const { card, findings } = marinaraCard(resolved, options);
  const carrier: Carrier = form === 'native' ? 'native-character' : 'card';
  const name = resolved.character.name;
  const file =
    form === 'native'
      ? { kind: 'file' as const, name: `${name}.marinara.json`, json: marinaraCharacter(card, '') }
      : { kind: 'card' as const, name, json: card };
  return { files: [file], findings, ...marinaraGuidance(resolved, carrier) };
}

function withLorebookFiles(
  resolved: ResolvedCharacter,
  options: MarinaraOptions,
  isAlone: boolean,
): Exported {
  const { lorebooks, findings } = marinaraLorebooks(resolved, options);
  const files = lorebooks.map(({ name, json }) => ({
    kind: 'file' as const,
    name: `${name}.marinara.json`,
    json,
  }));
  if (isAlone) return { files, findings, ...marinaraGuidance(resolved, 'native') };
  const { card, findings: said } = marinaraCardWithoutBook(resolved);
  return {
    files: [{ kind: 'card', name: resolved.character.name, json: card }, ...files],
    findings: [...said, ...findings],
    ...marinaraGuidance(resolved, 'native'),
  };
}
