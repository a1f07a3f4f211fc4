// The terminal's door: `loreferry inspect | extract | convert`.

import { parseCommand } from './cli/arguments.ts';
import { convertCommand } from './cli/convert-command.ts';
import { extractCommand } from './cli/extract-command.ts';
import { HELP } from './cli/help.ts';
import { inspectCommand, inspectionLines } from './cli/inspect-command.ts';
import { printable, printableJson } from './cli/terminal-text.ts';
import { UsageError } from './cli/usage-error.ts';
import { ContainerError } from './containers/container.ts';
import { ConversionError } from './convert.ts';

declare const __LOREFERRY_VERSION__: string;

/** What a command line comes to: text for stdout, and 0 done, 1 done with losses and `--strict`. */
interface Outcome {
  readonly text: string;
  readonly status: 0 | 1;
}

/** Runs one command line and returns the exit status; 2 is unusable input, with one sentence on stderr. */
export function run(argv: readonly string[]): 0 | 1 | 2 {
  try {
    const { text, status } = outcomeOf(argv);
    process.stdout.write(text);
    return status;
  } catch (error) {
    process.stderr.write(`loreferry: ${printable(sentence(error))}\n`);
    return 2;
  }
}

function outcomeOf(argv: readonly string[]): Outcome {
  const command = parseCommand(argv);
  switch (command.command) {
    case 'help':
      return { text: HELP, status: 0 };
    case 'version':
      return { text: `${__LOREFERRY_VERSION__}\n`, status: 0 };
    case 'inspect': {
      const inspection = inspectCommand(command);
      const text = command.json ? `${printableJson(inspection)}\n` : asText(inspectionLines(inspection));
      return { text, status: 0 };
    }
    case 'extract':
      return { text: asText(extractCommand(command)), status: 0 };
    case 'convert': {
      const { lines, status } = convertCommand(command);
      return { text: asText(lines), status };
    }
  }
}

const asText = (lines: readonly string[]): string => `${lines.map(printable).join('\n')}\n`;

function sentence(error: unknown): string {
  if (error instanceof UsageError || error instanceof ContainerError || error instanceof ConversionError) {
    return error.message;
  }
  // Nothing else should come here. When it does, one line for a report is worth more than a trace.
  const place = error instanceof Error ? /\bat (\S+)/.exec(error.stack ?? '')?.[1] : undefined;
  return `Loreferry itself failed${place === undefined ? '' : ` in ${place}`} (${String(error)}); please report it.`;
}

// Who reads only the beginning (`| head`) is not to be shown an error.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.stderr.write(`loreferry: The output cannot be printed (${code ?? message}).\n`);
  process.exitCode = 2;
});
process.exitCode = run(process.argv.slice(2));
