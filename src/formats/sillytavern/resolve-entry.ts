// One entry in force: the user's settings folded in, and decided what can be decided without a chat (SillyTavern
// 1.19, checkWorldInfo; what waits for other entries is judged in resolve.ts).

import type { LorebookEntry } from '../../core/lorebook.ts';
import type { Fires, ResolvedEntry } from '../../core/resolved.ts';
import { groupNames } from '../_shared/group-names.ts';
import { readDecorators } from './decorators.ts';
import type { FilteredCharacter } from './resolve-filter.ts';
import { filterVerdict, waitsForUnknownTrigger } from './resolve-filter.ts';
import type { KeyVerdict, Surroundings } from './resolve-keys.ts';
import { judgeKey, searchedTexts } from './resolve-keys.ts';
import type { KeyDecision } from './resolve-logic.ts';
import { decideByKeys } from './resolve-logic.ts';
import { expandMacros, type MacroValues } from './resolve-macros.ts';

/** SillyTavern searches at most this many messages (1.19, MAX_SCAN_DEPTH). */
const MAX_DEPTH = 1000;

/** What an entry is resolved in. */
export interface EntryContext extends Surroundings {
  readonly character: FilteredCharacter;
  /** Values for contents, in which names stay macros. */
  readonly contentValues: MacroValues;
  /** Groups whose keys are counted; keys of their entries are not rewritten. */
  readonly scored: ReadonlySet<string>;
}

/** What was left open in an entry, though another chat or card may read it differently. */
export interface OpenMatters {
  /** Keys with macros that only a running chat can replace. */
  readonly openMacros: boolean;
  /** The character filter asks for tags that are not known. */
  readonly unknownTags: boolean;
}

/** A resolved entry with what was left open. */
export interface ResolvedOne {
  readonly resolved: ResolvedEntry;
  readonly open: OpenMatters;
}

interface Firing {
  readonly fires: Fires;
  readonly reason: string | null;
}

const NO_SOURCES: LorebookEntry['sources'] = Object.freeze({
  personaDescription: false,
  characterDescription: false,
  characterPersonality: false,
  characterDepthPrompt: false,
  scenario: false,
  creatorNotes: false,
});

/** Resolves one entry. The entry is not changed. */
export function resolveEntry(source: LorebookEntry, context: EntryContext): ResolvedOne {
  const { settings } = context;
  const decorators = readDecorators(source.content);
  const scan = {
    depth: Math.min(Math.max(source.scan.depth ?? settings.depth, 0), MAX_DEPTH),
    caseSensitive: source.scan.caseSensitive ?? settings.caseSensitive,
    matchWholeWords: source.scan.matchWholeWords ?? settings.matchWholeWords,
  };
  const grows = source.scan.depth === null && settings.minActivations > 0;
  const searched = searchedTexts(source, scan.depth, grows, context);
  const judge = (keys: LorebookEntry['keys']): readonly KeyVerdict[] =>
    keys.map((key) => judgeKey(key, searched, scan, context.values));
  const [primary, secondary] = [judge(source.keys), judge(source.secondaryKeys)];
  const byKeys = decideByKeys(source, primary, secondary);
  const isScored = groupNames(source).some((name) => context.scored.has(name));
  const verdict = filterVerdict(source, context.character);
  const started = firingOf(source, decorators, byKeys, verdict === 'refused');
  const rolls = source.probability.used && source.probability.chance < 100;
  const isZero = started.fires !== 'never' && rolls && source.probability.chance <= 0;
  const final: Firing = isZero ? { fires: 'never', reason: 'Its probability is 0.' } : started;
  const blocksGroup = isZero && source.group.name !== '';
  const entry: LorebookEntry = {
    ...source,
    ...keysOf(source, primary, secondary, started, byKeys, isScored),
    content: expandMacros(decorators.content, context.contentValues).text,
    enabled: final.fires !== 'never',
    constant: source.constant || (started.fires === 'always' && (final.fires === 'always' || blocksGroup)),
    probability: rolls ? source.probability : { chance: 100, used: false },
    scan,
    group: { ...source.group, scoring: source.group.scoring ?? settings.useGroupScoring },
    sources: sourcesOf(source, started, [...primary, ...secondary], isScored),
    characterFilter: verdict === 'passes' ? null : source.characterFilter,
  };
  return {
    resolved: { source, entry, ...final, blocksGroup },
    open: {
      openMacros: final.fires === 'keys' && [...primary, ...secondary].some((key) => key.hasOpenMacro),
      unknownTags: verdict === 'undecided',
    },
  };
}

function firingOf(
  source: LorebookEntry,
  decorators: { readonly activate: boolean; readonly dontActivate: boolean },
  byKeys: KeyDecision,
  isRefused: boolean,
): Firing {
  if (!source.enabled) return { fires: 'never', reason: null };
  if (waitsForUnknownTrigger(source)) {
    return { fires: 'never', reason: 'It waits for a way of generating that SillyTavern does not have.' };
  }
  if (isRefused) return { fires: 'never', reason: 'Its character filter leaves this character out.' };
  if (decorators.activate && !source.constant) {
    return { fires: 'always', reason: 'It begins with @@activate.' };
  }
  if (decorators.dontActivate && !decorators.activate) {
    return { fires: 'never', reason: 'It begins with @@dont_activate.' };
  }
  if (source.constant) return { fires: 'always', reason: null };
  // Vector Storage may start it without its keys.
  if (byKeys.fires === 'keys' || (byKeys.fires === 'never' && source.vectorized)) {
    return { fires: 'keys', reason: null };
  }
  return byKeys;
}

function keysOf(
  source: LorebookEntry,
  primary: readonly KeyVerdict[],
  secondary: readonly KeyVerdict[],
  started: Firing,
  byKeys: KeyDecision,
  isScored: boolean,
): Pick<LorebookEntry, 'keys' | 'secondaryKeys' | 'logic'> {
  if (started.fires === 'keys' && byKeys.fires === 'keys' && !isScored) {
    const { keys, secondaryKeys, logic } = byKeys;
    return { keys, secondaryKeys, logic };
  }
  return {
    keys: primary.map(({ key }) => key),
    secondaryKeys: secondary.map(({ key }) => key),
    logic: source.logic,
  };
}

// Scores count keys that are found in these texts, so they stay where scores decide.
function sourcesOf(
  source: LorebookEntry,
  started: Firing,
  verdicts: readonly KeyVerdict[],
  isScored: boolean,
): LorebookEntry['sources'] {
  const { sources } = source;
  if (isScored || !Object.values(sources).some(Boolean)) return sources;
  if (started.fires === 'always') return NO_SOURCES;
  if (started.fires === 'never' || !verdicts.every(({ settled }) => settled)) return sources;
  return { ...NO_SOURCES, personaDescription: sources.personaDescription };
}
