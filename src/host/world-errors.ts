// What can go wrong with a world file, each as one sentence for a person.

import { t } from './context.ts';

/** The file is not in the state that the plan was made for: plan again. */
export class WorldChangedError extends Error {
  readonly world: string;
  readonly reason: 'exists' | 'gone' | 'changed';

  constructor(world: string, reason: WorldChangedError['reason']) {
    super(
      reason === 'exists'
        ? t`A lorebook named “${world}” exists already.`
        : reason === 'gone'
          ? t`The lorebook “${world}” is gone.`
          : t`The lorebook “${world}” was changed in the meantime.`,
    );
    this.name = 'WorldChangedError';
    this.world = world;
    this.reason = reason;
  }
}

/** The file was written, but what then stood in it was not what was sent; it has been put back as it was. */
export class WorldWriteError extends Error {
  readonly world: string;
  readonly sentEntries: number;
  readonly foundEntries: number;

  constructor(world: string, sentEntries: number, foundEntries: number) {
    super(
      sentEntries === foundEntries
        ? t`The lorebook “${world}” reads back differently from what was written.`
        : t`The lorebook “${world}” reads back with ${foundEntries} of ${sentEntries} entries.`,
    );
    this.name = 'WorldWriteError';
    this.world = world;
    this.sentEntries = sentEntries;
    this.foundEntries = foundEntries;
  }
}
