// Plans that change which lorebooks a character has. They change links only; no lorebook and no card text.

import { readCharacter } from '../../host/character-store.ts';
import { t } from '../../host/context.ts';
import { extraBooks } from '../../host/world-links.ts';
import type { ChangePlan } from './change-plan.ts';

/** What a character is linked to now, read when a plan is made. */
export interface LinkState {
  readonly avatar: string;
  readonly name: string;
  /** The main lorebook, "" for none. */
  readonly linked: string;
  readonly linkExists: boolean;
  readonly additional: readonly string[];
}

/**
 * Reads a character's links.
 * @param worldNames the worlds there are
 * @throws the host's errors, one sentence each
 */
export async function linkStateOf(avatar: string, worldNames: readonly string[]): Promise<LinkState> {
  const [{ name, world }, additional] = await Promise.all([readCharacter(avatar), extraBooks(avatar)]);
  return { avatar, name, linked: world, linkExists: worldNames.includes(world), additional };
}

/** Links a world as the main lorebook of a character; one that was additional before is no longer that. */
export function linkPlan(world: string, state: LinkState): ChangePlan {
  const { avatar, name, linked, linkExists, additional } = state;
  const rest = additional.filter((each) => each !== world);
  const isAdditional = rest.length < additional.length;
  const replaced = linkExists
    ? t`It replaces “${linked}”, which stays as a file.`
    : t`The link to “${linked}”, which does not exist, goes away.`;
  return {
    title: t`Link “${world}” to ${name}`,
    lines: [
      t`“${world}” becomes the main lorebook of ${name}.`,
      ...(linked === '' ? [] : [replaced]),
      ...(isAdditional ? [t`It is no additional lorebook of ${name} any more.`] : []),
      // charaFormatData (characters.js): the world file is converted into the card at each save.
      t`At its next save of ${name}, SillyTavern writes “${world}” over the lorebook in the card.`,
    ],
    button: t`Link it`,
    difference: null,
    changes: [
      { kind: 'link', avatar, before: linked, after: world },
      ...(isAdditional ? [{ kind: 'extra-books' as const, avatar, before: additional, after: rest }] : []),
    ],
  };
}

/** Takes the main lorebook of a character away. */
export function unlinkPlan({ avatar, name, linked }: LinkState): ChangePlan {
  return {
    title: t`Unlink “${linked}” from ${name}`,
    lines: [
      t`${name} has no main lorebook then. “${linked}” stays as a file.`,
      t`A copy in the card stays there; SillyTavern does not use it.`,
    ],
    button: t`Unlink`,
    difference: null,
    changes: [{ kind: 'link', avatar, before: linked, after: '' }],
  };
}

/** Adds a world to the additional lorebooks of a character. */
export function addPlan(world: string, { avatar, name, linked, additional }: LinkState): ChangePlan {
  return {
    title: t`Add “${world}” to ${name}`,
    lines: [
      t`“${world}” becomes an additional lorebook of ${name}.`,
      ...(linked === world
        ? [t`It is the main lorebook of ${name} already; SillyTavern counts it once.`]
        : []),
      t`Additional lorebooks are SillyTavern's settings: they do not travel with the card.`,
    ],
    button: t`Add it`,
    difference: null,
    changes: [
      { kind: 'extra-books', avatar, before: additional, after: [...new Set([...additional, world])] },
    ],
  };
}

/** Takes a world out of the additional lorebooks of a character. */
export function removePlan(world: string, { avatar, name, additional }: LinkState): ChangePlan {
  return {
    title: t`Remove “${world}” from ${name}`,
    lines: [t`“${world}” is no additional lorebook of ${name} any more. It stays as a file.`],
    button: t`Remove`,
    difference: null,
    changes: [
      {
        kind: 'extra-books',
        avatar,
        before: additional,
        after: additional.filter((each) => each !== world),
      },
    ],
  };
}

/** Leaves a character alone at its next import, or watches it again. */
export function leaveAlonePlan(avatar: string, name: string, isLeft: boolean): ChangePlan {
  return {
    title: isLeft ? t`Leave ${name} alone` : t`Watch ${name} again`,
    lines: [
      isLeft
        ? t`When ${name} is imported again, its lorebook stays in the card. Nothing is changed now.`
        : t`When ${name} is imported again, its lorebook is handled as your settings say.`,
    ],
    button: isLeft ? t`Leave alone` : t`Watch again`,
    difference: null,
    changes: [{ kind: 'leave-alone', avatar, after: isLeft }],
  };
}
