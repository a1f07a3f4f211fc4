// The command line's words: parsed by Node, checked by zod.

import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { FORMS } from '../convert-file.ts';
import { TARGETS } from '../formats/registry.ts';
import { UsageError } from './usage-error.ts';

const InspectArgs = z.object({ command: z.literal('inspect'), file: z.string(), json: z.boolean() });
const ExtractArgs = z.object({
  command: z.literal('extract'),
  file: z.string(),
  out: z.string().check(z.minLength(1)),
  force: z.boolean(),
});
const ConvertArgs = z.object({
  command: z.literal('convert'),
  file: z.string(),
  to: z.enum(TARGETS),
  as: z.optional(z.enum(FORMS)),
  books: z.array(z.string()),
  settings: z.optional(z.string()),
  style: z.enum(['natural', 'exact']),
  user: z.optional(z.string()),
  avatar: z.optional(z.string()),
  targetVersion: z.optional(z.string()),
  private: z.optional(z.enum(['keep', 'drop'])),
  options: z.record(z.string(), z.string()),
  strict: z.boolean(),
  force: z.boolean(),
  out: z.string().check(z.minLength(1)),
  report: z.optional(z.string().check(z.minLength(1))),
});

/** `loreferry inspect`. */
export type InspectCommand = z.infer<typeof InspectArgs>;
/** `loreferry extract`. */
export type ExtractCommand = z.infer<typeof ExtractArgs>;
/** `loreferry convert`. */
export type ConvertCommand = z.infer<typeof ConvertArgs>;
/** What a person asked for. */
export type Command =
  | InspectCommand
  | ExtractCommand
  | ConvertCommand
  | { command: 'help' }
  | { command: 'version' };

const OPTIONS = {
  json: { type: 'boolean', default: false },
  out: { type: 'string', short: 'o' },
  to: { type: 'string' },
  as: { type: 'string' },
  book: { type: 'string', multiple: true, default: [] as string[] },
  settings: { type: 'string' },
  style: { type: 'string', default: 'natural' },
  user: { type: 'string' },
  avatar: { type: 'string' },
  'target-version': { type: 'string' },
  private: { type: 'string' },
  option: { type: 'string', multiple: true, default: [] as string[] },
  strict: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  report: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

/**
 * Parses the arguments behind `loreferry`.
 * @throws UsageError, one sentence, when they do not fit
 */
export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = parsed(argv);
  if (values.version) return { command: 'version' };
  const [command, file, ...rest] = positionals;
  if (values.help || command === undefined) return { command: 'help' };
  if (!COMMANDS.includes(command)) {
    throw new UsageError(`There is no command "${command}"; there are inspect, extract and convert.`);
  }
  if (file === undefined) throw new UsageError(`${command} needs a file.`);
  if (rest.length > 0) throw new UsageError(`Only one file at a time; "${rest[0]}" is one too many.`);
  switch (command) {
    case 'inspect':
      return checked(InspectArgs, { command, file, json: values.json });
    case 'extract':
      return checked(ExtractArgs, { command, file, out: values.out, force: values.force });
    default:
      return checked(ConvertArgs, {
        ...values,
        command: 'convert',
        file,
        books: values.book,
        options: namedValues(values.option),
        targetVersion: values['target-version'],
      });
  }
}

function namedValues(given: readonly string[]): Readonly<Record<string, string>> {
  const pairs = given.map((each) => {
    const at = each.indexOf('=');
    if (at < 1) throw new UsageError(`--option needs a name and a value, as in --option name=value.`);
    return [each.slice(0, at), each.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

const COMMANDS: readonly string[] = ['inspect', 'extract', 'convert'];

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Node explains some of them in several sentences; the first says what is wrong.
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split(/(?<=\.)\s|\n/);
    throw new UsageError(message.endsWith('.') ? message : `${message}.`);
  }
}

const FLAG_OF: Readonly<Record<string, string>> = {
  out: '-o',
  targetVersion: '--target-version',
  books: '--book',
};

function checked<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0] ?? '');
  const flag = FLAG_OF[name] ?? `--${name}`;
  if (issue?.code === 'invalid_value') {
    throw new UsageError(`${flag} must be one of ${issue.values.join(', ')}.`);
  }
  throw new UsageError(`${flag} is missing.`);
}
