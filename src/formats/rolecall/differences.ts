// What RoleCall would do with a written entry beside what SillyTavern does: measured by reading back what was written.

import type { Finding, FindingCode } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { isArray, sameJson } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ResolvedEntry, ScanSettings } from '../../core/resolved.ts';
import { searches } from '../_shared/in-force.ts';
import { characterFilterCodec } from '../_shared/lore-enums.ts';
import { CARRIED_PATHS, ROLECALL_FIELDS } from './fields.ts';
import { keyDecisions, unsupportedPart } from './keys.ts';

interface Side {
  readonly ours: boolean;
  readonly settings: ScanSettings;
}
type View = (entry: LorebookEntry, side: Side) => Json;

const scanOf = ({ scan }: LorebookEntry, { settings }: Side) => ({
  caseSensitive: scan.caseSensitive ?? settings.caseSensitive,
  matchWholeWords: scan.matchWholeWords ?? settings.matchWholeWords,
});
const secondaryOf = (entry: LorebookEntry): LorebookEntry['secondaryKeys'] =>
  searches(entry) && entry.selective ? entry.secondaryKeys : [];
const whenOn =
  (view: View): View =>
  (entry, side) =>
    entry.enabled ? view(entry, side) : null;
const whenSearching =
  (view: View): View =>
  (entry, side) =>
    searches(entry) ? view(entry, side) : null;
const inGroup = (view: View): View =>
  whenOn((entry, side) => (entry.group.name === '' ? null : view(entry, side)));

/** What counts of each field, so that a value that does nothing is no difference. */
const IN_FORCE: Readonly<Record<string, View>> = {
  title: ({ title, memo }) => [title, memo],
  content: ({ content }) => content,
  enabled: ({ enabled }) => enabled,
  constant: whenOn(({ constant }) => constant),
  keys: whenSearching((entry, side) => keyDecisions(entry.keys, scanOf(entry, side), side.ours)),
  secondaryKeys: whenSearching((entry, side) =>
    keyDecisions(secondaryOf(entry), scanOf(entry, side), side.ours),
  ),
  logic: (entry) => (secondaryOf(entry).length === 0 ? null : entry.logic),
  'scan.depth': whenSearching((entry, { settings }) => entry.scan.depth ?? settings.depth),
  'position.slot': whenOn(({ position }) => position.slot),
  'position.depth': whenOn(({ position }) => (position.slot === 'depth' ? position.depth : null)),
  'position.role': whenOn(({ position }) => (position.slot === 'depth' ? position.role : null)),
  order: whenOn(({ order }) => order),
  'timing.sticky': whenOn(({ timing }) => timing.sticky),
  'timing.cooldown': whenOn(({ timing }) => timing.cooldown),
  'timing.delay': whenOn(({ timing }) => timing.delay),
  'group.name': whenOn(({ group }) => group.name),
  'group.weight': inGroup(({ group }) => group.weight),
  'group.override': inGroup(({ group }) => group.override),
  'group.scoring': inGroup(({ group }, { settings }) => group.scoring ?? settings.useGroupScoring),
  'probability.chance': whenOn(({ probability }) => (probability.used ? probability.chance : 100)),
  'recursion.exclude': whenSearching(({ recursion }) => recursion.exclude),
  'recursion.prevent': whenOn(({ recursion }) => recursion.prevent),
  'recursion.delayUntil': whenSearching(({ recursion }) => recursion.delayUntil),
  ignoreBudget: whenOn(({ ignoreBudget }) => ignoreBudget),
  characterFilter: ({ characterFilter }) => characterFilterCodec.encode(characterFilter),
  automationId: ({ automationId }) => automationId,
  vectorized: whenSearching(({ vectorized }) => vectorized),
  triggers: whenOn(({ triggers }) => triggers),
  ...Object.fromEntries(
    (
      [
        'personaDescription',
        'characterDescription',
        'characterPersonality',
        'characterDepthPrompt',
        'scenario',
        'creatorNotes',
      ] as const
    ).map((name) => [`sources.${name}`, whenSearching(({ sources }) => sources[name])]),
  ),
};

