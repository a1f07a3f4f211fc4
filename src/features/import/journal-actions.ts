// What an import, or a plan of the panel, changed, in the form in which the journal keeps it: enough to take each change back.

import type { JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import type { JournalAction } from '../../host/journal.ts';

/** One change. */
export type ImportAction =
  /** A world file that was not there before. `hash`: what it held when we left it. */
  | { readonly kind: 'world-created'; readonly name: string; readonly hash: string }
  /** A world file that was written over, with what it held before. */
  | {
      readonly kind: 'world-replaced';
      readonly name: string;
      readonly hash: string;
      readonly before: JsonObject;
    }
  /** A world file that SillyTavern deleted to make room for one that is imported. */
  | { readonly kind: 'world-deleted'; readonly name: string; readonly before: JsonObject }
  /** A character's link; "" is none. */
  | { readonly kind: 'link'; readonly avatar: string; readonly before: string; readonly after: string }
  /** A character's additional books. */
  | {
      readonly kind: 'extra-books';
      readonly avatar: string;
      readonly before: readonly string[];
      readonly after: readonly string[];
    }
  /** The book in a slot of a card, null for none. `hash`: `cardBookHash` of what we left there. */
  | {
      readonly kind: 'card-book';
      readonly avatar: string;
      readonly slot: string;
      readonly hash: string;
      readonly before: JsonObject | null;
    }
  /** Whether a character is left alone. */
  | { readonly kind: 'leave-alone'; readonly avatar: string; readonly after: boolean }
  /** A newer book that came with a card and was not taken: SillyTavern will write over it in the card. */
  | {
      readonly kind: 'set-aside';
      readonly avatar: string;
      readonly name: string;
      readonly slot: string;
      readonly raw: JsonObject;
    };

/** An action as the journal takes it. */
export function toJournal(action: ImportAction): JournalAction {
  return action as unknown as JournalAction;
}

const text = (object: JsonObject, key: string): string | null =>
  typeof object[key] === 'string' ? (object[key] as string) : null;
const texts = (object: JsonObject, key: string): readonly string[] | null => {
  const value = object[key];
  return isArray(value) && value.every((item) => typeof item === 'string')
    ? (value as readonly string[])
    : null;
};

/** An action read back from the journal, or null when it is none of ours. */
export function fromJournal(action: JsonObject): ImportAction | null {
  const [kind, name, hash, avatar, slot] = (['kind', 'name', 'hash', 'avatar', 'slot'] as const).map((key) =>
    text(action, key),
  );
  const { before, after, raw } = action;
  if (kind === 'world-created' && name != null && hash != null) return { kind, name, hash };
  if (kind === 'world-replaced' && name != null && hash != null && isObject(before))
    return { kind, name, hash, before };
  if (kind === 'world-deleted' && name != null && isObject(before)) return { kind, name, before };
  if (kind === 'link' && avatar != null && typeof before === 'string' && typeof after === 'string') {
    return { kind, avatar, before, after };
  }
  if (kind === 'extra-books' && avatar != null) {
    const [from, to] = [texts(action, 'before'), texts(action, 'after')];
    return from === null || to === null ? null : { kind, avatar, before: from, after: to };
  }
  if (kind === 'card-book' && avatar != null && slot != null && hash != null) {
    return before === null || isObject(before) ? { kind, avatar, slot, hash, before } : null;
  }
  if (kind === 'leave-alone' && avatar != null && typeof after === 'boolean') return { kind, avatar, after };
  if (kind === 'set-aside' && avatar != null && name != null && slot != null && isObject(raw)) {
    return { kind, avatar, name, slot, raw };
  }
  return null;
}
