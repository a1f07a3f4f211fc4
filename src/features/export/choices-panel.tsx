// What is chosen: the app, the form, the version, the style, the books.

import { useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { cut } from '../inspect/entry-row.tsx';
import { withBook, withStyle, withTarget } from './chosen.ts';
import type { ExportChoices, ExportOffer, OfferedTarget } from './export-material.ts';
import { OwnOptions } from './own-options.tsx';
import { Segments } from './segments.tsx';
import { bookWords, formWords, targetWords } from './target-words.ts';

interface Props {
  readonly offer: ExportOffer;
  readonly missing: readonly string[];
  readonly choices: ExportChoices;
  readonly change: (choices: ExportChoices) => void;
}

/** Draws the choices. */
export function ChoicesPanel(props: Props) {
  const { offer, choices, change } = props;
  const target = offer.targets.find(({ id }) => id === choices.target);
  return (
    <div class="lf-pick">
      <Targets {...props} />
      {target === undefined ? null : <Forms {...props} target={target} />}
      {target === undefined || target.versions.length < 2 ? null : (
        <fieldset>
          <legend>{t`Version`}</legend>
          <Segments
            label={t`Version`}
            choices={target.versions.map((id) => ({ id, text: id }))}
            chosen={choices.version ?? ''}
            choose={(version) => change({ ...choices, version })}
          />
        </fieldset>
      )}
      {target?.hasStyles ? <Styles {...props} /> : null}
      {target === undefined ? null : <OwnOptions target={target} choices={choices} change={change} />}
      <Books {...props} />
      <Private {...props} />
    </div>
  );
}

interface OptionProps {
  readonly group: string;
  readonly id: string;
  readonly chosen: string;
  readonly name: string;
  readonly sentence: string;
  readonly choose: () => void;
}

function Option({ group, id, chosen, name, sentence, choose }: OptionProps) {
  const isChosen = id === chosen;
  return (
    <label class={`lf-option ${isChosen ? 'lf-is-chosen' : ''}`}>
      <input type="radio" name={group} value={id} checked={isChosen} onChange={choose} />
      <span>
        <b>{name}</b>
        <span class="lf-said">{sentence}</span>
      </span>
    </label>
  );
}

function Targets({ offer, choices, change }: Props) {
  const [isUnfolded, unfold] = useState(false);
  const take = (target: OfferedTarget): void => {
    unfold(false);
    if (target.id !== choices.target) change(withTarget(choices, target));
  };
  return (
    <fieldset class={`lf-targets ${isUnfolded ? 'lf-unfolded' : ''}`}>
      <legend>{t`To`}</legend>
      {offer.targets.map((target) => (
        <Option
          key={target.id}
          group="lf-export-target"
          id={target.id}
          chosen={choices.target}
          {...targetWords(target.id)}
          choose={() => take(target)}
        />
      ))}
      {offer.targets.length < 2 ? null : (
        <button
          type="button"
          class="menu_button lf-only-phone"
          aria-expanded={isUnfolded}
          onClick={() => unfold(!isUnfolded)}
        >
          {isUnfolded ? t`Show only the chosen app` : t`Choose another app`}
        </button>
      )}
    </fieldset>
  );
}

function Forms({ offer, choices, change, target }: Props & { readonly target: OfferedTarget }) {
  const { sentence } = formWords(choices.form, target.id, offer);
  return (
    <fieldset>
      <legend>{t`As`}</legend>
      {target.forms.length < 2 ? null : (
        <Segments
          label={t`As`}
          choices={target.forms.map((id) => ({ id, text: formWords(id, target.id, offer).name }))}
          chosen={choices.form}
          choose={(form) => change({ ...choices, form })}
        />
      )}
      <span class="lf-said">{sentence}</span>
    </fieldset>
  );
}

function Styles({ choices, change }: Props) {
  const { style } = choices;
  const choose = (next: ExportChoices['style']) => () => change(withStyle(choices, next));
  return (
    <fieldset>
      <legend>{t`Style`}</legend>
      <Option
        group="lf-export-style"
        id="natural"
        chosen={style}
        name={t`Natural`}
        sentence={t`Keys you can read and edit there. May fire a little differently; the report says where.`}
        choose={choose('natural')}
      />
      <Option
        group="lf-export-style"
        id="exact"
        chosen={style}
        name={t`Exact`}
        sentence={t`Fires as in SillyTavern, even if a key has to become a pattern.`}
        choose={choose('exact')}
      />
    </fieldset>
  );
}

const NAME_LETTERS = 120;

function Books({ offer, missing, choices, change }: Props) {
  const { books } = offer;
  if (!offer.isCard) return null;
  const hasAdditional = books.some(({ roles }) => roles.includes('additional'));
  return (
    <fieldset>
      <legend>{t`Books`}</legend>
      {books.length === 0 ? <span class="lf-said">{t`This character has no lorebook.`}</span> : null}
      {books.length === 0 ? null : (
        <div class="lf-books">
          {books.map((book) => (
            <label key={book.key}>
              <input
                type="checkbox"
                checked={choices.books.includes(book.key)}
                onChange={() => change(withBook(choices, book.key, offer))}
              />
              <span>
                <span class="lf-text">{cut(book.name, NAME_LETTERS) || t`Untitled`}</span>
                <span class="lf-said">{bookWords(book)}</span>
              </span>
              <span class="lf-muted" title={t`${book.entryCount} entries`}>
                {book.entryCount.toLocaleString()}
              </span>
            </label>
          ))}
        </div>
      )}
      {missing.map((sentence) => (
        <span class="lf-said lf-text" role="alert" key={sentence}>
          {cut(sentence, 300)}
        </span>
      ))}
      {hasAdditional ? (
        <span class="lf-said">
          {t`Additional books are settings of SillyTavern: its own export leaves them behind.`}
        </span>
      ) : null}
    </fieldset>
  );
}

function Private({ offer, choices, change }: Props) {
  const isAsked = offer.books.some(({ key, hasPrivate }) => hasPrivate && choices.books.includes(key));
  if (!isAsked) return null;
  const isKept = choices.privateFields === 'keep';
  return (
    <fieldset>
      <legend>{t`Private`}</legend>
      <div class="lf-books">
        <label>
          <input
            type="checkbox"
            checked={isKept}
            onChange={() => change({ ...choices, privateFields: isKept ? 'drop' : 'keep' })}
          />
          <span>
            {t`Character filters and automation ids`}
            <span class="lf-said">{t`They name other characters, tags and automations of yours.`}</span>
          </span>
        </label>
      </div>
    </fieldset>
  );
}
