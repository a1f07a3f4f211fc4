// A small model of RisuAI's lore engine, written from what its own code was seen to do (460ecae2): which entries of a card
// are active in a chat. It knows the decorators that decide that; places and the budget are not its matter.

import type { JsonObject } from '../../src/core/json.ts';

interface Query {
  readonly keys: readonly string[];
  readonly isWanted: boolean;
}

interface Lore {
  readonly text: string;
  readonly isConstant: boolean;
  readonly isPattern: boolean;
  readonly queries: readonly Query[];
  readonly force: 'on' | 'off' | null;
  readonly chance: number;
  readonly after: number;
  readonly scanDepth: number;
  readonly starts: boolean;
  readonly searchesLore: boolean;
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

function loreOf(row: JsonObject, book: JsonObject): Lore {
  const lines = String(row['content']).trim().split('\n');
  const end = lines.findIndex((line) => !line.trim().startsWith('@@'));
  const decorators = (end === -1 ? lines : lines.slice(0, end)).map((line) => {
    const [, name = '', rest = ''] = /^@@(\S+)(?: (.*))?$/.exec(line.trim()) ?? [];
    return { name, args: rest.split(',').map((arg) => arg.trim()) };
  });
  const all = (name: string) => decorators.filter((each) => each.name === name);
  const number = (name: string, usual: number): number => {
    const found = all(name).at(-1)?.args[0];
    return found === undefined ? usual : Number.parseInt(found, 10);
  };
  const forced = decorators.filter(({ name }) => /^(dont_)?activate$/.test(name)).at(-1)?.name;
  const wanted = [
    listOf(row['keys']),
    ...(row['selective'] === true ? [listOf(row['secondary_keys'])] : []),
    ...all('additional_keys').map(({ args }) => args),
  ];
  return {
    text: (end === -1 ? [] : lines.slice(end)).join('\n').trim(),
    isConstant: row['constant'] === true,
    isPattern: row['use_regex'] === true && (listOf(row['keys'])[0] ?? '').startsWith('/'),
    queries: [
      ...wanted.map((keys) => ({ keys, isWanted: true })),
      ...all('exclude_keys').map(({ args }) => ({ keys: args, isWanted: false })),
    ],
    force: forced === undefined ? null : forced === 'activate' ? 'on' : 'off',
    chance: number('probability', 100),
    after: number('activate_only_after', 0),
    scanDepth: number('scan_depth', Number(book['scan_depth'])),
    starts: all('unrecursive').length === 0,
    searchesLore: all('no_recursive_search').length === 0,
  };
}

const squeezed = (text: string): string => text.toLowerCase().replaceAll(' ', '');

// Its own way to take a pattern apart: all up to the last slash, the first one included; the first key of a list is only
// tried on the oldest text.
function isFound(keys: readonly string[], texts: readonly string[], isPattern: boolean): boolean {
  if (!isPattern)
    return texts.some((text) => keys.some((key) => key !== '' && squeezed(text).includes(squeezed(key))));
  if (!keys.every((key) => key.startsWith('/'))) return false;
  return texts.some((text, at) =>
    keys.some((key, index) => {
      const [, source, flags = ''] = /^([\s\S]*)\/([a-z]*)$/.exec(key) ?? [];
      if (source === undefined || flags === '' || (index === 0 && at > 0)) return false;
      return new RegExp(source, flags).test(text);
    }),
  );
}

/** The texts of the entries that are active, given the messages after the greeting, the oldest first. */
export function activeInRisu(card: JsonObject, messages: readonly string[]): readonly string[] {
  const book = (card['data'] as JsonObject)['character_book'] as JsonObject;
  const rows = (book['entries'] as readonly JsonObject[]).filter(({ mode }) => mode !== 'folder');
  const waiting = new Set(rows.map((row) => loreOf(row, book)));
  const active: Lore[] = [];
  const fires = (lore: Lore): boolean => {
    if (lore.force !== null) return lore.force === 'on';
    if (lore.chance <= 0 || messages.length + 1 < lore.after) return false;
    if (lore.isConstant) return true;
    const { length } = messages;
    // A window longer than the chat wraps round.
    const said = lore.scanDepth === 0 ? [] : messages.slice(length - lore.scanDepth, length);
    const told = lore.searchesLore ? active.filter(({ starts }) => starts).map(({ text }) => text) : [];
    const texts = [...said, ...(book['recursive_scanning'] === true ? told : [])];
    return lore.queries.every(
      ({ keys, isWanted }) => keys.length > 0 && isFound(keys, texts, lore.isPattern) === isWanted,
    );
  };
  for (let isNew = true; isNew; ) {
    const found = [...waiting].filter(fires);
    for (const lore of found) {
      waiting.delete(lore);
      active.push(lore);
    }
    isNew = found.length > 0;
  }
  return active.map(({ text }) => text);
}
