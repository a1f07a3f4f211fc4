// The bar at the bottom: what came of it in one line on a phone, and the files.

import { t } from '../../host/context.ts';
import { fileNames, saveFiles } from '../../host/download.ts';
import { notifyError } from '../../host/notices.ts';
import { cut } from '../inspect/entry-row.tsx';
import type { ExportOutcome } from './export-material.ts';
import type { ConversionOfNow } from './use-conversion.ts';

interface Props extends ConversionOfNow {
  /** The character's name, or the lorebook's. */
  readonly name: string;
  readonly close: () => void;
  readonly onSaved: () => void;
}

/** Draws the bar. */
export function DownloadBar({ outcome, error, isWorking, name, close, onSaved }: Props) {
  const files = outcome?.files ?? [];
  const isReady = !isWorking && error === null && files.length > 0;
  const names = fileNames(files.map((file) => file.name));
  const word =
    files.length === 0 || !isReady
      ? t`Download`
      : files.length === 1
        ? t`Download ${cut(names[0] ?? '', 60)}`
        : t`Download ${files.length} files`;
  const save = (work: () => Promise<void>) => () =>
    void work().then(onSaved, (reason) => notifyError(t`Nothing was downloaded`, reason));
  return (
    <footer class="lf-bar">
      <span class="lf-muted lf-only-desk">
        {t`Nothing is written into SillyTavern. Favourite, chat name and file paths stay here.`}
      </span>
      {outcome === null || error !== null ? null : <Summary outcome={outcome} />}
      <button type="button" class="menu_button lf-at-end" onClick={close}>
        {t`Close`}
      </button>
      {files.length < 2 ? null : (
        <button
          type="button"
          class="menu_button"
          disabled={!isReady}
          onClick={save(() => saveAsZip(name, files, names))}
        >
          {t`As one zip`}
        </button>
      )}
      <button
        type="button"
        class="menu_button lf-primary lf-download"
        disabled={!isReady}
        title={names.join(', ')}
        onClick={save(() => saveFiles(files))}
      >
        <i class="fa-solid fa-download" aria-hidden="true" />
        <span class="lf-clip lf-text">{word}</span>
      </button>
    </footer>
  );
}

// On a phone the report is further down than the eye goes.
function Summary({ outcome: { counts } }: { readonly outcome: ExportOutcome }) {
  const { lost, approximated, stashed, exact } = counts;
  const parts = [
    lost > 0 ? t`${lost} lost` : '',
    approximated > 0 ? t`${approximated} approximated` : '',
    stashed > 0 ? t`${stashed} kept aside` : '',
    t`${exact} exact`,
  ].filter(Boolean);
  return (
    <button
      type="button"
      class="lf-link lf-only-phone lf-summary"
      onClick={() => {
        const report = document.querySelector<HTMLElement>('#lf-export-report');
        report?.scrollIntoView({ block: 'start' });
        report?.focus({ preventScroll: true });
      }}
    >
      {parts.join(', ')}
    </button>
  );
}

async function saveAsZip(
  name: string,
  files: ExportOutcome['files'],
  names: readonly string[],
): Promise<void> {
  const { writeZip } = await import('../../containers/zip-writing.ts');
  const bytes = writeZip(new Map(files.map((file, index) => [names[index] ?? file.name, file.bytes])));
  if (bytes === undefined) throw new Error(t`The files are too big for a zip archive.`);
  await saveFiles([{ name: `${name}.zip`, mime: 'application/zip', bytes }]);
}
