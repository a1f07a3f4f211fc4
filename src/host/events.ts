// SillyTavern's events. Their names differ between versions, and its emitter awaits every listener.

import { context, warn } from './context.ts';

/** Events that we listen to, by their key in `eventTypes` (public/scripts/events.js). */
export type HostEvent =
  | 'APP_READY'
  | 'CHAT_CHANGED'
  | 'CHARACTER_EDITED'
  | 'CHARACTER_EDITOR_OPENED'
  | 'CHARACTER_RENAMED'
  | 'CHARACTER_DUPLICATED'
  | 'CHARACTER_DELETED'
  | 'CHARACTER_MANAGEMENT_DROPDOWN'
  | 'WORLDINFO_UPDATED'
  | 'WORLDINFO_SETTINGS_UPDATED'
  | 'SETTINGS_UPDATED';

/** Whether this client knows an event. */
export function knowsEvent(event: HostEvent): boolean {
  const { eventSource, eventTypes } = context();
  return eventSource !== undefined && eventTypes?.[event] !== undefined;
}

/**
 * Listens to an event. What the listener throws ends in one warning, and SillyTavern does not wait for it.
 *
 * @param event the event; one that this client does not know is never heard
 * @param listener gets the arguments as they come: check them
 * @returns a function that stops listening
 */
export function onEvent(event: HostEvent, listener: (...args: readonly unknown[]) => unknown): () => void {
  const { eventSource, eventTypes } = context();
  const type = eventTypes?.[event];
  // Listening to undefined makes the emitter print a trace.
  if (!eventSource || type === undefined) return () => {};
  const guarded = (...args: unknown[]): void => {
    // Nothing is returned: the emitter awaits what listeners return, and would hold up everyone else.
    void (async () => listener(...args))().catch((error) => warn(`Failed at ${event}.`, error));
  };
  eventSource.on(type, guarded);
  return () => eventSource.removeListener(type, guarded);
}

/** Hears that a character's file got another name; SillyTavern has moved its additional books by then. */
export function onCharacterRenamed(listener: (oldAvatar: string, newAvatar: string) => unknown): () => void {
  return onEvent('CHARACTER_RENAMED', (oldAvatar, newAvatar) =>
    typeof oldAvatar === 'string' && typeof newAvatar === 'string'
      ? listener(oldAvatar, newAvatar)
      : undefined,
  );
}

/** Hears that a character was duplicated: the copy has the link, but not the additional books. */
export function onCharacterDuplicated(
  listener: (oldAvatar: string, newAvatar: string) => unknown,
): () => void {
  return onEvent('CHARACTER_DUPLICATED', (event) => {
    const { oldAvatar, newAvatar } = (event ?? {}) as { oldAvatar?: unknown; newAvatar?: unknown };
    return typeof oldAvatar === 'string' && typeof newAvatar === 'string'
      ? listener(oldAvatar, newAvatar)
      : undefined;
  });
}

/** Hears that a character was deleted. */
export function onCharacterDeleted(listener: (avatar: string) => unknown): () => void {
  return onEvent('CHARACTER_DELETED', (event) => {
    const avatar = (event as { character?: { avatar?: unknown } } | undefined)?.character?.avatar;
    return typeof avatar === 'string' ? listener(avatar) : undefined;
  });
}