/** Why a value is another one there. */
const REASONS: Readonly<Record<string, string>> = {
  enabled: 'RoleCall has no outlets, so the entry is switched off there; its text is kept.',
  'position.slot': 'RoleCall has no place at the author’s note; the entry stands at the depth of the note.',
  keys: 'RoleCall is said to look for the whole of a key of several words, or takes it for a condition.',
  secondaryKeys:
    'RoleCall is said to look for the whole of a key of several words, or takes it for a condition.',
  'group.name': 'An entry is in one group there; the first one was taken.',
};

/** One difference in force. */
export interface Difference {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
}

/** The fields in which an entry as RoleCall uses it differs from what SillyTavern has in force. */
export function differencesOf(
  entry: LorebookEntry,
  there: LorebookEntry,
  settings: ScanSettings,
): readonly Difference[] {
  const isOff = entry.enabled && !there.enabled;
  const isMoved = entry.position.slot !== there.position.slot;
  return Object.entries(IN_FORCE).flatMap(([path, view]) => {
    // What is switched off there has no other difference in force, and a place that is another one says it all.
    if ((isOff && !ALSO_OFF.has(path)) || (isMoved && WITH_SLOT.has(path))) return [];
    const before = view(entry, { ours: true, settings });
    const after = view(there, { ours: false, settings });
    if (sameJson(before, after)) return [];
    return isArray(before) && isArray(after) && KEY_PATHS.has(path)
      ? [{ path, before: without(before, after), after: without(after, before) }]
      : [{ path, before, after }];
  });
}

const ALSO_OFF: ReadonlySet<string> = new Set([
  'enabled',
  'title',
  'content',
  'characterFilter',
  'automationId',
]);
const WITH_SLOT: ReadonlySet<string> = new Set(['position.depth', 'position.role']);
const KEY_PATHS: ReadonlySet<string> = new Set(['keys', 'secondaryKeys']);
const without = (all: readonly Json[], others: readonly Json[]): readonly Json[] =>
  all.filter((each) => !others.includes(each));

/**
 * What is to be said of a written entry. `there`: what RoleCall uses of it; `held`: everything that the file says.
 * `dropped`: private fields that stay behind.
 */
export function entryFindings(
  { entry, source }: ResolvedEntry,
  there: LorebookEntry,
  held: LorebookEntry,
  bookId: string,
  settings: ScanSettings,
  dropped: readonly string[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const note = (code: FindingCode, path: string, before: Json, after: Json, message: string): void => {
    findings.push(finding(code, { bookId, entryId: source.id }, path, before, after, message));
  };
  for (const { path, before, after } of differencesOf(entry, there, settings)) {
    const row = ROLECALL_FIELDS.find((each) => each.path === path);
    if (dropped.includes(path)) note('lost', path, before, after, 'It was dropped because it is private.');
    else if (CARRIED_PATHS.has(path) && row?.same(entry, held) === true)
      note('stashed', path, before, after, 'RoleCall carries this along and does not use it.');
    else if (REASONS[path] !== undefined || path.startsWith('position.'))
      note('approximated', path, before, after, REASONS[path] ?? (REASONS['position.slot'] as string));
    else note('stashed', path, before, after, 'Kept aside: RoleCall has nothing like it.');
  }
  if (!there.enabled) return findings;
  if (entry.timing.delay !== null) {
    const message =
      'RoleCall is said to count the delay from the first match and not from the start of the chat.';
    note(
      'approximated',
      'timing.delay',
      `${entry.timing.delay} messages in the chat`,
      'turns after a match',
      message,
    );
  }
  if (entry.constant && entry.probability.used) {
    const message = 'RoleCall is said to roll no chance for an entry that is always on.';
    note('approximated', 'probability.chance', entry.probability.chance, 100, message);
  }
  const part = searches(there) ? unsupportedPart(there) : null;
  if (part !== null) {
    const message = `RoleCall’s patterns are said to know no ${part}, so this key may never be found.`;
    note('approximated', 'keys', part, null, message);
  }
  return findings;
}
