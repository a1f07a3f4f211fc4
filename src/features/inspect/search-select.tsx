// One of very many names: a search field that narrows a list, both worked by keyboard.

import { useId, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { foldName } from '../../host/world-name.ts';

interface Option {
  readonly value: string;
  readonly text: string;
}

interface Props {
  readonly label: string;
  readonly options: readonly Option[];
  /** The caption of the button that takes the chosen one; no button when absent, `chosen` then tells. */
  readonly button?: string;
  readonly choose?: (value: string) => void;
  /** Told of what stands in the list; "" when no name fits. */
  readonly chosen?: (value: string) => void;
}

// A list of thousands is slow to draw, and nobody reads it.
const MOST_OPTIONS = 200;

/** Draws the search field with its list. */
export function SearchSelect({ label, options, button, choose, chosen }: Props) {
  const id = useId();
  const [wanted, setWanted] = useState('');
  const [value, setValue] = useState('');
  const fits = (text: string, words: string): boolean => foldName(text).includes(foldName(words.trim()));
  const found = options.filter(({ text }) => fits(text, wanted));
  const now = found.some((option) => option.value === value) ? value : (found[0]?.value ?? '');
  const set = (next: string): void => {
    setValue(next);
    chosen?.(next);
  };
  const search = (words: string): void => {
    setWanted(words);
    const left = options.filter(({ text }) => fits(text, words));
    set(left.some((option) => option.value === now) ? now : (left[0]?.value ?? ''));
  };
  const take = (): void => {
    if (now !== '') choose?.(now);
  };
  return (
    <fieldset class="lf-find">
      <legend>{label}</legend>
      <input
        type="search"
        class="text_pole"
        placeholder={t`Search`}
        aria-label={t`${label}: search`}
        aria-controls={`${id}-list`}
        value={wanted}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          take();
        }}
      />
      <select
        id={`${id}-list`}
        class="text_pole"
        aria-label={label}
        value={now}
        disabled={found.length === 0}
        onChange={(event) => set(event.currentTarget.value)}
      >
        {found.slice(0, MOST_OPTIONS).map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {button === undefined ? null : (
        <button type="button" class="menu_button" disabled={now === ''} onClick={take}>
          {button}
        </button>
      )}
      {found.length > MOST_OPTIONS ? (
        <span class="lf-muted">{t`${found.length} names fit; the first ${MOST_OPTIONS} are listed.`}</span>
      ) : null}
      {found.length === 0 ? <span class="lf-muted">{t`No name fits.`}</span> : null}
    </fieldset>
  );
}
