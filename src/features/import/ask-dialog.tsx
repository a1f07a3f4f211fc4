// "Which lorebooks?": for people who want to be asked. One dialog for a whole batch.

import { render } from 'preact';
import { t } from '../../host/context.ts';
import { showDialog } from '../../host/dialogs.ts';
import type { WaitingCard } from './import-work.ts';
import { entryCount } from './outcome.ts';

/** Asks which of the cards' lorebooks to extract; all are ticked. Closing the dialog extracts none. */
export async function askWhichCards(cards: readonly WaitingCard[]): Promise<readonly WaitingCard[]> {
  const chosen = new Set(cards);
  const content = document.createElement('div');
  render(<CardList cards={cards} chosen={chosen} />, content);
  const answer = await showDialog(content, {
    title: cards.length === 1 ? t`This card brings a lorebook` : t`These cards bring lorebooks`,
    okButton: t`Extract`,
    cancelButton: t`Leave in the card`,
  });
  render(null, content);
  return answer === 'ok' ? cards.filter((card) => chosen.has(card)) : [];
}

function CardList({ cards, chosen }: { cards: readonly WaitingCard[]; chosen: Set<WaitingCard> }) {
  return (
    <div class="lf-stack">
      <p class="lf-lead">{t`Extracted lorebooks become world info files of their own, linked to the character. The card keeps its copy.`}</p>
      <div class="lf-checks">
        {cards.map((card) => (
          <label class="checkbox_label" key={card.avatar}>
            <input
              type="checkbox"
              defaultChecked
              onChange={(event) => {
                if (event.currentTarget.checked) chosen.add(card);
                else chosen.delete(card);
              }}
            />
            <span>
              <b>{card.read.character}</b>{' '}
              <span class="lf-muted">
                {card.read.books
                  .map(({ lorebook }) => `${lorebook.name}, ${entryCount(lorebook.body.entries.length)}`)
                  .join('; ')}
              </span>
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
