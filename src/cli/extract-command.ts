// `loreferry extract`: a card's lorebooks as world info files, and the card linked to the first one.

import { join } from 'node:path';
import { writeCardJson } from '../containers/card-json.ts';
import { asPng } from '../containers/card-picture.ts';
import type { ContainerRead } from '../containers/container.ts';
import { writeContainer } from '../containers/container.ts';
import { emitBundle } from '../convert.ts';
import { shown } from '../core/finding.ts';
import type { JsonObject } from '../core/json.ts';
import { isObject, jsonAt } from '../core/json.ts';
import type { CanonicalLorebook } from '../core/lorebook.ts';
import { defaultBookName } from '../formats/_shared/extract-books.ts';
import { inStandardWords } from '../formats/_shared/foreign-book.ts';
import { cardStashOf } from '../formats/_shared/stashed-books.ts';
import { SILLYTAVERN, withWorldLink } from '../formats/sillytavern/card.ts';
import { worldFromLorebook } from '../formats/sillytavern/world-twin.ts';
import type { OpenedFile } from '../open-file.ts';
import { fileStem } from '../open-file.ts';
import { lorebooksIn, openAnyFile, packRemarks } from '../packed-file.ts';
import type { ExtractCommand } from './arguments.ts';
import { type FileNames, fileNames } from './file-name.ts';
import type { OutputFile } from './output.ts';
import { readInput, writeOutput } from './output.ts';
import { counted } from './terminal-text.ts';
import { UsageError } from './usage-error.ts';

/**
 * Runs the command and returns the lines that it prints. A card without a lorebook writes nothing; of a pack every
 * lorebook and every card is written.
 * @throws UsageError or ContainerError, one sentence, when the file cannot be used
 */
export function extractCommand(command: ExtractCommand): readonly string[] {
  const opened = openAnyFile(readInput(command.file), command.file);
  if (opened.kind === 'worldinfo')
    throw new UsageError(`${command.file} is a world info file, not a character card.`);
  const notes = opened.kind === 'pack' ? packRemarks(opened) : opened.container.notes;
  if (opened.kind !== 'pack' && filledBooks(opened).length === 0)
    return [...notes, `${unreadable(opened) ?? `${command.file} holds no lorebook`}; nothing was written.`];
  const extracted = { nameOf: fileNames(), files: [], lines: [] };
  if (opened.kind === 'pack')
    for (const { name, opened: file } of opened.members) extract(file, name, extracted);
  else extract(opened, command.file, extracted);
  const { files, lines }: Extracted = extracted;
  const output = files.map(({ path, bytes }) => ({ path: join(command.out, path), bytes }));
  writeOutput(output, command.force);
  return [...notes, ...lines];
}

/** What is to be written into the folder so far, and what is to be said of it. */
interface Extracted {
  readonly nameOf: FileNames;
  readonly files: OutputFile[];
  readonly lines: string[];
}

function extract(opened: OpenedFile, fileName: string, { nameOf, files, lines }: Extracted): void {
  const books = filledBooks(opened);
  const links: string[] = [];
  for (const lorebook of books) {
    const source = sourceOf(opened, lorebook.id);
    const path = nameOf([lorebook.name, defaultBookName(source.character)], '.json');
    // A world file is what is asked for already.
    const own = opened.kind === 'worldinfo' ? opened.container.json : undefined;
    const world = isObject(own) ? own : worldFromLorebook(lorebook, source);
    files.push({ path, bytes: writeCardJson(world) });
    lines.push(`${path}: ${counted(lorebook.body.entries.length, 'entry', 'entries')}`);
    links.push(fileStem(path));
  }
  if (opened.kind !== 'card') return;
  const [link] = links;
  const kind = opened.container.kind === 'jpeg+zip' ? 'charx' : opened.container.kind;
  const path = nameOf([fileStem(fileName).replace(/\.marinara$/i, ''), 'Character'], `.${kind}`);
  const card = linkable(opened);
  const linked = link === undefined ? card : withWorldLink(card, link);
  files.push({ path, bytes: cardBytes(opened.container, linked) });
  lines.push(
    link === undefined
      ? `${path}: the card, without a lorebook`
      : `${path}: the card, linked to "${link}"${replacedBy(card, link)}`,
  );
}

const filledBooks = (opened: OpenedFile): readonly CanonicalLorebook[] =>
  lorebooksIn(opened).filter((book) => book.body.entries.length > 0);

function sourceOf(opened: OpenedFile, id: string): { readonly character: string; readonly slot: string } {
  if (opened.kind !== 'card') return { character: '', slot: id };
  const { character, slots } = opened.pieces;
  return { character: character.name, slot: slots.get(id) ?? id };
}

// A flat V1 card has no place for a link, and SillyTavern drops its book: it is written as V2, book included. One that
// was exported to another app comes home as it was.
function linkable({ card, pieces }: Extract<OpenedFile, { kind: 'card' }>): JsonObject {
  const isHome = cardStashOf(card) === null && pieces.format === SILLYTAVERN;
  if (isObject(card['data']) && isHome) return card;
  const { character, lorebooks } = pieces;
  return emitBundle(
    character,
    isHome ? lorebooks : lorebooks.map((book) => inStandardWords(book)),
    'sillytavern',
  ).card;
}

// A link in a card from somebody else is a claim (decisions 12); what the link takes the place of is told.
function replacedBy(card: JsonObject, link: string): string {
  const extensions = jsonAt(card, ['data', 'extensions']);
  if (extensions !== undefined && extensions !== null && !isObject(extensions)) {
    return `; its extensions ${shown(extensions)} were no object and made room for the link`;
  }
  const claim = jsonAt(extensions, ['world']);
  const isOther = claim !== undefined && claim !== null && claim !== '' && claim !== link;
  return isOther ? `; it was linked to ${shown(claim)}` : '';
}

function unreadable(opened: OpenedFile): string | undefined {
  return opened.findings.find(({ code }) => code === 'refused')?.message.replace(/\.$/, '');
}

function cardBytes(container: ContainerRead, card: JsonObject): Uint8Array {
  if (container.kind === 'png') return asPng(container, card);
  if (container.kind === 'json') return writeCardJson(card);
  return writeContainer({ ...container, kind: 'charx' }, card);
}
