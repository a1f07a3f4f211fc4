// Lorebook files into SillyTavern: each under a free name; one that is there already only when it is wanted again.

import { appName } from '../../formats/app-names.ts';
import { t } from '../../host/context.ts';
import type { Journal } from '../../host/journal.ts';
import { type NoticeAction, notify } from '../../host/notices.ts';
import { openWorldEditor, refreshWorldList } from '../../host/world-editor.ts';
import { listWorlds, writeWorld } from '../../host/world-store.ts';
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
import { worldShelf } from './shelf.ts';

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
  readonly step: string | null;
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
  const known: { readonly file: LorebookFile; readonly there: KnownLorebook }[] = [];
  try {
    for (const file of files) {
      const there = isWantedAgain ? null : await knownLorebook(file, worldShelf);
      if (there === null) imported.push(await store(file, journal));
      else known.push({ file, there });
    }
  } finally {
    if (imported.length > 0) {
      await refreshWorldList();
      tellOfImported(imported, journal);
    }
    for (const { file, there } of known) tellOfKnown(file, there, journal);
  }
}

async function store(file: LorebookFile, journal: Journal): Promise<Imported> {
  const taken = (await listWorlds()).map(({ name }) => name);
  const free = await worldShelf.freshName(lorebookOf(file).name, 'Lorebook', taken);
  const { name, hash } = await writeWorld(free, worldOf(file), 'absent');
  const action = toJournal({ kind: 'world-created', name, hash });
  const step = await journal.add(t`Lorebook “${name}”`, [action]);
  return { file, name, step: step?.id ?? null };
}

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

function tellOfImported(imported: readonly Imported[], journal: Journal): void {
  const [only, ...others] = imported;
  const steps = imported.flatMap(({ step }) => (step === null ? [] : [step])).reverse();
  const actions: NoticeAction[] =
    steps.length === 0 ? [] : [{ label: t`Undo`, onSelect: () => undoSteps(steps, journal) }];
  if (only === undefined) return;
  if (others.length > 0) {
    const lines = imported.map(({ file, name }) => storedLines(file, name).join(' '));
    notify({
      kind: 'success',
      title: t`${imported.length} lorebooks imported`,
      lines: [...lines, t`They are not linked to a character.`],
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

function tellOfKnown(file: LorebookFile, { name, because }: KnownLorebook, journal: Journal): void {
  notify({
    kind: 'info',
    title: t`Already there`,
    lines: [
      because === 'same-content'
        ? t`“${name}” has the same content, so no second file was made.`
        : t`“${name}” was made of this lorebook, so no second file was made.`,
    ],
    actions: [
      { label: t`Import again`, onSelect: () => importLorebooks([file], journal, true) },
      ...lookActions(name),
    ],
  });
}
