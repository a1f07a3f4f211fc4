// `loreferry convert`: a file written for another app, with a report of what happened to each entry.

import { join } from 'node:path';
import type { LinkedWorld } from '../convert-file.ts';
import { convertFile } from '../convert-file.ts';
import type { JsonObject } from '../core/json.ts';
import { fileStem, openFile } from '../open-file.ts';
import type { ConvertCommand } from './arguments.ts';
import type { OutputFile } from './output.ts';
import { isFolder, readInput, safeFileName, writeOutput } from './output.ts';
import { UsageError } from './usage-error.ts';

/** What the command prints, and whether anything was lost. */
export interface ConvertOutcome {
  readonly text: string;
  readonly status: 0 | 1;
}

/**
 * Runs the command.
 * @throws UsageError, ContainerError or ConversionError, one sentence, when something cannot be used
 */
export function convertCommand(command: ConvertCommand): ConvertOutcome {
  const opened = openFile(readInput(command.file), command.file);
  const { files, report } = convertFile(opened, {
    target: command.to,
    ...(command.as === undefined ? {} : { form: command.as }),
    ...(command.private === undefined ? {} : { privateFields: command.private }),
    worlds: command.books.map(readWorldFile),
  });
  const [single] = files;
  if (single === undefined)
    throw new UsageError(`${command.file} holds no lorebook, so there is nothing to write.`);
  const taken = new Set<string>();
  const toFolder = files.length > 1 || isFolder(command.out);
  const output: OutputFile[] = toFolder
    ? files.map(({ name, bytes }) => ({ path: join(command.out, safeFileName(name, taken)), bytes }))
    : [{ path: command.out, bytes: single.bytes }];
  if (command.report !== undefined) {
    output.push({
      path: command.report,
      bytes: new TextEncoder().encode(`${JSON.stringify(report, null, 2)}\n`),
    });
  }
  writeOutput(output, command.force);
  const { total, exact, stashed, approximated, lost } = report.entries;
  const lines = [
    ...output.map(({ path }) => path),
    `${total} entries: ${exact} exact, ${stashed} kept aside, ${approximated} approximated, ${lost} lost`,
  ];
  return { text: `${lines.join('\n')}\n`, status: command.strict && lost + approximated > 0 ? 1 : 0 };
}

function readWorldFile(path: string): LinkedWorld {
  const opened = openFile(readInput(path), path);
  if (opened.kind !== 'worldinfo') throw new UsageError(`${path} is not a world info file.`);
  return { name: fileStem(path), world: opened.container.json as JsonObject };
}
