// What an entry of Marinara's says beside its fields, and what it leaves unsaid. For every form in which the app holds
// entries (Marinara Engine 2.3.3).

import type { Note } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isObject, sameJson } from '../../../core/json.ts';
import type { EntryDraft } from '../../../core/lorebook.ts';
import { noteGroup, switchOffUnsaid } from '../app-codecs.ts';
import type { EntrySource } from '../entry-field.ts';
import { noteTopLines } from '../top-lines.ts';
import { isOurs } from '../unheeded-settings.ts';
import { noteWholeWords } from '../whole-words.ts';

/** Completes an entry after its fields were read. */
export function completeMarinara({ entry, extensions, note }: EntrySource, draft: EntryDraft): void {
  switchOffUnsaid(extensions, draft);
  // The one that is on where it is absent.
  if ((entry['preventRecursion'] ?? null) === null && !Object.hasOwn(extensions, 'prevent_recursion'))
    draft.recursion = { ...draft.recursion, prevent: true };
  noteTopLines(draft.content, note);
  noteGroup(draft, note);
  noteAside(entry, note);
  if (draft.recursion.delayUntil > 0 && draft.enabled && !draft.constant) {
    const message =
      'The passes that it waits for search only the text of other entries there, and the chat too in SillyTavern.';
    note('approximated', 'recursion.delayUntil', true, draft.recursion.delayUntil, message);
  }
}

interface Aside {
  readonly name: string;
  /** The value that means nothing. */
  readonly nothing: Json;
  /** A switch that must not say "any". */
  readonly mode?: string;
  /** What is lost by not having it. */
  readonly what: string;
}

/** What only Marinara has. */
const ASIDE: readonly Aside[] = [
  {
    name: 'characterFilterIds',
    nothing: [],
    mode: 'characterFilterMode',
    what: 'characters that it is for or not for, by ids of another installation',
  },
  {
    name: 'characterTagFilters',
    nothing: [],
    mode: 'characterTagFilterMode',
    what: "tags of characters that it is for or not for, by names; SillyTavern's are ids",
  },
  { name: 'activationConditions', nothing: [], what: 'conditions of a game' },
  { name: 'schedule', nothing: null, what: 'a schedule' },
  { name: 'ephemeral', nothing: 0, what: 'a number of times after which it ends' },
];

function noteAside(entry: JsonObject, note: Note): void {
  for (const { name, nothing, mode, what } of ASIDE) {
    const value = entry[name];
    if (value === undefined || value === null || sameJson(value, nothing)) continue;
    const isMeant = mode === undefined || entry[mode] === 'include' || entry[mode] === 'exclude';
    const message = `The entry has ${what}: SillyTavern cannot say that, it is kept aside.`;
    if (isMeant) note('stashed', name, value, null, message);
  }
}

/** What the app gives to every entry and means nothing: a value, or any. */
const DEFAULTS: Readonly<Record<string, Json>> = Object.assign(Object.create(null) as Record<string, Json>, {
  description: '',
  tag: '',
  locked: false,
  ephemeral: null,
  folderId: null,
  relationships: {},
  dynamicState: {},
  activationConditions: [],
  schedule: null,
  characterFilterMode: 'any',
  characterFilterIds: [],
  characterTagFilterMode: 'any',
  characterTagFilters: [],
});
const OF_ITS_DATA = ['lorebookId', 'embedding', 'createdAt', 'updatedAt'];

/** Whether a field beside the table's says nothing of an entry: it is not carried along. */
export function isIdleInMarinara(key: string, value: Json | undefined, entry: JsonObject): boolean {
  if (OF_ITS_DATA.includes(key)) return true;
  // Written twice in a card.
  if (key === 'priority') return value === entry['insertion_order'];
  if (key === 'excludeFromVectorization') return value === (entry['vectorized'] === false);
  const idle = DEFAULTS[key];
  return idle !== undefined && value !== undefined && sameJson(value, idle);
}

// Several words are found anywhere in SillyTavern, and a letter beyond ASCII ends a word there.
const isFoundAlike = (key: string): boolean => !/\s|[^\x20-\x7e]/.test(key.trim());

/** What is to be said of a book as a whole, by its raw entries. */
export function noteMarinaraBook(items: readonly Json[], note: Note): void {
  const lists = items.filter(isObject).flatMap((item): readonly (readonly Json[])[] => {
    const isWhole = (item['matchWholeWords'] ?? item['match_whole_words']) === true;
    const isAsked = isWhole && item['useRegex'] !== true && item['constant'] !== true && !isOurs(item);
    return isAsked
      ? [['keys', 'key', 'secondary_keys', 'secondaryKeys', 'keysecondary'].flatMap(textsAt(item))]
      : [];
  });
  const why =
    'SillyTavern finds several words anywhere, and takes a letter beyond ASCII for the end of a word.';
  noteWholeWords(lists, isFoundAlike, why, note);
}

const textsAt =
  (item: JsonObject) =>
  (name: string): readonly Json[] => {
    const held = item[name];
    return Array.isArray(held) ? (held as readonly Json[]) : [];
  };
