// The terminal's door: `loreferry inspect | extract | convert`.

import { HELP, parseCommand } from './cli/arguments.ts';
import { convertCommand } from './cli/convert-command.ts';
import { extractCommand } from './cli/extract-command.ts';
import { inspectCommand } from './cli/inspect-command.ts';
import { UsageError } from './cli/usage-error.ts';
import { ContainerError } from './containers/container.ts';
import { ConversionError } from './convert.ts';

declare const __LOREFERRY_VERSION__: string;

/** Runs one command line and returns the exit status: 0 done, 1 done with losses and `--strict`, 2 unusable input. */
export function run(argv: readonly string[]): 0 | 1 | 2 {
  try {
    const command = parseCommand(argv);
    switch (command.command) {
      case 'help':
        process.stdout.write(HELP);
        return 0;
      case 'version':
        process.stdout.write(`${__LOREFERRY_VERSION__}\n`);
        return 0;
      case 'inspect':
        process.stdout.write(inspectCommand(command));
        return 0;
      case 'extract':
        process.stdout.write(extractCommand(command));
        return 0;
      case 'convert': {
        const { text, status } = convertCommand(command);
        process.stdout.write(text);
        return status;
      }
    }
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ContainerError || error instanceof ConversionError))
      throw error;
    process.stderr.write(`loreferry: ${error.message}\n`);
    return 2;
  }
}

process.exitCode = run(process.argv.slice(2));
