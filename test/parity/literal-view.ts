// A character resolved word for word: settings are folded in and macros replaced, but nothing is decided ahead. What
// the real resolver decides must come out the same when this view is run over a chat.

import { literalKey, readKey, writeKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../src/core/resolved.ts';
import { readDecorators } from '../../src/formats/sillytavern/decorators.ts';
import type { ResolveInput } from '../../src/formats/sillytavern/resolve.ts';
import { expandNames } from '../../src/formats/sillytavern/resolve-macros.ts';

/** The view in which every decision is left to the chat. */
export function literalView(input: ResolveInput, resolved: ResolvedCharacter): ResolvedCharacter {
  const books = resolved.books.map((book) => ({
    ...book,
    entries: book.lorebook.body.entries.map((entry) => literalEntry(entry, input)),
  }));
  return { ...resolved, books };
}

function literalEntry(source: LorebookEntry, input: ResolveInput): ResolvedEntry {
  const { settings, character, userName } = input;
  const { activate, dontActivate, content } = readDecorators(source.content);
  const keys = (list: LorebookEntry['keys']): LorebookEntry['keys'] =>
    list.map((key) => {
      const text = expandNames(writeKey(key), character.name, userName);
      return text.trim() === '' ? literalKey(text) : readKey(text.trim()).key;
    });
  const rolls = source.probability.used && source.probability.chance < 100;
  const isOff = !source.enabled || !isFor(source, input) || (dontActivate && !activate);
  const constant = source.constant || activate;
  const entry: LorebookEntry = {
    ...source,
    keys: keys(source.keys),
    secondaryKeys: keys(source.secondaryKeys),
    content,
    constant,
    scan: {
      depth: source.scan.depth ?? settings.depth,
      caseSensitive: source.scan.caseSensitive ?? settings.caseSensitive,
      matchWholeWords: source.scan.matchWholeWords ?? settings.matchWholeWords,
    },
    group: { ...source.group, scoring: source.group.scoring ?? settings.useGroupScoring },
  };
  const fires = isOff || (rolls && source.probability.chance <= 0) ? 'never' : constant ? 'always' : 'keys';
  return { source, entry, fires, reason: null, blocksGroup: !isOff && rolls };
}

function isFor({ characterFilter: filter }: LorebookEntry, { avatar, tagIds }: ResolveInput): boolean {
  if (filter === null) return true;
  const name = avatar.slice(0, avatar.lastIndexOf('.'));
  const named = filter.names.length === 0 || filter.names.includes(name) !== filter.exclude;
  const tagged =
    filter.tags.length === 0 || filter.tags.some((tag) => tagIds?.includes(tag)) !== filter.exclude;
  return named && tagged;
}
