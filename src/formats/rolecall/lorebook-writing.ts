// Lorebooks in force as RoleCall's lorebook files. A book that came from such a file is that file again, and only what was
// edited since differs.

import type { Style } from '../../core/exporter.ts';
import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, NO_FIELDS } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { emptyBag } from '../../core/lorebook.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { ResolvedBook, ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { writeBookHead } from '../_shared/book-fields.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { PRIVATE_FIELDS } from '../_shared/draft-steps.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { withFields } from '../_shared/entry-table.ts';
import { writeEntry } from '../_shared/entry-writer.ts';
import { groupNames } from '../_shared/group-names.ts';
import { STASH_KEY, STASH_VERSION, stashEntry } from '../_shared/stash.ts';
import { bookMarks } from '../_shared/stashed-books.ts';
import type { WrittenLorebook, WrittenLorebooks } from '../_shared/written-lorebooks.ts';
import { bookFindings } from './book-findings.ts';
import { entryFindings } from './differences.ts';
import { READ_ROLECALL, ROLECALL_TABLE } from './fields.ts';
import { writtenKeys } from './keys.ts';
import { namedHead, SCHEMA_VERSION } from './lorebook-file.ts';
import { CARRIED, flatEntry, nestedEntry } from './nesting.ts';
import { rolecallPlace } from './placing.ts';
import { type RolecallTwin, rolecallTwin } from './twin.ts';

/** How a lorebook is written for RoleCall. */
export interface RolecallOptions {
  readonly style: Style;
  readonly privateFields: 'keep' | 'drop';
  /** The depth of SillyTavern's author's note; 4 is its default. */
  readonly noteDepth?: number;
}

/** Writes each lorebook as a file of its own. */
export function rolecallLorebooks(resolved: ResolvedCharacter, options: RolecallOptions): WrittenLorebooks {
  const findings: Finding[] = [];
  const own: OwnPart[] = [];
  const lorebooks = resolved.books.map((book): WrittenLorebook => {
    const { id, name } = book.lorebook;
    const twin = rolecallTwin(book.lorebook);
    const json = twin?.file ?? written(book, resolved, options, twin, findings);
    if (twin !== null)
      own.push(...twin.ownParts(book.entries.map((each) => [each.source, nearest(each, options)])));
    return { bookId: id, name: name.trim() === '' ? 'Lorebook' : name, json };
  });
  return { lorebooks, findings, own };
}

function written(
  book: ResolvedBook,
  resolved: ResolvedCharacter,
  options: RolecallOptions,
  twin: RolecallTwin | null,
  findings: Finding[],
): JsonObject {
  const { body } = book.lorebook;
  const entries = book.entries.map((each, at): Json => {
    const own = twin?.entryOf(each.source, nearest(each, options)) ?? null;
    if (own !== null) {
      const said =
        own.edited.length === 0 ? [] : measured(each, own.raw, book.lorebook.id, resolved, options);
      for (const one of said) if (own.edited.includes(one.path)) findings.push(one);
      return own.raw;
    }
    return newEntry(each, at, book.lorebook.id, resolved, options, findings);
  });
  if (twin !== null) {
    const lorebook = isObject(twin.raw['lorebook']) ? twin.raw['lorebook'] : NO_FIELDS;
    return { ...twin.raw, lorebook: { ...lorebook, ...twin.headOf(body), entries } };
  }
  const { settings } = resolved;
  const head: JsonObject = {
    name: body.name === '' ? book.lorebook.name : body.name,
    description: body.description === '' ? null : body.description,
    settings: {
      lorebookType: 'character',
      globalCaseSensitive: settings.caseSensitive,
      globalMatchWholeWords: settings.matchWholeWords,
      globalScanDepth: settings.depth,
      globalRecursion: settings.recursive && settings.maxRecursionSteps !== 1,
      tokenBudget: settings.budgetCap,
    },
    metadata: { genre: null, fandom: null, tags: [] },
  };
  for (const each of bookFindings(book, resolved, head)) findings.push(each);
  const kept = { ...writeBookHead(body, CHARACTER_BOOK), name: book.lorebook.name };
  const stash = { v: STASH_VERSION, in: 'rolecall', kept, shown: bookMarks(namedHead(head)) };
  return {
    schemaVersion: SCHEMA_VERSION,
    exportDate: NO_DATE,
    lorebook: { ...head, entries, [STASH_KEY]: stash },
  };
}

