// What a panel is opened on, and how that is read.

import { listWorlds } from '../../host/world-store.ts';
import { loadCharacterSubject } from './load-character.ts';
import { fileSubject } from './load-file.ts';
import { loadWorldSubject } from './load-world.ts';
import type { Subject } from './subject.ts';
import { surroundingsOf } from './surroundings.ts';

/** What a panel is opened on. `choose`: a person is asked first. */
export type PanelSource =
  | { readonly kind: 'character'; readonly avatar: string }
  | { readonly kind: 'world'; readonly name: string }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly name: string }
  | { readonly kind: 'choose' };

/**
 * Reads the subject of a panel. Nothing is written.
 * @throws an Error with one sentence when it cannot be read
 */
export async function readSource(source: Exclude<PanelSource, { kind: 'choose' }>): Promise<Subject> {
  switch (source.kind) {
    case 'character':
      return loadCharacterSubject(source.avatar);
    case 'world':
      return loadWorldSubject(source.name);
    case 'file': {
      // A file can be read while the server does not answer.
      const [surroundings, worlds] = await Promise.all([surroundingsOf(null), listWorlds().catch(() => [])]);
      return fileSubject(source.bytes, source.name, {
        surroundings,
        worldNames: worlds.map(({ name }) => name),
      });
    }
  }
}
