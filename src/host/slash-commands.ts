// Slash commands, for people who write STscript or have no hand for menus (public/scripts/slash-commands).

import { context, warn } from './context.ts';

interface Parser {
  addCommandObject(command: unknown): void;
  /** By name; 1.12 and later. */
  readonly commands?: Record<string, unknown>;
}

/** An argument that is written as `name=value`. */
export interface NamedArgument {
  readonly name: string;
  readonly help: string;
}

/**
 * Adds a slash command with at most one argument without a name, and one with a name. It returns the empty string at once: what it opens
 * may stay open for long, and a script must not wait for it.
 *
 * @param command its name without the slash, what it does, what the argument is, and what happens; the text is shown as
 *   HTML by SillyTavern, so it must hold no text of a card
 * @returns a function that takes it away; a client without slash commands gets none
 */
export function addSlashCommand(command: {
  readonly name: string;
  readonly help: string;
  readonly argument: string;
  readonly named?: NamedArgument;
  /** `named` is "" where it was not given. */
  readonly run: (argument: string, named?: string) => void;
}): () => void {
  const { SlashCommandParser, SlashCommand, SlashCommandArgument, SlashCommandNamedArgument, ARGUMENT_TYPE } =
    context();
  const parser = SlashCommandParser as Parser | undefined;
  if (!parser || !SlashCommand || !SlashCommandArgument) return () => {};
  const { name, help, argument, named, run } = command;
  const typeList = [ARGUMENT_TYPE?.['STRING'] ?? 'string'];
  const made = SlashCommand.fromProps({
    name,
    returns: 'an empty string',
    helpString: help,
    namedArgumentList:
      named === undefined || !SlashCommandNamedArgument
        ? []
        : [
            SlashCommandNamedArgument.fromProps({
              name: named.name,
              description: named.help,
              typeList,
              isRequired: false,
            }),
          ],
    unnamedArgumentList: [
      SlashCommandArgument.fromProps({
        description: argument,
        typeList,
        isRequired: false,
      }),
    ],
    callback: (given: unknown, value: unknown) => {
      try {
        if (named === undefined) run(textOf(value));
        else run(textOf(value), textOf(memberOf(given, named.name)));
      } catch (error) {
        warn(`/${name} did not work.`, error);
      }
      return '';
    },
  });
  // Added twice, SillyTavern prints a trace: after a stop and a start ours is still listed where it could not be removed.
  if (parser.commands && Object.hasOwn(parser.commands, name)) delete parser.commands[name];
  parser.addCommandObject(made);
  return () => {
    const { commands } = parser;
    if (commands && commands[name] === made) delete commands[name];
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const memberOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Readonly<Record<string, unknown>>)[name]
    : undefined;
