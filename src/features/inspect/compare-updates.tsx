// The two ways to bring the copies of a lorebook together, each a button that shows its plan first.

import { isNoDifference } from '../../core/compare.ts';
import { t } from '../../host/context.ts';
import type { CopyComparison } from '../../inspection/comparison.ts';
import type { ChangePlan } from './change-plan.ts';
import { type Copies, changeWords, updateCardPlan, updateWorldPlan } from './compare-plans.ts';
import type { TabProps } from './tab.ts';

const NO_ENTRIES = { added: [], removed: [], changed: [], unchanged: 0 } as const;

interface UpdateProps extends Pick<TabProps, 'subject' | 'propose'> {
  readonly copies: Copies;
  readonly comparison: CopyComparison | null;
}

/** Draws the way from the world file to the card. */
export function UpdateCard({ subject, propose, copies, comparison }: UpdateProps) {
  const difference = comparison?.difference ?? NO_ENTRIES;
  const { changed, added, removed } = difference;
  const words = changeWords(changed.length, added.length, removed.length);
  return (
    <div class="lf-choice">
      <button
        type="button"
        class="menu_button lf-primary"
        onClick={() => proposed(updateCardPlan(subject, copies, difference), propose)}
      >
        <i class="fa-solid fa-user" aria-hidden="true" />
        <span>{t`Update the card from the world file…`}</span>
      </button>
      <p class="lf-muted">
        {comparison === null || isNoDifference(difference)
          ? t`The card gets a copy of the world file.`
          : t`In the card: ${words}.`}{' '}
        {t`You see the plan first.`}
      </p>
    </div>
  );
}

/** Draws the way from the card to the world file. */
export function UpdateWorld({ subject, propose, copies, comparison }: UpdateProps) {
  const difference = comparison?.difference ?? NO_ENTRIES;
  const { changed, added, removed } = difference;
  const words = changeWords(changed.length, removed.length, added.length);
  return (
    <div class="lf-choice">
      <button
        type="button"
        class="menu_button"
        onClick={() => proposed(updateWorldPlan(subject, copies, difference), propose)}
      >
        <i class="fa-solid fa-globe" aria-hidden="true" />
        <span>{t`Update the world file from the card…`}</span>
      </button>
      <p class="lf-muted">{t`In the world file: ${words}. A backup is kept.`}</p>
    </div>
  );
}

function proposed(plan: ChangePlan | null, propose: TabProps['propose']): void {
  if (plan !== null) void propose(plan);
}

/** Draws what is said first. */
export function Note({ children }: { readonly children: preact.ComponentChildren }) {
  return (
    <div class="lf-note">
      <i class="fa-solid fa-circle-info" aria-hidden="true" />
      <p class="lf-text">{children}</p>
    </div>
  );
}
