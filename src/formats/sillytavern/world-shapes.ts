// World info in another shape than SillyTavern's own file: its entries in a list, or in the words of the TavernHelper
// extension, whose scripts hand out worldbooks.

import { isArray, isObject, type Json, type JsonObject, jsonAt } from '../../core/json.ts';

/** A world file in SillyTavern's shape, and what its shape was, as one sentence. */
export interface ShapedWorld {
  readonly world: JsonObject;
  readonly said: string;
}

/**
 * The world file that a file in another shape means; null when it is none. The list of a card's book is none either: its
 * entries say `keys` where a world file says `key`.
 */
export function shapedWorld(json: Json): ShapedWorld | null {
  if (!isObject(json)) return null;
  const { entries } = json;
  const items = isArray(entries) ? entries : isObject(entries) ? Object.values(entries) : [];
  if (items.length === 0) return null;
  if (items.every(isHelperEntry)) {
    const world = { ...json, entries: byUid(items.map(fromHelper)) };
    return { world, said: 'The entries are written in the words of TavernHelper; they were read as such.' };
  }
  if (!isArray(entries) || !items.every(isWorldEntry)) return null;
  const said = 'The entries stand in a list, which SillyTavern would not read; they were given their places.';
  return { world: { ...json, entries: byUid(items as readonly JsonObject[]) }, said };
}

const isWorldEntry = (item: Json | undefined): item is JsonObject =>
  isObject(item) && isArray(item['key']) && !Object.hasOwn(item, 'keys');

const isHelperEntry = (item: Json | undefined): item is JsonObject =>
  isObject(item) && isObject(item['strategy']) && isObject(item['position']);

// SillyTavern keys entries by uid; where those are of no use, by their place.
function byUid(items: readonly JsonObject[]): JsonObject {
  const uids = items.map(({ uid }) => uid);
  const areOwn =
    uids.every((uid) => typeof uid === 'number' && Number.isSafeInteger(uid) && uid >= 0) &&
    new Set(uids).size === uids.length;
  return Object.fromEntries(
    items.map((item, index) => {
      const uid = areOwn ? (item['uid'] as number) : index;
      return [String(uid), { ...item, uid }];
    }),
  );
}

const POSITIONS: readonly string[] = [
  'before_character_definition',
  'after_character_definition',
  'before_author_note',
  'after_author_note',
  'at_depth',
  'before_example_messages',
  'after_example_messages',
];
const LOGICS: readonly string[] = ['and_any', 'not_all', 'not_any', 'and_all'];
const ROLES: readonly string[] = ['system', 'user', 'assistant'];

const MOVED: ReadonlySet<string> = new Set([
  'name',
  'enabled',
  'strategy',
  'position',
  'recursion',
  'effect',
  'probability',
]);

// What stands in the groups beside these keys is nobody's, and kept under its path.
const NESTED: Readonly<Record<string, readonly string[]>> = {
  strategy: ['type', 'keys', 'keys_secondary', 'scan_depth'],
  'strategy.keys_secondary': ['logic', 'keys'],
  position: ['type', 'role', 'depth', 'order'],
  recursion: ['prevent_incoming', 'prevent_outgoing', 'delay_until'],
  effect: ['sticky', 'cooldown', 'delay'],
};

function unknownIn(item: JsonObject, name: string, known: readonly string[]): [string, Json][] {
  const group = jsonAt(item, name.split('.'));
  if (group === undefined || group === null) return [];
  if (!isObject(group)) return [[name, group]];
  return Object.entries(group).flatMap(([key, value]): [string, Json][] =>
    known.includes(key) || value === undefined ? [] : [[`${name}.${key}`, value]],
  );
}

const OFF: ReadonlySet<Json> = new Set<Json>([0, '0', 'false', '']);
const ON: ReadonlySet<Json> = new Set<Json>([1, '1', 'true']);

function helperOff(enabled: Json | undefined): Json {
  if (enabled === undefined || enabled === null) return false;
  if (typeof enabled === 'boolean') return !enabled;
  // The opposite, of the same wrong kind.
  return OFF.has(enabled) ? 1 : ON.has(enabled) ? 0 : enabled;
}

function fromHelper(item: JsonObject): JsonObject {
  const at = (...path: string[]): Json | undefined => jsonAt(item, path);
  const numbered = (all: readonly string[], word: Json | undefined): Json => {
    const found = all.indexOf(typeof word === 'string' ? word : '');
    return found < 0 ? (word ?? null) : found;
  };
  const listed = (value: Json | undefined): Json => (isArray(value) ? value.map(String) : []);
  const type = at('strategy', 'type');
  const secondary = listed(at('strategy', 'keys_secondary', 'keys'));
  const depth = at('strategy', 'scan_depth');
  const own = Object.entries(item).filter(([key]) => !MOVED.has(key));
  const unknown = Object.entries(NESTED).flatMap(([name, known]) => unknownIn(item, name, known));
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(unknown),
    comment: item['name'] ?? '',
    // On where nothing stands; another value is left for the flag's own reading, which knows and says what it means.
    disable: helperOff(item['enabled']),
    constant: type === 'constant',
    vectorized: type === 'vectorized',
    key: listed(at('strategy', 'keys')),
    keysecondary: secondary,
    selective: isArray(secondary) && secondary.length > 0,
    selectiveLogic: numbered(LOGICS, at('strategy', 'keys_secondary', 'logic') ?? 'and_any'),
    scanDepth: typeof depth === 'number' ? depth : null,
    position: numbered(POSITIONS, at('position', 'type')),
    depth: at('position', 'depth') ?? 4,
    role: numbered(ROLES, at('position', 'role') ?? 'system'),
    order: at('position', 'order') ?? 100,
    probability: item['probability'] ?? 100,
    useProbability: true,
    excludeRecursion: at('recursion', 'prevent_incoming') === true,
    preventRecursion: at('recursion', 'prevent_outgoing') === true,
    delayUntilRecursion: at('recursion', 'delay_until') ?? 0,
    sticky: at('effect', 'sticky') ?? null,
    cooldown: at('effect', 'cooldown') ?? null,
    delay: at('effect', 'delay') ?? null,
  };
}
