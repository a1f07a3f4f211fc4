// Our block in the extensions panel: what happens when a card brings a lorebook, and what we changed lately.

import { render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { context, t } from '../../host/context.ts';
import type { Journal, JournalEntry, JournalStep } from '../../host/journal.ts';
import { notify, notifyError } from '../../host/notices.ts';
import { undoSteps } from '../import/present.ts';
import { saveBeside, setAsideOf } from '../import/undo.ts';
import { changeSettings, settings, type WhenBook } from './settings.ts';

/** Draws the block's content. */
export function drawSettings(journal: Journal, content: HTMLElement): void {
  render(<SettingsBlock journal={journal} />, content);
}

/** Takes it away again. */
export function undrawSettings(content: HTMLElement): void {
  render(null, content);
}

function SettingsBlock({ journal }: { readonly journal: Journal }) {
  const [whenBook, setWhenBook] = useState(settings().whenBook);
  const choices: readonly (readonly [WhenBook, string])[] = [
    ['extract', t`Extract it and tell me`],
    ['ask', t`Ask me`],
    ['leave', t`Leave it in the card`],
  ];
  return (
    <div class="lf-stack">
      <label class="lf-field" for="lf-when-book">
        <span>{t`When a card brings a lorebook`}</span>
        <select
          id="lf-when-book"
          class="text_pole"
          value={whenBook}
          onChange={(event) => {
            const chosen = event.currentTarget.value as WhenBook;
            setWhenBook(chosen);
            changeSettings({ whenBook: chosen });
          }}
        >
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <LeftAlone journal={journal} />
      <RecentChanges journal={journal} />
    </div>
  );
}

function LeftAlone({ journal }: { readonly journal: Journal }) {
  const [avatars, setAvatars] = useState(settings().leaveAlone);
  // The panel's plan to leave a character alone is a step of the journal.
  useEffect(() => journal.onChange(() => setAvatars(settings().leaveAlone)), [journal]);
  if (avatars.length === 0) return null;
  const nameOf = (avatar: string): string =>
    context().characters?.find((each) => each.avatar === avatar)?.name ?? avatar;
  return (
    <div>
      <b>{t`Characters left alone`}</b>
      <ul class="lf-rows">
        {avatars.map((avatar) => (
          <li class="lf-row lf-row-plain" key={avatar}>
            <span class="lf-name">{nameOf(avatar)}</span>
            <button
              type="button"
              class="menu_button"
              onClick={() => {
                const rest = settings().leaveAlone.filter((each) => each !== avatar);
                changeSettings({ leaveAlone: rest });
                setAvatars(rest);
              }}
            >
              {t`Watch again`}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function RecentChanges({ journal }: { readonly journal: Journal }) {
  const [steps, setSteps] = useState<readonly JournalEntry[] | null>(null);
  const load = useCallback(async () => setSteps(await journal.list()), [journal]);
  useEffect(() => {
    // This is drawn when the drawer is opened for the first time, and not before: steps hold whole lorebooks.
    void load();
    const header = document.querySelector('#lf-settings .inline-drawer-toggle');
    const onOpen = () => void load();
    header?.addEventListener('click', onOpen);
    return () => header?.removeEventListener('click', onOpen);
  }, [load]);
  // What was listed once stays true while it stands open.
  const isListed = steps !== null;
  useEffect(() => (isListed ? journal.onChange(() => void load()) : undefined), [isListed, journal, load]);
  return (
    <div>
      <div class="lf-head-row">
        <b>{t`Recent changes`}</b>
        <button type="button" class="menu_button" onClick={() => void load()}>
          {t`Refresh`}
        </button>
      </div>
      {steps === null || steps.length === 0 ? (
        <p class="lf-muted">{t`Nothing yet. What Loreferry writes is listed here and can be taken back.`}</p>
      ) : (
        <ul class="lf-rows">
          {steps.map((step) => (
            <StepRow key={step.id} entry={step} journal={journal} reload={load} />
          ))}
        </ul>
      )}
    </div>
  );
}

async function saveSetAside(
  aside: NonNullable<ReturnType<typeof setAsideOf>>,
  journal: Journal,
): Promise<void> {
  const saved = await saveBeside(aside.name, aside.data, journal);
  notify({
    kind: 'success',
    title: t`Saved as “${saved}”`,
    lines: [t`It is not linked to a character.`],
  });
}

interface StepProps {
  readonly entry: JournalEntry;
  readonly journal: Journal;
  readonly reload: () => Promise<void>;
}

function StepRow({ entry, journal, reload }: StepProps) {
  const [step, setStep] = useState<JournalStep | null>(null);
  useEffect(() => {
    void journal.get(entry.id).then((found) => setStep(found ?? null));
  }, [entry.id, journal]);
  const aside = step === null ? null : setAsideOf(step);
  const undoable = step?.actions.some(({ kind }) => kind !== 'set-aside') ?? false;
  return (
    <li class="lf-row lf-row-plain">
      <div>
        <span class="lf-name">{entry.title}</span>
        <div class="lf-muted">{new Date(entry.at).toLocaleString()}</div>
      </div>
      <div class="lf-acts">
        {aside === null ? null : (
          <button
            type="button"
            class="menu_button"
            onClick={() =>
              void saveSetAside(aside, journal)
                .then(reload)
                .catch((error) => notifyError(t`The lorebook was not saved`, error))
            }
          >
            {t`Save the set-aside book`}
          </button>
        )}
        {undoable ? (
          <button
            type="button"
            class="menu_button"
            onClick={() =>
              void undoSteps([entry.id], journal)
                .then(reload)
                .catch((error) => notifyError(t`Not undone`, error))
            }
          >
            {t`Undo`}
          </button>
        ) : null}
      </div>
    </li>
  );
}
