// The prompt from top to bottom with the entries in their slots, as SillyTavern or another reader builds it.

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { type MapEntry, type MovedGroup, type PromptMap, promptMap } from '../../inspection/prompt-map.ts';
import { PROMPT_READERS, type PromptReader } from '../../inspection/prompt-readers.ts';
import { MapAside } from './map-aside.tsx';
import { MapChips } from './map-chips.tsx';
import { roleWord } from './prompt-words.ts';
import { ReadAs, readerName } from './read-as.tsx';
import type { TabProps } from './tab.ts';

/** Draws the tab. */
export function MapTab({ view, show }: TabProps) {
  const [reader, setReader] = useState<PromptReader>(PROMPT_READERS[0] as PromptReader);
  const [withOff, setWithOff] = useState(true);
  const entries = useMemo(
    () => (withOff ? view.entries : view.entries.filter(({ state }) => state !== 'off')),
    [view, withOff],
  );
  const map = useMemo(() => promptMap(entries, reader), [entries, reader]);
  const choose = (id: string): void => show('entries', id);
  return (
    <div class="lf-map-tab">
      <div class="lf-map-bar">
        <ReadAs chosen={reader} choose={setReader} />
        <label class="checkbox_label lf-off-box">
          <input
            type="checkbox"
            checked={withOff}
            onChange={(event) => setWithOff(event.currentTarget.checked)}
          />
          <span>{t`Entries that are off`}</span>
        </label>
      </div>
      <Sentence map={map} reader={reader} count={entries.length} />
      <div class="lf-map">
        <Prompt map={map} choose={choose} />
        <MapAside map={map} choose={choose} />
      </div>
    </div>
  );
}

interface SentenceProps {
  readonly map: PromptMap;
  readonly reader: PromptReader;
  readonly count: number;
}

function Sentence({ map, reader, count }: SentenceProps) {
  if (reader.id === 'sillytavern') return null;
  const moved = movedCount(map.moved);
  return (
    <p class="lf-note" role="status">
      <i class="fa-solid fa-circle-info" aria-hidden="true" />
      <span>
        {reader.id === 'spec-only'
          ? t`A reader that knows only the standard’s two words follows the coarse value.`
          : t`${readerName(reader.id)} reads this lorebook in its own way.`}{' '}
        <b>{moved === 0 ? t`Every entry stays in its place.` : t`${moved} of ${count} entries move.`}</b>
      </span>
    </p>
  );
}

const movedCount = (moved: ReadonlyMap<MovedGroup, number>): number =>
  [...moved.values()].reduce((sum, each) => sum + each, 0);

interface PromptProps {
  readonly map: PromptMap;
  readonly choose: (entryId: string) => void;
}

function Prompt({ map, choose }: PromptProps) {
  return (
    <section class="lf-prompt" aria-label={t`Prompt from top to bottom`}>
      <Fixed name={t`Main prompt`} />
      <Block glyph="↑Char" name={t`Before character`} entries={map.before} choose={choose} />
      <Fixed name={t`Character`}>{t`Persona, description, personality, scenario`}</Fixed>
      <Block glyph="↓Char" name={t`After character`} entries={map.after} choose={choose} />
      <Block glyph="↑EM" name={t`Examples, top`} entries={map.examplesTop} choose={choose} />
      <Fixed name={t`Example messages`} />
      <Block glyph="↓EM" name={t`Examples, bottom`} entries={map.examplesBottom} choose={choose} />
      <Chat map={map} choose={choose} />
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

interface BlockProps {
  readonly glyph: string;
  readonly name: string;
  readonly entries: readonly MapEntry[] | null;
  readonly note?: string;
  readonly choose: (entryId: string) => void;
}

function Block({ glyph, name, entries, note, choose }: BlockProps) {
  return (
    <div class={`lf-block ${entries === null || entries.length === 0 ? 'lf-block-empty' : ''}`}>
      <div class="lf-block-name">
        <b>{glyph}</b>
        {name === '' ? null : <small>{name}</small>}
      </div>
      {entries === null ? (
        <span class="lf-muted">{t`No slot here`}</span>
      ) : (
        <MapChips entries={entries} onChoose={choose} {...(note === undefined ? {} : { note })} />
      )}
    </div>
  );
}

function Chat({ map, choose }: PromptProps) {
  return (
    <div class="lf-chat">
      <h4>{t`Chat history`}</h4>
      <div class="lf-message">{t`earlier messages`}</div>
      <div class="lf-note-box">
        <div class="lf-note-head">
          <b>{t`Author’s note`}</b> <span class="lf-muted">{t`at its depth in the chat`}</span>
        </div>
        <Block glyph="↑AN" name={t`Note, top`} entries={map.noteTop} choose={choose} />
        <Fixed name={t`Note text`} />
        <Block glyph="↓AN" name={t`Note, bottom`} entries={map.noteBottom} choose={choose} />
      </div>
      {map.depths === null ? (
        <Block glyph={t`Depths`} name="" entries={null} choose={choose} />
      ) : (
        map.depths.map(({ depth, role, entries }) => (
          <Block
            key={`${depth} ${role}`}
            glyph={t`Depth ${depth}`}
            name={roleWord(role)}
            entries={entries}
            choose={choose}
          />
        ))
      )}
      <div class="lf-message">{t`the newest message`}</div>
    </div>
  );
}
