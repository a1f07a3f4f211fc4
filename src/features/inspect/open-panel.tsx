// Opens the inspection panel in a dialog: at once, with a line until its subject is read.

import { render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { type Dialog, openDialog } from '../../host/dialogs.ts';
import type { Journal } from '../../host/journal.ts';
import { notifyError } from '../../host/notices.ts';
import { startExport } from '../export/export-places.ts';
import { importFiles } from '../library/import-dialog.tsx';
import { applyPlan } from './apply-plan.ts';
import type { ChangePlan } from './change-plan.ts';
import { ChooseSource } from './choose-source.tsx';
import { Panel, type PanelStart } from './panel.tsx';
import { PanelServicesContext } from './panel-services.ts';
import { type PanelSource, readSource } from './panel-source.ts';
import { previewPlan } from './plan-preview.tsx';
import { type QuickSubject, quickSubject } from './quick-subject.ts';
import type { Subject } from './subject.ts';

export type { PanelSource } from './panel-source.ts';

/**
 * Opens the panel. What cannot be read is one sentence in the dialog, with "Try again".
 *
 * @param source what to show; `choose` lets the person say it first
 * @param first where the panel begins
 * @returns settles when the dialog is closed
 * @throws when this SillyTavern has no dialogs at all
 */
export async function openPanel(source: PanelSource, journal: Journal, first?: PanelStart): Promise<void> {
  const quick = await quickSubject(source).catch(() => undefined);
  const content = document.createElement('div');
  content.className = 'lf-panel-place';
  let dialog: Dialog | undefined;
  // Before the dialog opens: the page is laid out once then, with everything in it, and SillyTavern's observer of new
  // elements (1.19, keyboard.js) is told of one.
  render(
    <Opened source={source} journal={journal} first={first} close={() => dialog?.close()} quick={quick} />,
    content,
  );
  dialog = openDialog(content, {
    title: t`Inspect lorebooks`,
    okButton: t`Close`,
    wide: true,
    large: true,
    // A class, not `:has()`: every row that is drawn would have the page's styles looked through again.
    popupClass: 'lf-panel-popup',
  });
  await dialog.closed;
  render(null, content);
}

interface Props {
  readonly source: PanelSource;
  readonly journal: Journal;
  readonly first: PanelStart | undefined;
  readonly close: () => void;
  /** The source as SillyTavern has it in its memory. */
  readonly quick: QuickSubject | undefined;
}

type State =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'open'; readonly subject: Subject };

function Opened({ source: asked, journal, first, close, quick }: Props) {
  const [source, setSource] = useState(asked);
  const [state, setState] = useState<State>(
    quick === undefined ? { kind: 'reading' } : { kind: 'open', subject: quick.first },
  );
  const read = useCallback(async (from: PanelSource, seen?: QuickSubject) => {
    if (from.kind === 'choose') return;
    const reading = ++readings;
    const open = (subject: Subject): void => {
      if (reading === readings) setState({ kind: 'open', subject });
    };
    if (seen !== undefined) {
      await nextFrame();
      open(seen.whole());
      await quietMoment();
    } else if (from !== asked) setState({ kind: 'reading' });
    await readSource(from).then(open, (error) => {
      if (reading === readings)
        setState({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    });
  }, []);
  useEffect(() => void read(source, source === asked ? quick : undefined), [read, source, quick, asked]);
  const isOpen = state.kind === 'open';
  useEffect(() => {
    if (isOpen) focusPanel();
  }, [isOpen]);

  if (source.kind === 'choose') return <ChooseSource choose={setSource} />;
  if (state.kind === 'reading') return <p class="lf-lead" role="status">{t`Reading…`}</p>;
  if (state.kind === 'failed') return <Failed reason={state.reason} again={() => void read(source)} />;
  const refresh = () => void read(source);
  const services = {
    journal,
    refresh,
    importFile: importOf(source, journal, close),
    exportTo: () => startExport(source),
  };
  return (
    <PanelServicesContext.Provider value={services}>
      <Panel
        subject={state.subject}
        {...(first && { first })}
        reload={() => readSource(source)}
        propose={(plan) => propose(plan, journal, refresh)}
      />
    </PanelServicesContext.Provider>
  );
}

// SillyTavern gave the focus to the button at the end, when there was nothing else in the dialog yet.
function focusPanel(): void {
  const dialog = [...document.querySelectorAll('.lf-panel')].at(-1)?.closest('dialog');
  const at = document.activeElement;
  if (!dialog || (at !== null && dialog.contains(at) && !at.matches('.popup-button-ok') && at !== dialog))
    return;
  dialog.querySelector<HTMLElement>('.lf-tabs [aria-selected="true"]')?.focus();
}

// The first look is painted then.
const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });

// What is in memory is drawn, and answers to what is pressed, before the file itself is asked for.
const quietMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

// An answer that was asked for before a later one is outdated.
let readings = 0;

function Failed({ reason, again }: { readonly reason: string; readonly again: () => void }) {
  return (
    <div class="lf-stack">
      <p class="lf-lead" role="alert">
        {reason}
      </p>
      <div class="lf-acts">
        <button type="button" class="menu_button" onClick={again}>
          {t`Try again`}
        </button>
      </div>
    </div>
  );
}

/** Shows a plan and, after a yes, applies it. False when nothing was changed; a failure is told in a notice. */
async function propose(plan: ChangePlan, journal: Journal, onUndone: () => void): Promise<boolean> {
  try {
    if (!(await previewPlan(plan))) return false;
    await applyPlan(plan, journal, onUndone);
    return true;
  } catch (error) {
    notifyError(t`“${plan.title}” was not done`, error);
    return false;
  }
}

function importOf(source: PanelSource, journal: Journal, close: () => void): (() => Promise<void>) | null {
  if (source.kind !== 'file') return null;
  return async () => {
    close();
    await importFiles([new File([new Uint8Array(source.bytes)], source.name)], journal);
  };
}
