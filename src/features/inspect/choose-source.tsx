// What is to be inspected, when nothing is open: a lorebook of the list, a character, or a file.

import { useEffect, useState } from 'preact/hooks';
import { listedCharacters } from '../../host/character-list.ts';
import { t } from '../../host/context.ts';
import { listWorlds } from '../../host/world-store.ts';
import { FileDrop } from '../library/file-drop.tsx';
import type { PanelSource } from './panel-source.ts';
import { SearchSelect } from './search-select.tsx';

interface Props {
  readonly choose: (source: PanelSource) => void;
}

/** Lets a person choose what to inspect. */
export function ChooseSource({ choose }: Props) {
  const [worlds, setWorlds] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState('');
  useEffect(() => {
    listWorlds().then(
      (listed) => setWorlds(listed.map(({ name }) => name)),
      (error) => setFailed(error instanceof Error ? error.message : String(error)),
    );
  }, []);
  const takeFile = ([file]: readonly File[]): void => {
    if (file === undefined) return;
    void file.arrayBuffer().then(
      (bytes) => choose({ kind: 'file', bytes: new Uint8Array(bytes), name: file.name }),
      () => setFailed(t`The file could not be read.`),
    );
  };
  return (
    <div class="lf-stack lf-choose">
      {failed === '' ? null : (
        <p class="lf-lead" role="alert">
          {failed}
        </p>
      )}
      <FileDrop text={t`Inspect a file…`} label={t`Choose a file to inspect`} take={takeFile} />
      <SearchSelect
        label={t`A lorebook`}
        options={worlds.map((name) => ({ value: name, text: name }))}
        button={t`Inspect`}
        choose={(name) => choose({ kind: 'world', name })}
      />
      <SearchSelect
        label={t`A character`}
        options={listedCharacters().map(({ avatar, name }) => ({ value: avatar, text: name }))}
        button={t`Inspect`}
        choose={(avatar) => choose({ kind: 'character', avatar })}
      />
    </div>
  );
}
