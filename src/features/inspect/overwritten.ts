// What SillyTavern will do to a card's copy of a lorebook after we wrote it.

import { STANDARD_SLOT } from '../../host/card-book.ts';
import { readCharacter } from '../../host/character-store.ts';
import { t } from '../../host/context.ts';
import { listWorlds } from '../../host/world-store.ts';
import type { ChangePlan } from './change-plan.ts';

/**
 * Sentences about copies that do not stay: at every save of a linked character SillyTavern converts the linked world
 * file into `data.character_book` (see `src/host/card-book.ts`). A link that leads nowhere writes nothing.
 */
export async function overwrittenCopies(plan: ChangePlan): Promise<readonly string[]> {
  const avatars = plan.changes.flatMap((change) =>
    change.kind === 'card-book' && change.slot === STANDARD_SLOT ? [change.avatar] : [],
  );
  if (avatars.length === 0) return [];
  const worlds = (await listWorlds()).map(({ name }) => name);
  const lines: string[] = [];
  for (const avatar of new Set(avatars)) {
    const { name, world } = await readCharacter(avatar);
    const link = plan.changes.find((change) => change.kind === 'link' && change.avatar === avatar);
    const linked = link?.kind === 'link' ? link.after : world;
    if (worlds.includes(linked))
      lines.push(
        t`${name} is linked to “${linked}”: SillyTavern writes that lorebook over the card's copy whenever it saves the character.`,
      );
  }
  return lines;
}
