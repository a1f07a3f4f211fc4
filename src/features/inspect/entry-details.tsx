// The whole entry, opened below its row: how its place is known, every field in words, and the entry as it stood.

import { useState } from 'preact/hooks';
import { isObject, type JsonObject } from '../../core/json.ts';
import { t } from '../../host/context.ts';
import type { EntryView } from '../../inspection/book-view.ts';
import { copyText } from './copy-text.ts';
import { everyField } from './entry-fields.ts';
import { agreementMark, agreementSentence } from './entry-marks.ts';
import { cut, MarkOf } from './entry-row.tsx';
import { firingSentence } from './firing-words.ts';
import type { Inherited } from './inherited.ts';
import { slotWords } from './prompt-words.ts';

const CONTENT_LETTERS = 6000;
const RAW_LETTERS = 20_000;

interface Props {
  readonly view: EntryView;
  /** The user's own settings that an unset field inherits, in words by the field's path. */
  readonly inherited: Inherited;
  readonly onShowOnMap: () => void;
  /** Opens SillyTavern's editor; null where it has no such book. */
  readonly onEdit: (() => void) | null;
}

/** Draws the opened entry. */
export function EntryDetails({ view, inherited, onShowOnMap, onEdit }: Props) {
  const { words } = slotWords(view.slot, view.depth, view.role, view.outlet);
  return (
    <section class="lf-details" aria-label={t`${cut(view.label)}, every field`}>
      <div class="lf-details-part">
        <h4>{t`Position, as read`}</h4>
        <dl class="lf-encodings">
          <dt>{t`Coarse`}</dt>
          <dd>
            {view.coarse.present ? <code>{cut(JSON.stringify(view.coarse.value))}</code> : t`none`}
            <div class="lf-where">{t`in the entry`}</div>
          </dd>
          <dt>{t`Precise`}</dt>
          <dd>
            {view.precise.present ? <code>{cut(JSON.stringify(view.precise.value))}</code> : t`none`}
            <div class="lf-where">
              {view.precise.at === 'extensions' ? t`in the entry’s extensions` : t`in the entry`}
            </div>
          </dd>
          <dd class="lf-result">
            <MarkOf mark={agreementMark(view)} kind="lf-mark" />
            <div>{agreementSentence(view, words)}</div>
          </dd>
        </dl>
        {view.diagnoses.map((diagnosis) => (
          <p class="lf-said" key={diagnosis.reason}>
            <i class="fa-solid fa-triangle-exclamation" aria-hidden="true" /> {firingSentence(diagnosis)}
          </p>
        ))}
        <h4>{t`Content`}</h4>
        <LongText text={view.entry.content} most={CONTENT_LETTERS} />
        <div class="lf-acts">
          <button type="button" class="menu_button" onClick={onShowOnMap}>
            <i class="fa-solid fa-map" aria-hidden="true" />
            <span>{t`Show on the map`}</span>
          </button>
          {onEdit === null ? null : (
            <button type="button" class="menu_button" onClick={onEdit}>
              <i class="fa-solid fa-pencil" aria-hidden="true" />
              <span>{t`Edit in SillyTavern`}</span>
            </button>
          )}
        </div>
      </div>
      <div class="lf-details-part">
        <h4>{t`Every field`}</h4>
        <dl class="lf-fields">
          {everyField(view, inherited).map(({ name, value, isUnset }) => [
            <dt key={`${name}:name`}>{name}</dt>,
            <dd key={name} class={`lf-text ${isUnset ? 'lf-muted' : ''}`}>
              {cut(value, 600)}
            </dd>,
          ])}
        </dl>
      </div>
      <div class="lf-details-part">
        <RawEntry view={view} />
      </div>
    </section>
  );
}

function LongText({ text, most }: { readonly text: string; readonly most: number }) {
  const [isWhole, setWhole] = useState(false);
  if (text === '') return <p class="lf-muted">{t`No text.`}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard */}
      <section class="lf-content lf-text" tabIndex={0} aria-label={t`Content`}>
        {isWhole ? text : cut(text, most)}
      </section>
      {text.length > most && !isWhole ? (
        <button type="button" class="lf-link" onClick={() => setWhole(true)}>
          {t`Show all ${text.length} letters`}
        </button>
      ) : null}
    </>
  );
}

function RawEntry({ view }: { readonly view: EntryView }) {
  const whole = JSON.stringify(view.raw, null, 2) ?? 'null';
  const lines = cut(whole, RAW_LETTERS).split('\n');
  const marked = markedLines(view, lines);
  return (
    <>
      <h4 class="lf-raw-head">
        <span>{t`Raw entry, as read`}</span>
        <button type="button" class="lf-link" onClick={() => void copyText(whole)}>
          {t`Copy`}
        </button>
      </h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard */}
      <pre class="lf-raw" tabIndex={0}>
        {lines.map((line, index) => (marked.has(index) ? <b key={index}>{`${line}\n`}</b> : `${line}\n`))}
      </pre>
    </>
  );
}

// The lines that decide the place. The entry's own keys are indented by two, those of its extensions by four.
function markedLines({ raw, precise }: EntryView, lines: readonly string[]): ReadonlySet<number> {
  const marked = new Set<number>();
  const extensions: JsonObject = isObject(raw) && isObject(raw['extensions']) ? raw['extensions'] : {};
  const names =
    precise.at === 'extensions' && Object.keys(extensions).length > 0 ? EXTENSION_LINE : ENTRY_LINE;
  lines.forEach((line, index) => {
    if (ENTRY_POSITION.test(line) || names.test(line)) marked.add(index);
  });
  return marked;
}

const ENTRY_POSITION = /^ {2}"position":/;
const ENTRY_LINE = /^ {2}"(position|depth|role|outletName)":/;
const EXTENSION_LINE = /^ {4}"(position|depth|role|outlet_name)":/;
