// `loreferry convert`: a file written for another app, with a report of what happened to each entry.

import { basename, join } from 'node:path';
import { readContainer } from '../containers/container.ts';
import type { Form, LinkedWorld, WrittenFile } from '../convert-file.ts';
import { convertAnyFile } from '../convert-pack.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { holdsScanSettings } from '../formats/sillytavern/scan-settings.ts';
import type { OpenedFile } from '../open-file.ts';
import { fileStem, openFile } from '../open-file.ts';
import { filesIn, type OpenedPack, openAnyFile, packRemarks } from '../packed-file.ts';
import type { ConvertCommand } from './arguments.ts';
import { differenceLines } from './difference-lines.ts';
import { fileNames } from './file-name.ts';
import { formByEnding } from './out-ending.ts';
import type { OutputFile } from './output.ts';
import { isFolder, readInput, writeOutput } from './output.ts';
import { counted, printableJson } from './terminal-text.ts';
import { UsageError } from './usage-error.ts';

/** What the command prints, and whether anything was lost. */
export interface ConvertOutcome {
  readonly lines: readonly string[];
  readonly status: 0 | 1;
}

/**
 * Runs the command.
 * @throws UsageError, ContainerError or ConversionError, one sentence, when something cannot be used
 */
export function convertCommand(command: ConvertCommand): ConvertOutcome {
  const settings = command.settings === undefined ? undefined : readSettings(command.settings);
  const opened = openAnyFile(readInput(command.file), command.file);
  const conversion = convertAnyFile(opened, {
    target: command.to,
    style: command.style,
    ...formOf(command, kindOf(opened)),
    ...(command.private === undefined ? {} : { privateFields: command.private }),
    ...(command.targetVersion === undefined ? {} : { targetVersion: command.targetVersion }),
    options: command.options,
    worlds: command.books.map(readWorldFile),
    ...(settings === undefined ? {} : { settings }),
    ...(command.user === undefined ? {} : { userName: command.user }),
    ...(command.avatar === undefined ? {} : { avatar: basename(command.avatar) }),
  });
  const { files, report } = conversion;
  if (files.length === 0)
    throw new UsageError(`${command.file} holds no lorebook, so there is nothing to write.`);
  const isMany = opened.kind === 'pack' && opened.members.length > 1;
  const output = placed(files, command.out, isMany);
  const written = output.map(({ path }) => path);
  if (command.report !== undefined) {
    const named = report.files.map((file, index) => ({
      ...file,
      name: basename(written[index] ?? file.name),
    }));
    const text = `${printableJson({ ...report, files: named })}\n`;
    output.push({ path: command.report, bytes: new TextEncoder().encode(text) });
  }
  writeOutput(output, command.force);
  const { total, exact, stashed, approximated, lost } = report.entries;
  return {
    lines: [
      ...(opened.kind === 'pack' ? packRemarks(opened) : opened.container.notes),
      ...output.map(({ path }) => path),
      ...unusedOptions(command),
      ...settingsNote(command, settings),
      ...pictureNote(command, opened, output),
      ...report.steps.map((step, index) => `${index + 1}. ${step}`),
      `${counted(total, 'entry', 'entries')}: ${exact} exact, ${stashed} kept aside, ${approximated} approximated, ${lost} lost`,
      ...differenceLines(conversion, command.report),
    ],
    status: command.strict && lost + approximated > 0 ? 1 : 0,
  };
}

// A zip of one file stands for that file.
const kindOf = (opened: OpenedFile | OpenedPack): (OpenedFile | OpenedPack)['kind'] => {
  const [only, ...more] = filesIn(opened);
  return only === undefined || more.length > 0 ? opened.kind : only.kind;
};

// Without --as a card takes the form that its file name promises.
function formOf(
  { as, out, to }: ConvertCommand,
  kind: (OpenedFile | OpenedPack)['kind'],
): { readonly form?: Form } {
  if (as !== undefined) return { form: as };
  const converted = kind === 'card' ? kind : kind === 'pack' ? 'several' : 'lorebook';
  const form = isFolder(out) ? undefined : formByEnding(out, converted, to);
  return form === undefined ? {} : { form };
}

// What is resolved at export for other apps stays as it is on the way to SillyTavern.
function unusedOptions(command: ConvertCommand): readonly string[] {
  if (command.to !== 'sillytavern') return [];
  const given = [
    ...(command.settings === undefined ? [] : ['--settings']),
    ...(command.user === undefined ? [] : ['--user']),
    ...(command.avatar === undefined ? [] : ['--avatar']),
    ...(command.style === 'natural' ? [] : ['--style']),
    ...(command.targetVersion === undefined ? [] : ['--target-version']),
    ...(Object.keys(command.options).length === 0 ? [] : ['--option']),
  ];
  return given.length === 0 ? [] : [`${given.join(', ')}: no effect for ${command.to}.`];
}

function settingsNote({ to, settings: path }: ConvertCommand, settings: Json | undefined): readonly string[] {
  if (to === 'sillytavern' || settings === undefined || holdsScanSettings(settings)) return [];
  return [`${path} holds no world info settings of SillyTavern’s; the shipped ones were used.`];
}

// Of a card that is written without its picture; a lorebook has none.
function pictureNote(
  { as }: ConvertCommand,
  opened: OpenedFile | OpenedPack,
  output: readonly OutputFile[],
): readonly string[] {
  if (as === 'lorebook' || as === 'book') return [];
  const isJson = output.every(({ path }) => /\.json$/i.test(path));
  const hasPicture = filesIn(opened).some(
    ({ kind, container }) => kind === 'card' && container.picture !== undefined,
  );
  return hasPicture && isJson ? ['The picture is not part of a JSON file.'] : [];
}

// Several files go into a folder, under names that a file system takes; of a pack all do, however many they are.
function placed(files: readonly WrittenFile[], out: string, isMany: boolean): OutputFile[] {
  const [single] = files;
  if (files.length === 1 && !isMany && single !== undefined && !isFolder(out)) {
    return [{ path: out, bytes: single.bytes }];
  }
  const nameOf = fileNames();
  return files.map(({ name, bytes }) => {
    const dot = name.lastIndexOf('.');
    return { path: join(out, nameOf([name.slice(0, dot)], name.slice(dot))), bytes };
  });
}

function readWorldFile(path: string): LinkedWorld {
  const opened = openFile(readInput(path), path);
  if (opened.kind !== 'worldinfo') throw new UsageError(`${path} is not a world info file.`);
  return { name: fileStem(path), world: opened.container.json as JsonObject };
}

function readSettings(path: string): Json {
  const read = readContainer(readInput(path), path);
  if (read.kind !== 'json') throw new UsageError(`${path} is no JSON file with settings.`);
  return read.json;
}
