// Opens the export dialog: at once, with a line until what is exported is read.

import { render } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { openDialog } from '../../host/dialogs.ts';
import { notify } from '../../host/notices.ts';
import { cut } from '../inspect/entry-row.tsx';
import { ChoicesPanel } from './choices-panel.tsx';
import { firstChoices } from './chosen.ts';
import { DownloadBar } from './download-bar.tsx';
import type { ExportChoices } from './export-material.ts';
import { type ExportSource, type LoadedExport, loadExport } from './load-export.ts';
import { ReportPanel } from './report-panel.tsx';
import { useConversion } from './use-conversion.ts';

/**
 * Opens the dialog. What cannot be read is one sentence in it, with "Try again". Nothing is written into SillyTavern.
 *
 * @param target the app that is chosen at first; absent: the one of last time
 * @returns settles when the dialog is closed
 * @throws when this SillyTavern has no dialogs at all
 */
export async function openExport(source: ExportSource, target?: string): Promise<void> {
  const content = document.createElement('div');
  content.className = 'lf-panel-place';
  const dialog = openDialog(content, {
    title: t`Export to another app`,
    okButton: false,
    wide: true,
    large: true,
  });
  content.closest('.popup')?.classList.add('lf-panel-popup', 'lf-export-popup');
  render(<Loading source={source} target={target} close={dialog.close} />, content);
  await dialog.closed;
  render(null, content);
}

interface Props {
  readonly source: ExportSource;
  readonly target: string | undefined;
  readonly close: () => void;
}

type State =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'loaded'; readonly loaded: LoadedExport };

function Loading({ source, target, close }: Props) {
  const [state, setState] = useState<State>({ kind: 'reading' });
  const isOpen = useRef(true);
  const loaded = useRef<LoadedExport | null>(null);
  const read = useCallback(() => {
    setState({ kind: 'reading' });
    void loadExport(source).then(
      (found) => {
        if (!isOpen.current) return found.desk.close();
        loaded.current = found;
        tellOfTarget(target, found);
        setState({ kind: 'loaded', loaded: found });
      },
      (error) => setState({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    );
  }, [source, target]);
  useEffect(() => {
    read();
    return () => {
      isOpen.current = false;
      loaded.current?.desk.close();
    };
  }, [read]);
  if (state.kind === 'loaded') return <ExportPanel loaded={state.loaded} target={target} close={close} />;
  return (
    <div class="lf-stack">
      {state.kind === 'reading' ? (
        <p class="lf-lead" role="status">{t`Reading…`}</p>
      ) : (
        <p class="lf-lead" role="alert">
          {state.reason}
        </p>
      )}
      <div class="lf-acts">
        {state.kind === 'reading' ? null : (
          <button type="button" class="menu_button" onClick={read}>
            {t`Try again`}
          </button>
        )}
        <button type="button" class="menu_button" onClick={close}>
          {t`Cancel`}
        </button>
      </div>
    </div>
  );
}

function tellOfTarget(target: string | undefined, { offer }: LoadedExport): void {
  if (target === undefined || offer.targets.some(({ id }) => id === target)) return;
  const names = offer.targets.map(({ id }) => id).join(', ');
  notify({
    kind: 'warning',
    title: t`There is no app “${cut(target, 60)}” to export to`,
    lines: [t`There are: ${names}.`],
  });
}

interface PanelProps {
  readonly loaded: LoadedExport;
  readonly target: string | undefined;
  readonly close: () => void;
}

/** Draws the dialog of an export that is loaded. */
export function ExportPanel({ loaded, target, close }: PanelProps) {
  const { desk, offer, missing } = loaded;
  const [choices, setChoices] = useState(() => firstChoices(offer, target));
  const [saved, setSaved] = useState<ExportChoices | null>(null);
  const conversion = useConversion(desk, choices);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The dialog opened with nothing in it to give the focus to.
    const dialog = place.current?.closest('dialog');
    const at = document.activeElement;
    if (dialog && (at === null || at === dialog || !dialog.contains(at) || at === document.body))
      place.current?.querySelector<HTMLElement>('.lf-targets input:checked')?.focus();
  }, []);
  return (
    <div class="lf-panel lf-export" ref={place}>
      <header class="lf-head">
        <h3 class="lf-panel-title">
          <i class="fa-solid fa-share-from-square" aria-hidden="true" />
          <span class="lf-clip lf-text">{t`Export ${cut(offer.name, 120)}`}</span>
        </h3>
      </header>
      <div class="lf-export-body">
        <ChoicesPanel offer={offer} missing={missing} choices={choices} change={setChoices} />
        {/* Anew for each app: what was looked for in one report hides what another has to say. */}
        <ReportPanel key={choices.target} {...conversion} choices={choices} isSaved={saved === choices} />
      </div>
      <DownloadBar {...conversion} name={offer.name} close={close} onSaved={() => setSaved(choices)} />
    </div>
  );
}
