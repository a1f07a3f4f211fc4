// `loreferry inspect`: what a file is and where every entry lands, for eyes or as JSON.

import { bookPlaceWords } from '../core/book-place.ts';
import type { Finding } from '../core/finding.ts';
import { appName } from '../formats/app-names.ts';
import type { InspectedEntry, Inspection } from '../inspection/inspection.ts';
import { inspectAnyFile } from '../inspection/pack-inspection.ts';
import { openAnyFile } from '../packed-file.ts';
import type { InspectCommand } from './arguments.ts';
import { readInput } from './output.ts';
import { counted, oneLine, short } from './terminal-text.ts';

/**
 * Inspects the file of a command line.
 * @throws UsageError or ContainerError, one sentence, when the file cannot be used
 */
export function inspectCommand(command: InspectCommand): Inspection {
  return inspectAnyFile(openAnyFile(readInput(command.file), command.file));
}

const KIND: Readonly<Record<Inspection['kind'], string>> = {
  card: 'a character card',
  worldinfo: 'a world info file',
  lorebook: 'a lorebook',
};

const SPEC: Readonly<Record<string, string>> = { chara_card_v3: 'V3', chara_card_v2: 'V2', v1: 'V1' };

/** An inspection as lines of text. */
export function inspectionLines(inspection: Inspection): readonly string[] {
  const { books, notes, files } = inspection;
  const lines = [
    ...(files === undefined
      ? [headline(inspection)]
      : [`A zip of ${counted(files.length, 'file', 'files')}.`]),
    ...notes.map((note) => `  ${note}`),
  ];
  const fileOf = new Map(files?.flatMap((file) => file.books.map((id) => [id, file.file])));
  for (const file of files ?? []) lines.push(`  ${title(file.file)}: ${headline(file)}`);
  if (books.length === 0) lines.push('No lorebook inside.');
  const entriesOf = groups(inspection.entries);
  const findingsOf = groups(inspection.findings);
  for (const book of books) {
    const own = entriesOf.get(book.id) ?? [];
    const file = fileOf.get(book.id);
    const place = bookPlaceWords(book.slot);
    const of = file === undefined ? '' : ` of ${title(file)}`;
    lines.push('', `${title(book.name)}: ${counted(book.entryCount, 'entry', 'entries')} in ${place}${of}`);
    for (const line of table([HEAD, ...own.map(row)])) lines.push(line);
    const byId = new Map(own.map((entry) => [entry.id, entry]));
    for (const { code, entryId, message } of findingsOf.get(book.id) ?? []) {
      lines.push(`  ${code}: ${entryName(byId.get(entryId ?? ''))}${message}`);
    }
  }
  const ofCard: readonly Finding[] = findingsOf.get(null) ?? [];
  return [...lines, ...ofCard.map(({ code, message }) => `${code}: ${message}`)];
}

function headline({
  name,
  kind,
  container,
  spec,
  format,
}: Pick<Inspection, 'name' | 'kind' | 'container' | 'spec' | 'format'>): string {
  const version = spec === null ? '' : `, ${SPEC[spec]}`;
  const by = format === 'plain' ? 'in the words of the standard' : `written by ${appName(format)}`;
  return `${title(name) || '(no name)'}: ${KIND[kind]} (${container}${version}, ${by})`;
}

function groups<T extends { readonly bookId: string | null }>(
  items: readonly T[],
): ReadonlyMap<string | null, readonly T[]> {
  const found = new Map<string | null, T[]>();
  for (const item of items) {
    const group = found.get(item.bookId);
    if (group) group.push(item);
    else found.set(item.bookId, [item]);
  }
  return found;
}

const HEAD = ['#', 'State', 'Entry', 'Keys', 'Coarse', 'Precise', 'Agreement', 'Lands in', 'Order'];

function row(entry: InspectedEntry): readonly string[] {
  return [
    String(entry.index),
    entry.enabled ? (entry.constant ? 'constant' : 'on') : 'off',
    label(entry),
    entry.keys.slice(0, 40).join(', '),
    entry.coarse.present ? JSON.stringify(entry.coarse.value) : '-',
    entry.precise.present ? JSON.stringify(entry.precise.value) : '-',
    entry.floor ? 'agree (floor)' : entry.agreement,
    landing(entry),
    String(entry.order),
  ].map(short);
}

const title = (name: string): string => oneLine(name.slice(0, 200));
const label = (entry: InspectedEntry): string => entry.title || entry.keys[0] || '';

function landing({ slot, depth, role, outlet }: InspectedEntry): string {
  if (slot === 'depth') return `depth ${depth} as ${role}`;
  if (slot === 'outlet') return outlet === '' ? 'nowhere (outlet without a name)' : `outlet ${outlet}`;
  return slot;
}

const entryName = (entry: InspectedEntry | undefined): string =>
  entry === undefined ? '' : `entry ${entry.index} (${short(label(entry) || 'no title')}): `;

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEAD.map((_, column) =>
    rows.reduce((width, cells) => Math.max(width, cells[column]?.length ?? 0), 0),
  );
  return rows.map((cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}
