// `loreferry inspect`: what a file is and where every entry lands, for eyes or as JSON.

import type { InspectedEntry, Inspection } from '../inspection.ts';
import { inspectFile } from '../inspection.ts';
import { openFile } from '../open-file.ts';
import type { InspectCommand } from './arguments.ts';
import { readInput } from './output.ts';

/**
 * Runs the command and returns what it prints.
 * @throws UsageError or ContainerError, one sentence, when the file cannot be used
 */
export function inspectCommand(command: InspectCommand): string {
  const inspection = inspectFile(openFile(readInput(command.file), command.file));
  return command.json ? `${JSON.stringify(inspection, null, 2)}\n` : asText(inspection);
}

const KIND: Readonly<Record<Inspection['kind'], string>> = {
  card: 'a character card',
  worldinfo: 'a world info file',
  lorebook: 'a lorebook',
};

const SPEC: Readonly<Record<string, string>> = { chara_card_v3: 'V3', chara_card_v2: 'V2', v1: 'V1' };

function asText(inspection: Inspection): string {
  const { container, kind, spec, format, name, books, entries, findings, notes } = inspection;
  const version = spec === null ? '' : `, ${SPEC[spec]}`;
  const lines = [
    `${oneLine(name) || '(no name)'}: ${KIND[kind]} (${container}${version}, written by ${format})`,
  ];
  for (const note of notes) lines.push(`  ${note}`);
  if (books.length === 0) lines.push('No lorebook inside.');
  for (const book of books) {
    lines.push('', `${oneLine(book.name)}: ${book.entryCount} entries in ${book.slot}`);
    const own = entries.filter((entry) => entry.bookId === book.id);
    lines.push(...table([HEAD, ...own.map(row)]));
    for (const finding of findings) {
      if (finding.bookId === book.id)
        lines.push(`  ${finding.code}: ${entryName(finding.entryId, own)}${finding.message}`);
    }
  }
  for (const finding of findings)
    if (finding.bookId === null) lines.push(`${finding.code}: ${finding.message}`);
  return `${lines.map(printable).join('\n')}\n`;
}

const HEAD = ['#', 'State', 'Entry', 'Keys', 'Coarse', 'Precise', 'Agreement', 'Lands in', 'Order'];

function row(entry: InspectedEntry): readonly string[] {
  return [
    String(entry.index),
    entry.enabled ? (entry.constant ? 'constant' : 'on') : 'off',
    short(entry.title || entry.keys[0] || ''),
    short(entry.keys.join(', ')),
    entry.coarse.present ? JSON.stringify(entry.coarse.value) : '-',
    entry.precise.present ? JSON.stringify(entry.precise.value) : '-',
    entry.floor ? 'agree (floor)' : entry.agreement,
    landing(entry),
    String(entry.order),
  ].map((cell) => short(cell));
}

function landing({ slot, depth, role, outlet }: InspectedEntry): string {
  if (slot === 'depth') return `depth ${depth} as ${role}`;
  if (slot === 'outlet') return outlet === '' ? 'nowhere (outlet without a name)' : `outlet ${outlet}`;
  return slot;
}

function entryName(id: string | null, entries: readonly InspectedEntry[]): string {
  const entry = entries.find((each) => each.id === id);
  return entry === undefined
    ? ''
    : `entry ${entry.index} (${short(entry.title || entry.keys[0] || 'no title')}): `;
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)));
  return rows.map((cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const short = (text: string): string =>
  oneLine(text).length > 40 ? `${oneLine(text).slice(0, 39)}…` : oneLine(text);

// Text from a card must not steer the terminal: control characters are shown, never sent.
function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
