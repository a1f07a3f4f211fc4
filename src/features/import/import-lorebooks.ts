// Lorebook files into SillyTavern: each under a free name; one that is there already only when it is wanted again.

import { isObject } from '../../core/json.ts';
import { appName } from '../../formats/app-names.ts';
import { t } from '../../host/context.ts';
import type { Journal } from '../../host/journal.ts';
import { type NoticeAction, notify } from '../../host/notices.ts';
import { openWorldEditor, refreshWorldList } from '../../host/world-editor.ts';
import { writeWorld } from '../../host/world-store.ts';
import { inspection } from './inspect-offer.ts';
import { toJournal } from './journal-actions.ts';
import {
  appOf,
  type KnownLorebook,
  knownLorebook,
  type LorebookFile,
  lorebookOf,
  worldOf,
} from './lorebook-file.ts';
import { entryCount, repairs } from './outcome.ts';
import { undoSteps } from './present.ts';
import { type BatchShelf, batchShelf } from './shelf.ts';

/** Tells that a file is a lorebook and not a character, with a button that imports it as a lorebook. */
export function offerLorebookFile(file: LorebookFile, journal: Journal): void {
  const { name } = lorebookOf(file);
  notify({
    kind: 'warning',
    title: t`Not a character`,
    lines: [
      file.kind === 'worldinfo'
        ? t`“${name}” is a world info file, not a character. No character was made of it.`
        : t`“${name}” is a lorebook, not a character. No character was made of it.`,
    ],
    sticky: true,
    actions: [{ label: t`Import as lorebook`, onSelect: () => importLorebooks([file], journal) }],
  });
}

interface Imported {
  readonly file: LorebookFile;
  readonly name: string;
  readonly hash: string;
}

interface Known {
  readonly file: LorebookFile;
  readonly there: KnownLorebook;
}

/**
 * Stores lorebook files under free names; an existing world is never written over. One that is there already is not
 * stored a second time, unless it is asked for.
 * @throws the host's errors, one sentence each, after what was stored before is told
 */
export async function importLorebooks(
  files: readonly LorebookFile[],
  journal: Journal,
  isWantedAgain = false,
): Promise<void> {
  const imported: Imported[] = [];
  const known: Known[] = [];
  const steps: string[] = [];
  const shelf = batchShelf();
  const inStep = Math.ceil(files.length / MOST_STEPS);
  let stored: Imported[] = [];
  const note = async (): Promise<void> => {
    const [first, ...others] = stored;
    if (first === undefined) return;
    const title =
      others.length === 0
        ? t`Lorebook “${first.name}”`
        : t`${stored.length} lorebooks, “${first.name}” and on`;
    const actions = stored.map(({ name, hash }) => toJournal({ kind: 'world-created', name, hash }));
    stored = [];
    const step = await journal.add(title, actions);
    if (step !== undefined) steps.unshift(step.id);
  };
  try {
    for (const file of files) {
      const there = isWantedAgain ? null : await knownLorebook(file, shelf);
      if (there !== null) {
        known.push({ file, there });
        continue;
      }
      const made = await store(file, shelf);
      imported.push(made);
      stored.push(made);
      if (stored.length >= inStep) await note();
    }
  } finally {
    await note();
    if (imported.length > 0) {
      await refreshWorldList();
      tellOfImported(imported, steps, journal);
    }
    if (known.length > MOST_NOTICES) tellOfAllKnown(known, journal);
    else for (const { file, there } of known) tellOfKnown(file, there, journal);
  }
}

// A zip can hold thousands: each step more than these, and the journal would forget what was done before.
const MOST_STEPS = 10;
const MOST_NOTICES = 3;
const MOST_LINES = 10;

async function store(file: LorebookFile, shelf: BatchShelf): Promise<Imported> {
  const taken = (await shelf.list()).map(({ name }) => name);
  const free = await shelf.freshName(lorebookOf(file).name, 'Lorebook', taken);
  const { name, hash, data } = await writeWorld(free, worldOf(file), await shelf.absent(free));
  shelf.add({ name, extensions: isObject(data['extensions']) ? data['extensions'] : {} });
  return { file, name, hash };
}

const fewLines = (lines: readonly string[]): readonly string[] => {
  const more = lines.length - MOST_LINES;
  return more > 1 ? [...lines.slice(0, MOST_LINES), t`and ${more} more`] : lines;
};

/** What is said of a lorebook that was stored: how many entries, from where, and what was mended. */
export function storedLines(file: LorebookFile, name: string): readonly string[] {
  const app = appOf(file);
  const repaired = app === null && file.kind === 'worldinfo' ? '' : repairs(file.findings);
  return [
    t`“${name}”: ${entryCount(lorebookOf(file).body.entries.length)}.`,
    ...(app === null ? [] : [t`It was converted from ${appName(app)}.`]),
    ...(repaired === '' ? [] : [repaired]),
  ];
}

// `steps`: the last one first.
function tellOfImported(imported: readonly Imported[], steps: readonly string[], journal: Journal): void {
  const [only, ...others] = imported;
  const actions: NoticeAction[] =
    steps.length === 0 ? [] : [{ label: t`Undo`, onSelect: () => undoSteps(steps, journal) }];
  if (only === undefined) return;
  if (others.length > 0) {
    const lines = imported.map(({ file, name }) => storedLines(file, name).join(' '));
    notify({
      kind: 'success',
      title: t`${imported.length} lorebooks imported`,
      lines: [...fewLines(lines), t`They are not linked to a character.`],
      actions,
    });
    return;
  }
  const [first = '', ...more] = storedLines(only.file, only.name);
  notify({
    kind: 'success',
    title: t`Lorebook imported`,
    lines: [`${first} ${t`It is not linked to a character.`}`, ...more],
    actions: [...actions, ...lookActions(only.name)],
  });
}

// As the notice of a card has them.
function lookActions(name: string): readonly NoticeAction[] {
  const inspect = inspection();
  const open = { label: t`Open in the editor`, onSelect: async () => void (await openWorldEditor(name)) };
  return inspect === null
    ? [open]
    : [open, { label: t`Inspect`, onSelect: () => inspect({ kind: 'world', name }) }];
}

const knownLine = ({ name, because }: KnownLorebook): string =>
  because === 'same-content'
    ? t`“${name}” has the same content, so no second file was made.`
    : t`“${name}” was made of this lorebook, so no second file was made.`;

function tellOfAllKnown(known: readonly Known[], journal: Journal): void {
  const files = known.map(({ file }) => file);
  notify({
    kind: 'info',
    title: t`Already there`,
    lines: fewLines(known.map(({ there }) => knownLine(there))),
    actions: [{ label: t`Import again`, onSelect: () => importLorebooks(files, journal, true) }],
  });
}

function tellOfKnown(file: LorebookFile, there: KnownLorebook, journal: Journal): void {
  const { name } = there;
  notify({
    kind: 'info',
    title: t`Already there`,
    lines: [knownLine(there)],
    actions: [
      { label: t`Import again`, onSelect: () => importLorebooks([file], journal, true) },
      ...lookActions(name),
    ],
  });
}
