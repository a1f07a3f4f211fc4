// `loreferry extract`: a card's lorebooks as world info files, and the card linked to the first one.

import { join } from 'node:path';
import { writeCardJson } from '../containers/card-json.ts';
import { asPng } from '../containers/card-picture.ts';
import type { ContainerRead } from '../containers/container.ts';
import { writeContainer } from '../containers/container.ts';
import { emitBundle } from '../convert.ts';
import type { JsonObject } from '../core/json.ts';
import { isObject } from '../core/json.ts';
import { withWorldLink } from '../formats/sillytavern/card.ts';
import { worldFromLorebook } from '../formats/sillytavern/world-twin.ts';
import type { OpenedFile } from '../open-file.ts';
import { fileStem, openFile } from '../open-file.ts';
import type { ExtractCommand } from './arguments.ts';
import type { OutputFile } from './output.ts';
import { readInput, safeFileName, writeOutput } from './output.ts';
import { UsageError } from './usage-error.ts';

/**
 * Runs the command and returns what it prints. A card without a lorebook writes nothing.
 * @throws UsageError or ContainerError, one sentence, when the file cannot be used
 */
export function extractCommand(command: ExtractCommand): string {
  const opened = openFile(readInput(command.file), command.file);
  if (opened.kind === 'worldinfo')
    throw new UsageError(`${command.file} is a world info file, not a character card.`);
  const taken = new Set<string>();
  const files: OutputFile[] = [];
  const lines: string[] = [];
  const lorebooks = opened.kind === 'card' ? opened.pieces.lorebooks : [opened.lorebook];
  const filled = lorebooks.filter((book) => book.body.entries.length > 0);
  if (filled.length === 0)
    return `${unreadable(opened.findings) ?? `${command.file} holds no lorebook`}; nothing was written.\n`;
  let link = '';
  for (const lorebook of filled) {
    const character = opened.kind === 'card' ? opened.pieces.character.name : '';
    const slot = opened.kind === 'card' ? (opened.pieces.slots.get(lorebook.id) ?? lorebook.id) : lorebook.id;
    const name = safeFileName(`${lorebook.name}.json`, taken);
    if (link === '') link = fileStem(name);
    files.push({
      path: join(command.out, name),
      bytes: writeCardJson(worldFromLorebook(lorebook, { character, slot })),
    });
    lines.push(`${name}: ${lorebook.body.entries.length} entries`);
  }
  if (opened.kind === 'card') {
    const card = withWorldLink(linkable(opened), link);
    const file = cardFile(
      opened.container,
      card,
      safeFileName(linkedName(command.file, opened.container), taken),
    );
    files.push({ path: join(command.out, file.path), bytes: file.bytes });
    lines.push(`${file.path}: the card, linked to "${link}"`);
  }
  writeOutput(files, command.force);
  return `${lines.join('\n')}\n`;
}

// A flat V1 card has no place for a link, and SillyTavern drops its book: it is written as V2, book included.
function linkable(opened: Extract<OpenedFile, { kind: 'card' }>): JsonObject {
  if (isObject(opened.card['data'])) return opened.card;
  return emitBundle(opened.pieces.character, opened.pieces.lorebooks, 'sillytavern').card;
}

const unreadable = (
  findings: readonly { readonly code: string; readonly message: string }[],
): string | undefined => findings.find(({ code }) => code === 'refused')?.message.replace(/\.$/, '');

function linkedName(path: string, container: ContainerRead): string {
  const stem = fileStem(path);
  return `${stem}.${container.kind === 'jpeg+zip' ? 'charx' : container.kind}`;
}

function cardFile(container: ContainerRead, card: JsonObject, path: string): OutputFile {
  if (container.kind === 'png') return { path, bytes: asPng(container, card) };
  if (container.kind === 'json') return { path, bytes: writeCardJson(card) };
  return { path, bytes: writeContainer({ ...container, kind: 'charx' }, card) };
}
