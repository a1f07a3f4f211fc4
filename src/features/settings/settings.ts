// The user's choices, kept in SillyTavern's extension settings under our own key.

import * as z from 'zod/mini';
import { context } from '../../host/context.ts';

/** What happens when a card brings a lorebook. */
export const WHEN_BOOK = ['extract', 'ask', 'leave'] as const;
/** One of them. */
export type WhenBook = (typeof WHEN_BOOK)[number];

const KEY = 'loreferry';
const VERSION = 1;

const Settings = z.object({
  version: z._default(z.number(), VERSION),
  whenBook: z.catch(z.enum(WHEN_BOOK), 'extract'),
  /** Avatars of characters that are to be left alone. */
  leaveAlone: z.catch(z.array(z.string()), []),
  /** By avatar: the fingerprint of the newer book that the user did not want. */
  kept: z.catch(z.record(z.string(), z.string()), {}),
  /** Renamed characters, so that old steps of the journal find them. */
  renamed: z.catch(z.record(z.string(), z.object({ to: z.string(), at: z.number() })), {}),
  /** Whether it was already said that additional books do not travel with a card. */
  toldOfExtraBooks: z.catch(z.boolean(), false),
});

/** All choices. */
export type Settings = z.infer<typeof Settings>;

/** The choices as they are now; defaults where nothing, or nothing usable, is stored. */
export function settings(): Settings {
  const stored: unknown = context().extensionSettings?.[KEY];
  const parsed = z.safeParse(Settings, stored ?? {});
  return parsed.success ? parsed.data : z.parse(Settings, {});
}

/** Changes some choices and lets SillyTavern save them. */
export function changeSettings(change: Partial<Settings>): void {
  const { extensionSettings, saveSettingsDebounced } = context();
  if (!extensionSettings) return;
  (extensionSettings as Record<string, unknown>)[KEY] = { ...settings(), ...change };
  saveSettingsDebounced?.();
}

/**
 * The avatar file that a character has now, which had this one at a moment (ms since 1970). A renaming from before
 * that moment is another character's: its file name has been taken again.
 */
export function currentAvatar(avatar: string, at: number): string {
  const { renamed } = settings();
  let now = avatar;
  let since = at;
  for (let steps = 0; steps < 20; steps++) {
    const next = renamed[now];
    if (next === undefined || next.at < since) return now;
    now = next.to;
    since = next.at;
  }
  return now;
}

/** Lets choices follow a renamed character. */
export function followRename(before: string, after: string): void {
  const { leaveAlone, kept, renamed } = settings();
  const { [before]: fingerprint, ...rest } = kept;
  changeSettings({
    leaveAlone: leaveAlone.map((avatar) => (avatar === before ? after : avatar)),
    kept: fingerprint === undefined ? rest : { ...rest, [after]: fingerprint },
    renamed: { ...renamed, [before]: { to: after, at: Date.now() } },
  });
}

/** Lets choices follow a duplicated character. */
export function followDuplicate(original: string, copy: string): void {
  const { leaveAlone, kept } = settings();
  const fingerprint = kept[original];
  changeSettings({
    leaveAlone: leaveAlone.includes(original) ? [...leaveAlone, copy] : leaveAlone,
    kept: fingerprint === undefined ? kept : { ...kept, [copy]: fingerprint },
  });
}
