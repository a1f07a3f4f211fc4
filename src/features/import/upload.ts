// One upload: read before SillyTavern's server has it, and written in SillyTavern's words where it is another app's.

import { ContainerError } from '../../containers/container.ts';
import { appName } from '../../formats/app-names.ts';
import { readCharacter } from '../../host/character-store.ts';
import { t, warn } from '../../host/context.ts';
import type { Upload, UploadWatcher } from '../../host/import-hook.ts';
import type { OpenedFile } from '../../open-file.ts';
import { openFile } from '../../open-file.ts';
import type { Arrival } from './arrival.ts';
import { foreignAppOf, type OpenedCard } from './foreign-card.ts';
import { BEFORE_MS } from './import-flow.ts';
import type { ReadCard } from './incoming.ts';
import { readCard } from './incoming.ts';
import type { LorebookFile } from './lorebook-file.ts';
import type { CardOutcome } from './outcome.ts';

/** A card that SillyTavern has just stored. */
export interface ImportedCard {
  readonly avatar: string;
  /** The file as we read it ourselves; null when we cannot. */
  readonly card: ReadCard | null;
  /** The link of the character that it replaced; "" for none, null when it could not be read. */
  readonly linked: string | null;
  readonly isNew: boolean;
}

/** What is done about an upload elsewhere. */
export interface UploadWork {
  /** Asks for what will be needed, while the server has the file. */
  readonly foresee: (read: ReadCard) => void;
  readonly extract: (card: ImportedCard) => Promise<void>;
  /** The file is a lorebook. */
  readonly refuse: (opened: LorebookFile) => void;
  /** SillyTavern got another app's file as it is; one sentence says why. */
  readonly leave: (reason: string) => void;
  /** Something of a converted file stayed behind, in one sentence. */
  readonly missPart: (what: string) => void;
}

/** Watches one upload. */
export function watchUpload(upload: Upload, work: UploadWork): UploadWatcher {
  let opened: OpenedFile | null = null;
  let read: ReadCard | null = null;
  let app: string | null = null;
  let arrival: Arrival | null = null;
  let sent: Arrival | null = null;
  let fault = t`it took too long`;
  let linked: Promise<string | null> = Promise.resolve('');

  const convert = async (card: OpenedCard, from: string): Promise<void> => {
    try {
      const { arrivalOf } = await import('./arrival.ts');
      arrival = await arrivalOf(card, from, upload.file.name);
    } catch (error) {
      warn('A card of another app could not be converted.', error);
      fault = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    }
  };

  return {
    before: async () => {
      if (upload.preservedName !== undefined) linked = linkOf(upload.preservedName);
      await linked;
      opened = await openUpload(upload.file);
      if (opened?.kind !== 'card') return;
      read = readCard(opened.pieces);
      work.foresee(read);
      app = foreignAppOf(opened);
      if (app !== null) await convert(opened, app);
    },
    answer: () => {
      if (opened === null || opened.kind === 'card') return undefined;
      // SillyTavern would make a blank character of it; its own page knows this answer.
      work.refuse(opened);
      return new Response(JSON.stringify({ error: true }), {
        headers: { 'Content-Type': 'application/json' },
      });
    },
    replacement: () => {
      // What is ready only later was not sent.
      sent = arrival;
      return sent?.replacement;
    },
    after: async ({ avatar }) => {
      if (app !== null && sent === null) work.leave(notConverted(upload.file.name, app, fault));
      for (const what of sent?.left ?? []) work.missPart(what);
      const card = sent?.read ?? read;
      const isNew = upload.preservedName === undefined;
      await work.extract({ avatar, card, linked: await linked, isNew });
    },
  };
}

const notConverted = (file: string, app: string, fault: string): string =>
  t`“${file}” was written by ${appName(app)} and came in as SillyTavern itself reads it: ${fault}.`;

// An answer that comes after the server has stored the new file may be about that one; then nothing is known.
async function linkOf(avatar: string): Promise<string | null> {
  const began = Date.now();
  try {
    const { world } = await readCharacter(avatar);
    return Date.now() - began < BEFORE_MS ? world : null;
  } catch (error) {
    warn('The old link of the replaced character could not be read.', error);
    return null;
  }
}

/** Which book was linked before the Replace is not known, so nothing is written: a wrong link would take its place. */
export function unknownLink(avatar: string): CardOutcome {
  return {
    kind: 'failed',
    avatar,
    character: avatar.replace(/\.png$/, ''),
    reason: t`Which lorebook was linked before could not be read, so nothing was extracted. Check the link, then use “Extract lorebook” in the More... menu.`,
    retry: null,
  };
}

// A file that we cannot read (byaf, yaml) may be one that SillyTavern can; then the stored character is read.
async function openUpload(file: File): Promise<OpenedFile | null> {
  try {
    return openFile(new Uint8Array(await file.arrayBuffer()), file.name);
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error;
    return null;
  }
}
