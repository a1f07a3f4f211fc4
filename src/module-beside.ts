// A charx of RisuAI's as if its card said everything: what the module beside the card holds is put into the card, and
// the module is left behind, for RisuAI would believe it more than a card that was changed since.

import { readBeside, withoutBeside } from './containers/charx.ts';
import type { ContainerRead } from './containers/container.ts';
import { cardSpecOf } from './core/character.ts';
import type { Finding } from './core/finding.ts';
import { isObject } from './core/json.ts';
import { MODULE_PATH, withRisuModule } from './formats/risu/charx-module.ts';

/** A container whose card is whole, and what there is to say about that. */
export interface WithModule {
  readonly container: ContainerRead;
  /** The app whose module had something to add to the card. */
  readonly filledBy?: string;
  readonly findings: readonly Finding[];
}

/** Takes the module of a charx into its card; a damaged one is named in a note and left where it is. Never throws. */
export function withModuleBeside(container: ContainerRead): WithModule {
  const { json } = container;
  const beside = isObject(json) && cardSpecOf(json) !== null ? readBeside(container, MODULE_PATH) : null;
  if (beside === null || !isObject(json)) return { container, findings: [] };
  const taken = 'json' in beside ? withRisuModule(json, beside.json) : null;
  if (taken === null) {
    const problem = 'problem' in beside ? beside.problem : 'is no RisuAI module';
    const note = `What lies beside the card, ${MODULE_PATH}, ${problem}; the card's own lorebook was taken.`;
    return { container: { ...container, notes: [...container.notes, note] }, findings: [] };
  }
  const { card, findings } = taken;
  const zip = withoutBeside(container, MODULE_PATH);
  const whole = { ...container, json: card, copies: [{ json: card }], zip };
  return { container: whole, ...(card !== json && { filledBy: 'risu' }), findings };
}
