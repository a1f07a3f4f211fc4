// The options that only the chosen app's files have.

import { chosenOf } from './chosen.ts';
import type { ExportChoices, OfferedTarget } from './export-material.ts';
import { optionWords } from './option-words.ts';
import { Segments } from './segments.tsx';

interface Props {
  readonly target: OfferedTarget;
  readonly choices: ExportChoices;
  readonly change: (choices: ExportChoices) => void;
}

/** Draws those that make a difference in the chosen style. */
export function OwnOptions({ target, choices, change }: Props) {
  const shown = target.options.filter(({ only }) => only === undefined || only === choices.style);
  return (
    <>
      {shown.map((option) => {
        const { id } = option;
        const chosen = chosenOf(choices, option);
        const { name, sentence } = optionWords(id, chosen);
        return (
          <fieldset key={`${target.id} ${id}`} data-option={id}>
            <legend>{name}</legend>
            <Segments
              label={name}
              choices={option.choices.map((choice) => ({ id: choice, text: optionWords(id, choice).choice }))}
              chosen={chosen}
              choose={(choice) => change({ ...choices, options: { ...choices.options, [id]: choice } })}
            />
            <span class="lf-said">{sentence}</span>
          </fieldset>
        );
      })}
    </>
  );
}
