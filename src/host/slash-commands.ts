// Slash commands, for people who write STscript or have no hand for menus (public/scripts/slash-commands).

import { context, warn } from './context.ts';

interface Parser {
  addCommandObject(command: unknown): void;
  /** By name; 1.12 and later. */
  readonly commands?: Record<string, unknown>;
}

/**
 * Adds a slash command with at most one argument without a name. It returns the empty string at once: what it opens
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
  readonly run: (argument: string) => void;
}): () => void {
  const { SlashCommandParser, SlashCommand, SlashCommandArgument, ARGUMENT_TYPE } = context();
  const parser = SlashCommandParser as Parser | undefined;
  if (!parser || !SlashCommand || !SlashCommandArgument) return () => {};
  const { name, help, argument, run } = command;
  const made = SlashCommand.fromProps({
    name,
    returns: 'an empty string',
    helpString: help,
    unnamedArgumentList: [
      SlashCommandArgument.fromProps({
        description: argument,
        typeList: [ARGUMENT_TYPE?.['STRING'] ?? 'string'],
        isRequired: false,
      }),
    ],
    callback: (_named: unknown, value: unknown) => {
      try {
        run(typeof value === 'string' ? value.trim() : '');
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
