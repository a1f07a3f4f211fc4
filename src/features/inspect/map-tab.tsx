// The prompt from top to bottom with the entries in their slots, as SillyTavern or another reader builds it.

import { useMemo, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { type MovedGroup, type PromptMap, promptMap } from '../../inspection/prompt-map.ts';
import { PROMPT_READERS, type PromptReader } from '../../inspection/prompt-readers.ts';
import { aroundPrompt } from './around-prompt.ts';
import { MapAside } from './map-aside.tsx';
import { chipsAtFirst } from './map-chips.tsx';
import { MapPrompt } from './map-prompt.tsx';
import { ReadAs, readerName } from './read-as.tsx';
import type { TabProps } from './tab.ts';

/** Draws the tab. */
export function MapTab({ subject, view, show }: TabProps) {
  const [reader, setReader] = useState<PromptReader>(PROMPT_READERS[0] as PromptReader);
  const [withOff, setWithOff] = useState(true);
  const entries = useMemo(
    () => (withOff ? view.entries : view.entries.filter(({ state }) => state !== 'off')),
    [view, withOff],
  );
  const around = useMemo(() => aroundPrompt(subject), [subject]);
  const map = useMemo(() => promptMap(entries, reader, around), [entries, reader, around]);
  const choose = (id: string): void => show('entries', id);
  const first = chipsAtFirst(map);
  // Another prompt is drawn anew, with as few chips as the first one.
  const drawing = `${reader.id} ${withOff}`;
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
        <MapPrompt
          key={`prompt ${drawing}`}
          map={map}
          reader={reader}
          noteDepth={around.noteDepth}
          first={first}
          choose={choose}
        />
        <MapAside key={`aside ${drawing}`} map={map} reader={reader} first={first} choose={choose} />
      </div>
    </div>
  );
}

interface SentenceProps {
  readonly map: PromptMap;
  readonly reader: PromptReader;
  readonly count: number;
}

// It is always there, so that a screen reader hears when it changes.
function Sentence({ map, reader, count }: SentenceProps) {
  const isOwn = reader.id === 'sillytavern';
  const moved = [...map.moved.values()].reduce((sum, each) => sum + each, 0);
  return (
    <div role="status">
      {isOwn ? null : (
        <p class="lf-note">
          <i class="fa-solid fa-circle-info" aria-hidden="true" />
          <span>
            {reader.id === 'spec-only'
              ? t`A reader that knows only the standard’s two words follows the coarse value.`
              : t`As it stands in ${readerName(reader.id)} when it is exported there.`}{' '}
            <b>{moved === 0 ? t`Every entry stays in its place.` : t`${moved} of ${count} entries move.`}</b>
            <Lost map={map} />
          </span>
        </p>
      )}
    </div>
  );
}

// What a move changes beside the place.
function Lost({ map }: Pick<SentenceProps, 'map'>) {
  const count = (group: MovedGroup): number => map.moved.get(group) ?? 0;
  const leftOut = map.nowhere.filter(({ movedFrom }) => movedFrom !== null).length;
  const joined = map.outlets === null ? count('outlets') - leftOut : 0;
  return (
    <>
      {joined > 0 ? ` ${t`Text of an outlet becomes ordinary text: ${joined}.`}` : null}
      {leftOut > 0 ? ` ${t`Text of an outlet is left out there: ${leftOut}.`}` : null}
      {count('nowhere') > 0
        ? ` ${t`What goes nowhere in SillyTavern is in the prompt here: ${count('nowhere')}.`}`
        : null}
    </>
  );
}
