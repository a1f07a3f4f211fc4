// The switch that redraws the prompt map as another reader sees it.

import { appName } from '../../formats/app-names.ts';
import { t } from '../../host/context.ts';
import { PROMPT_READERS, type PromptReader } from '../../inspection/prompt-readers.ts';
import { onArrow } from './arrow-keys.ts';

/** What a reader is called. */
export const readerName = (id: string): string => (id === 'spec-only' ? t`Spec-only reader` : appName(id));

interface Props {
  readonly chosen: PromptReader;
  readonly choose: (reader: PromptReader) => void;
}

/** Draws the switch: segments, and a list where they have no room. */
export function ReadAs({ chosen, choose }: Props) {
  const ids = PROMPT_READERS.map(({ id }) => id);
  const chooseId = (id: string): void => {
    const reader = PROMPT_READERS.find((each) => each.id === id);
    if (reader !== undefined) choose(reader);
  };
  return (
    <>
      <b id="lf-read-as">{t`Read as`}</b>
      <div
        class="lf-segments lf-only-desk"
        role="radiogroup"
        aria-labelledby="lf-read-as"
        onKeyDown={onArrow(ids, chosen.id, chooseId)}
      >
        {ids.map((id) => (
          // biome-ignore lint/a11y/useSemanticElements: segments of one control, in SillyTavern's look
          <button
            key={id}
            type="button"
            role="radio"
            aria-checked={id === chosen.id}
            tabIndex={id === chosen.id ? 0 : -1}
            data-choice={id}
            onClick={() => chooseId(id)}
          >
            {readerName(id)}
          </button>
        ))}
      </div>
      <select
        class="text_pole lf-only-phone"
        aria-labelledby="lf-read-as"
        value={chosen.id}
        onChange={(event) => chooseId(event.currentTarget.value)}
      >
        {ids.map((id) => (
          <option key={id} value={id}>
            {readerName(id)}
          </option>
        ))}
      </select>
    </>
  );
}
