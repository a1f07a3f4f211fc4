// Agnai as a target, as the house asks for it. Facts: Agnaistic 1.0.27.

import {
  chosenOptions,
  type Exported,
  type Exporter,
  type ExportOption,
  type ExportRequest,
} from '../../core/exporter.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import type { AgnaiOptions } from './book-writing.ts';
import { agnaiCharacter, agnaiMemoryBook } from './character.ts';
import { ownParts } from './memory-twin.ts';

/** What Agnai's user decides: entries that nothing there can find, and entries that start each other. */
export const AGNAI_EXPORT_OPTIONS = [
  { id: 'non-latin-keys', choices: ['off', 'always'], usual: { natural: 'off', exact: 'off' } },
  { id: 'flatten-recursion', choices: ['off', 'on'], usual: { natural: 'off', exact: 'on' } },
] as const satisfies readonly ExportOption[];

/**
 * Agnai. It reads the first text of a PNG, whatever its name, so the native character comes first and other texts go;
 * SillyTavern's own card may follow behind it as `ccv3`, which SillyTavern prefers (decisions 27).
 */
export const AGNAI_EXPORTER: Exporter = {
  id: 'agnai',
  version: '1.0.27',
  versions: ['1.0.27'],
  forms: ['png', 'json', 'lorebook'],
  usualForm: 'png',
  png: { keywords: ['chara'], first: true, dropOtherText: true, withSillyTavern: true },
  options: AGNAI_EXPORT_OPTIONS,
  write,
};

function write(resolved: ResolvedCharacter, request: ExportRequest): Exported {
  const { form, style, targetVersion, privateFields, noteDepth, contextSize } = request;
  const chosen = chosenOptions(AGNAI_EXPORT_OPTIONS, request);
  const options: AgnaiOptions = {
    style,
    privateFields,
    withoutKeywords: chosen['non-latin-keys'],
    flattenRecursion: chosen['flatten-recursion'] === 'on',
    ...(noteDepth === undefined ? {} : { noteDepth }),
    ...(contextSize === undefined ? {} : { contextSize }),
    ...(targetVersion === undefined ? {} : { targetVersion }),
  };
  if (form === 'lorebook') {
    const { name, json, ...said } = agnaiMemoryBook(resolved, options);
    return { files: [{ kind: 'file', name: `${name}.json`, json }], own: ownParts(resolved, json), ...said };
  }
  const { card, ...said } = agnaiCharacter(resolved, options);
  const file = { kind: 'card' as const, name: resolved.character.name, json: card };
  return { files: [file], own: ownParts(resolved, card['characterBook']), ...said };
}
