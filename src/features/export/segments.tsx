// A few choices side by side, one of them chosen.

import { onArrow } from '../inspect/arrow-keys.ts';

interface Props<T extends string> {
  readonly label: string;
  readonly choices: readonly { readonly id: T; readonly text: string }[];
  readonly chosen: T;
  readonly choose: (id: T) => void;
}

/** Draws them. */
export function Segments<T extends string>({ label, choices, chosen, choose }: Props<T>) {
  const ids = choices.map(({ id }) => id);
  return (
    <div class="lf-segments" role="radiogroup" aria-label={label} onKeyDown={onArrow(ids, chosen, choose)}>
      {choices.map(({ id, text }) => (
        // biome-ignore lint/a11y/useSemanticElements: segments of one control, in SillyTavern's look
        <button
          key={id}
          type="button"
          role="radio"
          aria-checked={id === chosen}
          tabIndex={id === chosen ? 0 : -1}
          data-choice={id}
          onClick={() => choose(id)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
