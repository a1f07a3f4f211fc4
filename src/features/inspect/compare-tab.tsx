// The card's copy of a lorebook against the world file that SillyTavern generates from.

import { useMemo, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { compareCopies } from '../../inspection/comparison.ts';
import { onArrow } from './arrow-keys.ts';
import { differingPairs, HiddenList, listText, PairBlock, SameRows } from './compare-entries.tsx';
import { type Copies, copiesOf, hindrance } from './compare-plans.ts';
import { Note, UpdateCard, UpdateWorld } from './compare-updates.tsx';
import { copyText } from './copy-text.ts';
import { linkPlan } from './link-plans.ts';
import type { SubjectBook } from './subject.ts';
import type { TabProps } from './tab.ts';

const STEP = 100;

type Props = Pick<TabProps, 'subject' | 'propose'>;

/** Draws the tab. */
export function CompareTab({ subject, propose }: TabProps) {
  const copies = useMemo(() => copiesOf(subject), [subject]);
  const { card, world } = copies;
  return (
    <div class="lf-compare">
      {card !== null && world !== null ? (
        <BothCopies subject={subject} propose={propose} card={card} world={world} />
      ) : (
        <OneCopy subject={subject} propose={propose} copies={copies} />
      )}
    </div>
  );
}

/** Something is missing for a comparison: it is said what, and what can be done about it. */
export function OneCopy({ subject, propose, copies }: Props & { readonly copies: Copies }) {
  const { character } = subject;
  if (character === null)
    return <Note>{t`This is a lorebook alone, so there is no card to compare it with.`}</Note>;
  const { avatar, name, linked, linkExists, relink, additional } = character;
  if (avatar === null)
    return <Note>{t`This card is not imported, so there is no world file to compare it with yet.`}</Note>;
  if (linked !== '' && !linkExists) {
    const state = { avatar, name, linked, linkExists, additional };
    return (
      <>
        <Note>
          <b>{t`The linked world “${linked}” does not exist.`}</b>{' '}
          {relink.length === 0
            ? t`SillyTavern generates without a lorebook of this character. No world file has the same content as the card’s copy.`
            : t`SillyTavern generates without a lorebook of this character.`}
        </Note>
        {relink.map((each) => (
          <p class="lf-relink" key={each}>
            <span class="lf-text">{t`“${each}” has the same content as the card’s copy.`}</span>
            <button
              type="button"
              class="menu_button lf-primary"
              aria-label={t`Link to “${each}”`}
              onClick={() => void propose(linkPlan(each, state))}
            >
              {t`Link to it`}
            </button>
          </p>
        ))}
      </>
    );
  }
  if (linked === '')
    return (
      <Note>
        {t`${name} is linked to no world file: SillyTavern generates without a lorebook of its own, and there is nothing to compare the card’s copy with.`}
      </Note>
    );
  if (copies.world === null) return <Note>{t`The world file “${linked}” could not be read.`}</Note>;
  return (
    <>
      <Note>
        <b>{t`SillyTavern generates from the world file.`}</b>{' '}
        {t`The card holds no copy of it: whoever gets the card from you gets no lorebook.`}
      </Note>
      <UpdateCard subject={subject} propose={propose} copies={copies} comparison={null} />
    </>
  );
}

interface BothProps extends Props {
  readonly card: SubjectBook;
  readonly world: SubjectBook;
}

function BothCopies({ subject, propose, card, world }: BothProps) {
  const comparison = useMemo(() => compareCopies(card.lorebook.body, world.lorebook.body), [card, world]);
  const pairs = useMemo(() => differingPairs(comparison.difference), [comparison]);
  const [chosen, setShown] = useState<'differ' | 'same' | null>(null);
  const shown = chosen ?? (pairs.length === 0 ? 'same' : 'differ');
  const [most, setMost] = useState(STEP);
  const { same, notCarried, notCarriedOfBook } = comparison;
  const copies = { card, world };
  const hindered = hindrance(subject, copies);
  const choose = (next: 'differ' | 'same'): void => {
    setShown(next);
    setMost(STEP);
  };
  const listed = shown === 'differ' ? pairs.length : same.length;
  return (
    <>
      <Note>
        <b>{t`SillyTavern generates from the world file.`}</b>{' '}
        {t`The card’s copy is what travels when you share the card.`} {tallyWords(same.length, pairs.length)}
      </Note>
      {pairs.length === 0 ? null : hindered !== null ? (
        <p class="lf-muted">{hindered}</p>
      ) : (
        <div class="lf-two">
          <UpdateCard subject={subject} propose={propose} copies={copies} comparison={comparison} />
          <UpdateWorld subject={subject} propose={propose} copies={copies} comparison={comparison} />
        </div>
      )}
      <div class="lf-filters">
        <Switch differ={pairs.length} same={same.length} shown={shown} choose={choose} />
        {pairs.length === 0 ? null : (
          <button type="button" class="menu_button lf-at-end" onClick={() => void copyText(listText(pairs))}>
            <i class="fa-solid fa-copy" aria-hidden="true" />
            <span>{t`Copy the list`}</span>
          </button>
        )}
      </div>
      {shown === 'same' ? (
        <SameRows entries={same.slice(0, most)} />
      ) : (
        <>
          <div class="lf-field-row lf-field-head" aria-hidden="true">
            <span>{t`Field`}</span>
            <span>{t`Card’s copy`}</span>
            <span>{t`World file`}</span>
          </div>
          {pairs.slice(0, most).map((pair, index) => (
            <PairBlock pair={pair} key={index} />
          ))}
        </>
      )}
      {listed > most ? (
        <button type="button" class="menu_button lf-show-more" onClick={() => setMost(most + STEP)}>
          {t`Show more (${(listed - most).toLocaleString()})`}
        </button>
      ) : null}
      <HiddenList entries={notCarried} ofBook={notCarriedOfBook} />
    </>
  );
}

function tallyWords(same: number, differ: number): string {
  if (differ === 0) return t`Both are the same.`;
  const alike =
    same === 1 ? t`1 entry is the same in both` : t`${same.toLocaleString()} entries are the same in both`;
  return differ === 1 ? t`${alike}; 1 differs.` : t`${alike}; ${differ.toLocaleString()} differ.`;
}

interface SwitchProps {
  readonly differ: number;
  readonly same: number;
  readonly shown: 'differ' | 'same';
  readonly choose: (shown: 'differ' | 'same') => void;
}

function Switch({ differ, same, shown, choose }: SwitchProps) {
  const words = { differ: t`Differ ${differ.toLocaleString()}`, same: t`Same ${same.toLocaleString()}` };
  return (
    <div
      class="lf-segments"
      role="radiogroup"
      aria-label={t`Show`}
      onKeyDown={onArrow(['differ', 'same'] as const, shown, choose)}
    >
      {(['differ', 'same'] as const).map((each) => (
        // biome-ignore lint/a11y/useSemanticElements: segments of one control, in SillyTavern's look
        <button
          key={each}
          type="button"
          role="radio"
          aria-checked={each === shown}
          tabIndex={each === shown ? 0 : -1}
          data-choice={each}
          onClick={() => choose(each)}
        >
          {words[each]}
        </button>
      ))}
    </div>
  );
}
