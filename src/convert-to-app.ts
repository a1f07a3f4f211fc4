// An opened file for another app than SillyTavern: its live lorebooks, as SillyTavern has them in force.

import { ConversionError } from './convert.ts';
import type { ConvertOptions } from './convert-file.ts';
import { type Conversion, conversion } from './convert-report.ts';
import type { Exporter, ExportForm, Style } from './core/exporter.ts';
import { withoutOwn } from './core/own-part.ts';
import { type CharacterExport, exportCharacter, exportLorebooks } from './export-character.ts';
import { liveLorebooks } from './live-lorebooks.ts';
import type { OpenedFile } from './open-file.ts';

/**
 * Converts an opened file for another app. A lorebook alone becomes the app's own lorebook file.
 * @throws ConversionError when the app cannot have the form, the version or an option that was asked for
 */
export function convertToApp(opened: OpenedFile, exporter: Exporter, options: ConvertOptions): Conversion {
  const form = checkedForm(exporter, options, opened.kind);
  checkVersion(exporter, options.targetVersion);
  const style = options.style ?? 'natural';
  checkOptions(exporter, style, options.options);
  const { form: _form, ...around } = options;
  const asked: Omit<CharacterExport, 'character' | 'lorebooks' | 'form'> = {
    ...around,
    style,
    privateFields: options.privateFields ?? 'drop',
  };
  if (opened.kind !== 'card') {
    const lorebook = opened.kind === 'worldinfo' ? opened.world.lorebook : opened.lorebook;
    const { files, findings, own, ...guidance } = exportLorebooks(exporter, opened.container, {
      ...asked,
      lorebooks: [lorebook],
    });
    return conversion(
      files,
      [lorebook],
      [...withoutOwn(opened.findings, own ?? []), ...findings],
      options,
      guidance,
    );
  }
  const { pieces, container } = opened;
  const { character } = pieces;
  const live = liveLorebooks(pieces.lorebooks, options.worlds ?? [], character.body.extensions['world']);
  const { files, findings, own, ...guidance } = exportCharacter(exporter, container, {
    ...asked,
    character,
    lorebooks: live.lorebooks,
    ...(form === undefined ? {} : { form }),
  });
  const said = [
    ...withoutOwn(
      opened.findings.filter(({ bookId }) => bookId === null || !live.replaced.has(bookId)),
      own ?? [],
    ),
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

function checkOptions(
  { options = [], id }: Exporter,
  style: Style,
  asked: ConvertOptions['options'] = {},
): void {
  for (const [name, value] of Object.entries(asked)) {
    const option = options.find((each) => each.id === name);
    const known = options.map((each) => each.id).join(', ');
    if (option === undefined)
      throw new ConversionError(
        `${id} has no option ${name}; there ${known === '' ? 'are none' : `are ${known}`}.`,
      );
    if (!option.choices.includes(value))
      throw new ConversionError(`The option ${name} of ${id} is one of ${option.choices.join(', ')}.`);
    if (option.only !== undefined && option.only !== style)
      throw new ConversionError(`The option ${name} of ${id} is for the style ${option.only} alone.`);
  }
}
