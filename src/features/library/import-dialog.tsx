// "Import from another app...": one file or several, also those that SillyTavern refuses by their name.

import { render } from 'preact';
import { useRef } from 'preact/hooks';
import { writeCardJson } from '../../containers/card-json.ts';
import { asPng } from '../../containers/card-picture.ts';
import { type ContainerRead, writeContainer } from '../../containers/container.ts';
import type { JsonObject } from '../../core/json.ts';
import { type ImportType, importCharacterFile, refreshCharacters } from '../../host/character-import.ts';
import { t } from '../../host/context.ts';
import { openDialog } from '../../host/dialogs.ts';
import type { Journal } from '../../host/journal.ts';
import { notify, notifyError } from '../../host/notices.ts';
import type { OpenedFile } from '../../open-file.ts';
import { filesIn, openAnyFile } from '../../packed-file.ts';
import { importLorebooks } from '../import/import-lorebooks.ts';
import { inspection } from '../import/inspect-offer.ts';
import type { LorebookFile } from '../import/lorebook-file.ts';
import { drawnPicture, isPictureLeft, pictureLeft } from '../import/picture.ts';
import { FileDrop } from './file-drop.tsx';

/** Opens the dialog. Characters go through SillyTavern's own import, so their lorebooks are extracted on the way. */
export function openImportDialog(journal: Journal): void {
  const content = document.createElement('div');
  const dialog = openDialog(content, {
    title: t`Import from another app`,
    okButton: false,
    cancelButton: t`Cancel`,
    // SillyTavern sets the focus itself while the dialog opens; the files come first.
    onOpen: () => content.querySelector<HTMLElement>('.lf-file')?.focus(),
  });
  const take = (files: readonly File[]): void => {
    if (files.length === 0) return;
    dialog.close();
    void importFiles(files, journal);
  };
  const inspect = inspection();
  const look =
    inspect &&
    ((file: File): void => {
      dialog.close();
      file.arrayBuffer().then(
        (bytes) => inspect({ kind: 'file', bytes: new Uint8Array(bytes), name: file.name }),
        (error) => notifyError(t`The file could not be read`, error),
      );
    });
  render(<Picker take={take} look={look} />, content);
  void dialog.closed.then(() => render(null, content));
}

/** Imports files one after the other; what came in and what could not be used is named at the end. */
export async function importFiles(files: readonly File[], journal: Journal): Promise<void> {
  const refused: string[] = [];
  const characters: string[] = [];
  const remarks: string[] = [];
  const lorebooks: LorebookFile[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      refused.push(error instanceof Error ? error.message : String(error));
    }
  };
  for (const file of files) {
    await attempt(async () => {
      const opened = openAnyFile(new Uint8Array(await file.arrayBuffer()), file.name);
      for (const { code, message } of opened.kind === 'pack' ? opened.findings : [])
        (code === 'refused' ? refused : remarks).push(message);
      for (const each of filesIn(opened)) {
        await attempt(async () => {
          if (each.kind === 'card') characters.push(await importCard(each, remarks));
          else lorebooks.push(each);
        });
      }
    });
  }
  if (lorebooks.length > 0) await attempt(() => importLorebooks(lorebooks, journal));
  if (characters.length > 0) {
    await refreshCharacters();
    tellOfCharacters(characters, remarks);
  }
  if (refused.length > 0) notify({ kind: 'error', title: t`Not imported`, lines: refused, sticky: true });
}

// As SillyTavern's page does after its own import: a card without a lorebook would else come in without a word.
function tellOfCharacters(names: readonly string[], remarks: readonly string[]): void {
  notify({
    kind: 'success',
    title: names.length === 1 ? t`Character imported` : t`${names.length} characters imported`,
    lines: [names.join(', '), ...remarks],
  });
}

async function importCard(opened: Extract<OpenedFile, { kind: 'card' }>, remarks: string[]): Promise<string> {
  const drawn = await drawnPicture(opened.container);
  const { bytes, type } = fileForSillyTavern(drawn, opened.card);
  const name = opened.pieces.character.name || t`Unnamed`;
  await importCharacterFile(bytes, name, type);
  if (isPictureLeft(drawn)) remarks.push(pictureLeft(name));
  return name;
}

// In the app's own words still: the import hook writes it in SillyTavern's, as it does with any other upload.
function fileForSillyTavern(
  container: ContainerRead,
  card: JsonObject,
): { readonly bytes: Uint8Array; readonly type: ImportType } {
  if (container.zip !== undefined)
    return { bytes: writeContainer({ ...container, kind: 'charx' }, card), type: 'charx' };
  if (container.picture !== undefined) return { bytes: asPng(container, card), type: 'png' };
  return { bytes: writeCardJson(card), type: 'json' };
}

interface PickerProps {
  readonly take: (files: readonly File[]) => void;
  /** Looks into a file without importing it; null when there is nothing to look with. */
  readonly look: ((file: File) => void) | null;
}

function Picker({ take, look }: PickerProps) {
  return (
    <div class="lf-stack">
      <p class="lf-lead">{t`Character cards and lorebooks of other apps, as PNG, JSON or charx, also a charx that hides behind a JPEG, a RisuAI module (.risum), a Marinara package (.marinara), or several packed into a zip. They are told apart by what is in them, not by their names.`}</p>
      <FileDrop text={t`Choose files, or drop them here`} label={t`Choose files`} take={take} many first />
      {look === null ? null : <LookButton look={look} />}
    </div>
  );
}

// The file is chosen at once: the panel would only ask for it again. The field is none of the dialog's own, which are for
// importing; it is held, since Safari forgets one that nothing refers to.
function LookButton({ look }: { readonly look: (file: File) => void }) {
  const held = useRef<HTMLInputElement>(null);
  const ask = (): void => {
    const field = document.createElement('input');
    held.current = field;
    field.type = 'file';
    field.addEventListener('change', () => {
      const [file] = field.files ?? [];
      if (file !== undefined) look(file);
    });
    field.click();
  };
  return (
    <div class="lf-acts">
      <button type="button" class="menu_button" onClick={ask}>
        {t`Inspect a file first…`}
      </button>
    </div>
  );
}
