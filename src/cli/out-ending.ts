// What the ending of OUT promises: the form of a card, or that a lorebook is JSON.

import { basename } from 'node:path';
import type { Form } from '../convert-file.ts';
import type { ExportForm } from '../core/exporter.ts';
import { appName } from '../formats/app-names.ts';
import { exporterFor } from '../formats/exporters.ts';
import { UsageError } from './usage-error.ts';

/** What is converted: a card, a lorebook, or several files, which go into a folder. */
export type Converted = 'card' | 'lorebook' | 'several';

const CARD_ENDINGS = ['png', 'json', 'charx'] as const satisfies readonly ExportForm[];
// A number behind a dot ("Mara v1.2") belongs to the name.
const ENDING = /\.(?=[a-z0-9]*[a-z])([a-z0-9]+)$/i;

/**
 * The form that OUT's ending stands for; undefined where it has none, or where a lorebook has but one.
 *
 * @param out where a file will be written, no folder
 * @throws UsageError for an ending that says no form of the target
 */
export function formByEnding(out: string, converted: Converted, target: string): Form | undefined {
  const ending = ENDING.exec(basename(out))?.[1]?.toLowerCase();
  if (ending === undefined || converted === 'several') return undefined;
  const endings = converted === 'card' ? cardEndings(target) : (['json'] as const);
  const form = endings.find((each) => each === ending);
  if (form !== undefined) return converted === 'card' ? form : undefined;
  const what = converted === 'card' ? 'A card' : 'A lorebook';
  throw new UsageError(
    `${what} for ${appName(target)} ends in ${endings
      .map((each) => `.${each}`)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1')}, not in .${ending}; end OUT so, or give a folder with / behind it.`,
  );
}

function cardEndings(target: string): readonly (typeof CARD_ENDINGS)[number][] {
  const forms = exporterFor(target)?.forms ?? CARD_ENDINGS;
  return CARD_ENDINGS.filter((each) => forms.includes(each));
}
