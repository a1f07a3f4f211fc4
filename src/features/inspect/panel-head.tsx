// The head of the panel: which lorebook, out of what, linked to what, and how much is in it.

import { useContext } from 'preact/hooks';
import { t } from '../../host/context.ts';
import type { BookView } from '../../inspection/book-view.ts';
import { foundSentence } from '../import/place-words.ts';
import { onArrow } from './arrow-keys.ts';
import { cut } from './entry-row.tsx';
import { PanelServicesContext } from './panel-services.ts';
import type { Subject, SubjectBook } from './subject.ts';
import type { TabId } from './tab.ts';
import { TokenTotal } from './token-total.tsx';

interface Props {
  readonly subject: Subject;
  readonly book: SubjectBook | undefined;
  readonly view: BookView | undefined;
  /** In how many entries the card's copy and the world file differ. */
  readonly drift: number;
  readonly choose: (key: string) => void;
  readonly show: (tab: TabId) => void;
}

const NAME_LETTERS = 120;

/** Draws the head. */
export function PanelHead({ subject, book, view, drift, choose, show }: Props) {
  const { character } = subject;
  const exportTo = useContext(PanelServicesContext)?.exportTo;
  return (
    <header class="lf-head">
      <div class="lf-head-top">
        <h3 class="lf-panel-title">
          <i class="fa-solid fa-book-atlas" aria-hidden="true" />
          <span class="lf-clip lf-text">
            {cut(book?.name || character?.name || subject.fileName || t`Lorebook`, NAME_LETTERS)}
          </span>
        </h3>
        {subject.books.length > 1 ? <BookSwitch subject={subject} book={book} choose={choose} /> : null}
        {exportTo === undefined ? null : (
          <button type="button" class="menu_button lf-at-end" onClick={exportTo}>
            <i class="fa-solid fa-share-from-square" aria-hidden="true" />
            <span>{t`Export to another app...`}</span>
          </button>
        )}
      </div>
      <dl class="lf-facts">
        <Origin subject={subject} book={book} />
        {character === null ? null : <Link subject={subject} drift={drift} show={show} />}
      </dl>
      {view === undefined ? null : (
        <div class="lf-totals">
          <Total count={view.totals.entries} word={t`entries`} />
          <Total count={view.totals.on} word={t`on`} />
          <Total count={view.totals.off} word={t`off`} />
          <Total count={view.totals.constant} word={t`constant`} />
          <Total count={view.totals.vectorized} word={t`vectorized`} />
          <TokenTotal entries={view.entries} />
        </div>
      )}
    </header>
  );
}

function Total({ count, word }: { readonly count: number; readonly word: string }) {
  return (
    <span>
      <b>{count.toLocaleString()}</b> {word}
    </span>
  );
}

function BookSwitch({ subject, book, choose }: Pick<Props, 'subject' | 'book' | 'choose'>) {
  const keys = subject.books.map(({ key }) => key);
  if (keys.length > 4) {
    return (
      <select
        class="text_pole lf-book-select"
        aria-label={t`Which lorebook`}
        value={book?.key}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {subject.books.map((each) => (
          <option key={each.key} value={each.key}>
            {cut(bookWord(each, subject), 60)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <div
      class="lf-segments"
      role="radiogroup"
      aria-label={t`Which lorebook`}
      onKeyDown={onArrow(keys, book?.key ?? '', choose)}
    >
      {subject.books.map((each) => {
        const isChosen = each.key === book?.key;
        return (
          // biome-ignore lint/a11y/useSemanticElements: segments of one control, in SillyTavern's look
          <button
            key={each.key}
            type="button"
            role="radio"
            aria-checked={isChosen}
            tabIndex={isChosen ? 0 : -1}
            data-choice={each.key}
            title={cut(each.name)}
            onClick={() => choose(each.key)}
          >
            <span class="lf-clip">{cut(bookWord(each, subject), 40)}</span>
          </button>
        );
      })}
    </div>
  );
}

/** What a book of the subject is called on its switch. */
export function bookWord(book: SubjectBook, subject: Subject): string {
  if (book.kind === 'card') {
    const at = subject.books.filter(({ kind }) => kind === 'card').indexOf(book);
    return at <= 0 ? t`Card’s copy` : t`Card’s copy ${at + 1}`;
  }
  if (book.kind === 'linked') return t`World file`;
  return book.name;
}

function Origin({ subject, book }: Pick<Props, 'subject' | 'book'>) {
  const { character, fileName } = subject;
  const spec = character === null ? null : SPEC[character.spec ?? 'v1'];
  const inCard = book?.kind === 'card' || (book?.kind === 'file' && character !== null);
  const found = inCard ? foundSentence(book.slot) : '';
  return (
    <div>
      <dt>{t`From`}</dt>
      <dd>
        {character === null ? (
          <span class="lf-text">
            {fileName ?? t`the world file “${cut(book?.name ?? '', NAME_LETTERS)}”`}
          </span>
        ) : (
          <>
            <span class="lf-text">{cut(character.name, NAME_LETTERS)}</span>
            <span class="lf-muted">
              {` · ${character.avatar ?? fileName ?? ''} · ${t`${spec} card`}`}
              {inCard && found !== '' ? <span class="lf-only-desk">{` · ${found}`}</span> : null}
            </span>
          </>
        )}
        {fileName === null ? null : <span class="lf-muted"> · {t`not imported`}</span>}
      </dd>
    </div>
  );
}

const SPEC: Readonly<Record<'chara_card_v3' | 'chara_card_v2' | 'v1', string>> = {
  chara_card_v3: 'V3',
  chara_card_v2: 'V2',
  v1: 'V1',
};

function Link({ subject, drift, show }: Pick<Props, 'subject' | 'drift' | 'show'>) {
  const { character, fileName } = subject;
  if (character === null) return null;
  const { linked, linkExists, additional } = character;
  const name = cut(linked, NAME_LETTERS);
  const words =
    linked === ''
      ? t`no world file`
      : fileName !== null
        ? t`the file names “${name}”`
        : linkExists
          ? t`“${name}”`
          : t`“${name}”, which does not exist`;
  return (
    <div>
      <dt>{t`Link`}</dt>
      <dd>
        <i class={`fa-solid fa-${linked === '' || !linkExists ? 'link-slash' : 'link'}`} aria-hidden="true" />{' '}
        <span class="lf-text">{words}</span>
        {drift === 0 ? null : (
          <>
            <span class="lf-muted"> · </span>
            <button type="button" class="lf-link" onClick={() => show('compare')}>
              {drift === 1 ? t`1 entry differs` : t`${drift} entries differ`}
            </button>
          </>
        )}
        {additional.length === 0 ? null : (
          <span class="lf-muted"> · {t`${additional.length} additional`}</span>
        )}
      </dd>
    </div>
  );
}
