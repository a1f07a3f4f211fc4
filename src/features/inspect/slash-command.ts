// `/lore-inspect [name]`: the panel for whoever types it or scripts it.

import { panelAvatar } from '../../host/character-form.ts';
import { listedCharacters, openCharacter } from '../../host/character-list.ts';
import { t } from '../../host/context.ts';
import { notify, notifyError } from '../../host/notices.ts';
import { addSlashCommand } from '../../host/slash-commands.ts';
import { openInEditor } from '../../host/world-editor.ts';
import { foldName } from '../../host/world-name.ts';
import { listWorlds } from '../../host/world-store.ts';
import type { PanelSource } from './panel-source.ts';

/**
 * Adds the command.
 * @param open opens the panel
 * @returns a function that takes it away
 */
export function addInspectCommand(open: (source: PanelSource) => void): () => void {
  return addSlashCommand({
    name: 'lore-inspect',
    help: t`Opens Loreferry's panel for a character or a lorebook. Without a name: the character of this chat, else the lorebook that is open in the editor.`,
    argument: t`name of a character or a lorebook`,
    run: (name) => {
      void sourceNamed(name).then(
        (source) =>
          source === null
            ? notify({ kind: 'warning', title: t`No character and no lorebook is called “${name}”.` })
            : open(source),
        (error) => notifyError(t`The panel could not be opened`, error),
      );
    },
  });
}

/** What stands open now: the character of the chat or of the panel, else the world of the editor, else a question. */
export function currentSource(): PanelSource {
  const avatar = openCharacter() ?? panelAvatar();
  if (avatar !== undefined) return { kind: 'character', avatar };
  const name = openInEditor();
  return name === undefined ? { kind: 'choose' } : { kind: 'world', name };
}

/**
 * What a name means: an avatar file, else a character's name, else a world's. Where several characters share the name
 * the one that is open is meant, else a person chooses.
 * @returns null when nothing is called so
 */
export async function sourceNamed(name: string): Promise<PanelSource | null> {
  if (name === '') return currentSource();
  const characters = listedCharacters();
  const byFile = characters.find(({ avatar }) => avatar === name);
  const named = byFile ? [byFile] : characters.filter((each) => foldName(each.name) === foldName(name));
  const current = openCharacter();
  const meant = named.find(({ avatar }) => avatar === current) ?? (named.length === 1 ? named[0] : undefined);
  if (meant !== undefined) return { kind: 'character', avatar: meant.avatar };
  if (named.length > 1) return { kind: 'choose' };
  const worlds = (await listWorlds()).map((world) => world.name);
  const world =
    worlds.find((each) => each === name) ?? worlds.find((each) => foldName(each) === foldName(name));
  return world === undefined ? null : { kind: 'world', name: world };
}
