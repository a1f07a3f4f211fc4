// An opened file for another app than SillyTavern: its live lorebooks, as SillyTavern has them in force.

import { ConversionError } from './convert.ts';
import type { ConvertOptions } from './convert-file.ts';
import { type Conversion, conversion } from './convert-report.ts';
import type { Exporter, ExportForm } from './core/exporter.ts';
import { type CharacterExport, exportCharacter, exportLorebooks } from './export-character.ts';
import { liveLorebooks } from './live-lorebooks.ts';
import type { OpenedFile } from './open-file.ts';

/**
 * Converts an opened file for another app. A lorebook alone becomes the app's own lorebook file.
 * @throws ConversionError when the app cannot have the form or the version that was asked for
 */
export function convertToApp(opened: OpenedFile, exporter: Exporter, options: ConvertOptions): Conversion {
  const form = checkedForm(exporter, options, opened.kind);
  checkVersion(exporter, options.targetVersion);
  const { form: _form, ...around } = options;
  const asked: Omit<CharacterExport, 'character' | 'lorebooks' | 'form'> = {
    ...around,
    style: options.style ?? 'natural',
    privateFields: options.privateFields ?? 'drop',
  };
  if (opened.kind !== 'card') {
    const lorebook = opened.kind === 'worldinfo' ? opened.world.lorebook : opened.lorebook;
    const { files, findings, ...guidance } = exportLorebooks(exporter, opened.container, {
      ...asked,
      lorebooks: [lorebook],
    });
    return conversion(files, [lorebook], [...opened.findings, ...findings], options, guidance);
  }
  const { pieces, container } = opened;
  const { character } = pieces;
  const live = liveLorebooks(pieces.lorebooks, options.worlds ?? [], character.body.extensions['world']);
  const { files, findings, ...guidance } = exportCharacter(exporter, container, {
    ...asked,
    character,
    lorebooks: live.lorebooks,
    ...(form === undefined ? {} : { form }),
  });
  const said = [
    ...opened.findings.filter(({ bookId }) => bookId === null || !live.replaced.has(bookId)),
    ...live.findings,
    ...findings,
  ];
  return conversion(files, live.lorebooks, said, options, guidance);
}

function checkedForm(
  { forms, id }: Exporter,
  { form }: ConvertOptions,
  kind: OpenedFile['kind'],
): ExportForm | undefined {
  if (form === undefined) return undefined;
  if (kind !== 'card' && form !== 'lorebook' && form !== 'book')
    throw new ConversionError(`A lorebook cannot be written as ${form}; use --as lorebook.`);
  const found = forms.find((each) => each === form || (form === 'book' && each === 'lorebook'));
  if (found === undefined)
    throw new ConversionError(`Loreferry writes no ${form} for ${id}; there are ${forms.join(', ')}.`);
  return found;
}

function checkVersion({ versions, id }: Exporter, version: string | undefined): void {
  if (version !== undefined && !versions.includes(version))
    throw new ConversionError(
      `Loreferry knows no version ${version} of ${id}; there are ${versions.join(', ')}.`,
    );
}