// The same lorebook is the same file, whenever it is written.
const NO_DATE = '1970-01-01T00:00:00.000Z';

/** Keys that every entry there has and that nothing here decides. */
const DEFAULTS: JsonObject = Object.freeze({ 'triggers.mode': 'simple', 'advanced.useMemo': false });

function newEntry(
  each: ResolvedEntry,
  at: number,
  bookId: string,
  resolved: ResolvedCharacter,
  options: RolecallOptions,
  findings: Finding[],
): JsonObject {
  const { source } = each;
  const draft = nearest(each, options);
  const flat = writeEntry(
    ROLECALL_TABLE,
    { ...draft, displayIndex: draft.displayIndex ?? at },
    { id: source.id },
    DEFAULTS,
    READ_ROLECALL,
  );
  const { extensions: _none, ...bare } = flat;
  const held = read(bare, source.id);
  const dropped = options.privateFields === 'drop' ? PRIVATE_FIELDS : [];
  const said = measured(each, nestedEntry(bare), bookId, resolved, options);
  for (const one of [...said, ...bagFindings(source, bookId)]) findings.push(one);
  const inForce = { ...held, scan: { ...held.scan } };
  const { caseSensitive, matchWholeWords } = resolved.settings;
  inForce.scan.caseSensitive ??= caseSensitive;
  inForce.scan.matchWholeWords ??= matchWholeWords;
  const stash = stashEntry(source, inForce, { book: 0, at, id: source.id }, dropped);
  return nestedEntry({ ...bare, [`${CARRIED}.${STASH_KEY}`]: stash });
}

// What was written is read back, once as the file says it and once as RoleCall uses it.
function measured(
  each: ResolvedEntry,
  raw: JsonObject,
  bookId: string,
  { settings }: ResolvedCharacter,
  { privateFields }: RolecallOptions,
): readonly Finding[] {
  const { [CARRIED]: _carried, ...used } = raw;
  const { id } = each.source;
  const dropped = privateFields === 'drop' ? PRIVATE_FIELDS : [];
  const [there, held] = [read(flatEntry(used), id), read(flatEntry(raw), id)];
  return entryFindings(each, there, held, bookId, settings, dropped);
}

const read = (flat: JsonObject, id: string): LorebookEntry =>
  readEntry(ROLECALL_TABLE, flat, id, READ_ROLECALL, () => undefined);

/** The nearest that RoleCall can say of an entry in force. Where SillyTavern takes its own setting, so does the file. */
function nearest({ source, entry }: ResolvedEntry, options: RolecallOptions): LorebookEntry {
  const draft = withFields(entry, entry, []);
  const isPrivate = options.privateFields === 'drop';
  const { caseSensitive, matchWholeWords } = entry.scan;
  const scan = { caseSensitive: caseSensitive === true, matchWholeWords: matchWholeWords === true };
  const isOutlet = entry.position.slot === 'outlet';
  const place = rolecallPlace(entry.position, { noteDepth: options.noteDepth ?? 4 });
  return {
    ...draft,
    bag: emptyBag(ROLECALL_TABLE.dialect),
    keys: writtenKeys(entry.keys, scan, options.style),
    secondaryKeys: entry.selective ? writtenKeys(entry.secondaryKeys, scan, options.style) : [],
    enabled: entry.enabled && !isOutlet,
    position: isOutlet ? { ...place, slot: 'character' } : place,
    scan: {
      depth: source.scan.depth === null ? null : entry.scan.depth,
      caseSensitive: source.scan.caseSensitive,
      matchWholeWords: source.scan.matchWholeWords,
    },
    group: { ...entry.group, name: groupNames(entry)[0] ?? '', scoring: source.group.scoring },
    characterFilter: isPrivate ? null : entry.characterFilter,
    automationId: isPrivate ? '' : entry.automationId,
  };
}

function bagFindings({ id, bag }: LorebookEntry, bookId: string): readonly Finding[] {
  const held: readonly (readonly [string, Json | undefined])[] = [
    ...Object.entries(bag.entry).filter(([key]) => key !== 'addMemo'),
    ...Object.entries(bag.extensions).map(([key, value]) => [`extensions.${key}`, value] as const),
  ];
  return held
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) =>
      finding(
        'stashed',
        { bookId, entryId: id },
        key,
        value,
        null,
        'Kept aside: nobody there knows this field.',
      ),
    );
}
