// The prompt of the map: fixed parts shaded, slots plain, from top to bottom.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { type ChatPart, chatParts } from '../../inspection/prompt-chat.ts';
import type { MapEntry, PromptMap } from '../../inspection/prompt-map.ts';
import type { PromptReader } from '../../inspection/prompt-readers.ts';
import { MapChips, ROWS_AT_FIRST } from './map-chips.tsx';
import { roleWord } from './prompt-words.ts';

interface Props {
  readonly map: PromptMap;
  readonly reader: PromptReader;
  /** Where the author's note stands. */
  readonly noteDepth: number;
  /** How many entries a slot shows at first. */
  readonly first: number;
  readonly choose: (entryId: string) => void;
}

/** Draws the prompt. */
export function MapPrompt(props: Props) {
  const { map, reader } = props;
  // The signs are SillyTavern's own.
  const sign = (glyph: string): string => (reader.id === 'sillytavern' ? glyph : '');
  const hasExamples = map.examplesTop !== null || map.examplesBottom !== null;
  return (
    <section class="lf-prompt" aria-label={t`Prompt from top to bottom`}>
      <Fixed name={t`Main prompt`} />
      <Slot {...props} glyph={sign('↑Char')} name={t`Before character`} entries={map.before} />
      <Fixed name={t`Character`}>{t`Persona, description, personality, scenario`}</Fixed>
      <Slot {...props} glyph={sign('↓Char')} name={t`After character`} entries={map.after} />
      {hasExamples ? (
        <Slot {...props} glyph={sign('↑EM')} name={t`Examples, top`} entries={map.examplesTop} />
      ) : null}
      <Fixed name={t`Example messages`}>{hasExamples ? null : t`No slot around them here`}</Fixed>
      {hasExamples ? (
        <Slot {...props} glyph={sign('↓EM')} name={t`Examples, bottom`} entries={map.examplesBottom} />
      ) : null}
      <Chat {...props} sign={sign} />
      <Fixed name={t`After the chat`}>{t`Post-history instructions`}</Fixed>
    </section>
  );
}

function Fixed({ name, children }: { readonly name: string; readonly children?: ComponentChildren }) {
  return (
    <div class="lf-block lf-block-fixed">
      <div class="lf-block-name">{name}</div>
      <div>{children}</div>
    </div>
  );
}

interface SlotProps extends Pick<Props, 'first' | 'choose'> {
  readonly glyph: string;
  readonly name: string;
  readonly entries: readonly MapEntry[] | null;
}

function Slot({ glyph, name, entries, first, choose }: SlotProps) {
  const isEmpty = entries === null || entries.length === 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slot of a picture, no set of fields
    <div
      class={`lf-block ${isEmpty ? 'lf-block-empty' : ''}`}
      role="group"
      aria-label={glyph === '' ? name : `${glyph} ${name}`}
    >
      <div class="lf-block-name" aria-hidden="true">
        <b>{glyph === '' ? name : glyph}</b>
        {glyph === '' ? null : <small>{name}</small>}
        {glyph === '' && !isEmpty ? <small>{t`Entries: ${entries.length}`}</small> : null}
      </div>
      {entries === null ? (
        <span class="lf-muted">{t`No slot here`}</span>
      ) : (
        <MapChips entries={entries} first={first} onChoose={choose} />
      )}
    </div>
  );
}

interface ChatProps extends Props {
  readonly sign: (glyph: string) => string;
}

function Chat({ sign, ...props }: ChatProps) {
  const { map, noteDepth } = props;
  const rows = map.depths ?? [];
  const [shown, setShown] = useState(ROWS_AT_FIRST);
  const hasNote = map.noteTop !== null || map.noteBottom !== null;
  if (map.depths === null && !hasNote) {
    return (
      <>
        <Fixed name={t`Author’s note`}>{t`No slot here`}</Fixed>
        <Fixed name={t`Chat history`}>{t`No depths here`}</Fixed>
      </>
    );
  }
  // The lowest are the ones that matter most; what is deeper waits above.
  const hidden = Math.max(0, rows.length - shown);
  return (
    <div class="lf-chat">
      <h4>{t`Chat history`}</h4>
      {hidden > 0 ? (
        <div class="lf-message">
          <button type="button" class="lf-link" onClick={() => setShown(shown + ROWS_AT_FIRST)}>
            {t`Deeper places that are not shown: ${hidden}. Show more`}
          </button>
        </div>
      ) : null}
      {chatParts(rows.slice(hidden), noteDepth).map((part, index) => {
        if (part.kind === 'note')
          return hasNote ? (
            <Note key="note" {...props} sign={sign} />
          ) : (
            <Fixed key="note" name={t`Author’s note`} />
          );
        if (part.kind !== 'entries')
          return (
            <div class="lf-message" key={`messages ${index}`}>
              {messageWords(part)}
            </div>
          );
        const { depth, role, entries } = part.row;
        return (
          <Slot
            {...props}
            key={`${depth} ${role}`}
            glyph={t`Depth ${depth}`}
            name={roleWord(role)}
            entries={entries}
          />
        );
      })}
    </div>
  );
}

function messageWords(part: Exclude<ChatPart, { kind: 'note' | 'entries' }>): string {
  if (part.kind === 'earlier') return t`Earlier messages`;
  if (part.newest) return part.count === 1 ? t`The newest message` : t`The ${part.count} newest messages`;
  return part.count === 1 ? t`One message` : t`${part.count} messages`;
}

function Note({ sign, ...props }: ChatProps) {
  const { map, noteDepth } = props;
  return (
    <div class="lf-note-box">
      <div class="lf-note-head">
        <b>{t`Author’s note`}</b>{' '}
        <span class="lf-muted">{t`at depth ${noteDepth}, unless the chat sets another`}</span>
      </div>
      <Slot {...props} glyph={sign('↑AN')} name={t`Note, top`} entries={map.noteTop} />
      <Fixed name={t`Note text`} />
      <Slot {...props} glyph={sign('↓AN')} name={t`Note, bottom`} entries={map.noteBottom} />
    </div>
  );
}
