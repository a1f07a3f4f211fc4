// What happens to an entry: a name, a sign, and what it means.

import { t } from '../../host/context.ts';
import type { Fate } from './report-rows.ts';

/** A fate in words. */
export interface FateWords {
  readonly name: string;
  readonly icon: string;
  readonly meaning: string;
}

/** Names a fate. */
export function fateWords(fate: Fate): FateWords {
  switch (fate) {
    case 'exact':
      return { name: t`Exact`, icon: 'circle-check', meaning: t`behave as they do here` };
    case 'stashed':
      return { name: t`Kept aside`, icon: 'box-archive', meaning: t`kept, unused there` };
    case 'approximated':
      return { name: t`Approximated`, icon: 'arrows-left-right', meaning: t`close, not the same` };
    case 'lost':
      return { name: t`Lost`, icon: 'circle-minus', meaning: t`will not work there` };
  }
}
