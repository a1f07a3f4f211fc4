// A small engine that runs a resolved character over a chat as SillyTavern 1.19 would (world-info.js, checkWorldInfo),
// built from the facts that test/fixtures/parity measures. It sees the resolved entries only, so it shows that
// resolving kept what they do. What is rolled is left out: probabilities between 1 and 99, and groups without a winner.

import type { Key } from '../../src/core/key.ts';
import { literalKey } from '../../src/core/key.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../src/core/resolved.ts';
import { scoredGroups } from '../../src/formats/sillytavern/resolve-groups.ts';
import { expandNames } from '../../src/formats/sillytavern/resolve-macros.ts';
import { holdsKey, TEXT_JOINT, TEXT_MARK } from '../../src/formats/sillytavern/resolve-matching.ts';
import { engineOrder } from '../../src/formats/sillytavern/resolve-order.ts';
import type { Message, Outcome } from './cases.ts';
import { placements } from './placements.ts';

/** What a scan starts from. */
export interface ScanInput {
  readonly messages: readonly Message[];
  readonly trigger: string;
  /** Tokens. */
  readonly maxContext: number;
}

type State = 'initial' | 'recursion' | 'more-messages';

interface Scan {
  readonly resolved: ResolvedCharacter;
  readonly input: ScanInput;
  /** The newest message first. */
  readonly messages: readonly string[];
  readonly fromEntries: string[];
  readonly active: Set<ResolvedEntry>;
  readonly failed: Set<ResolvedEntry>;
  skew: number;
  level: number;
  overflowed: boolean;
  activeText: string;
}

/** Runs a resolved character over a chat. */
export function run(resolved: ResolvedCharacter, input: ScanInput): Outcome {
  const ordered = engineOrder(resolved.books, resolved.settings).map((each) => each.resolved);
  const levels = [
    ...new Set(ordered.map(({ entry }) => entry.recursion.delayUntil).filter((each) => each > 0)),
  ].sort((a, b) => a - b);
  const scan: Scan = {
    resolved,
    input,
    messages: input.messages
      .map(({ name, text }) => (resolved.settings.includeNames ? `${name}: ${text}` : text).trim())
      .reverse(),
    fromEntries: [],
    active: new Set(),
    failed: new Set(),
    skew: 0,
    level: levels.shift() ?? 0,
    overflowed: false,
    activeText: '',
  };
  let state: State | null = 'initial';
  for (let passes = 0; state !== null; passes++) {
    const { maxRecursionSteps } = resolved.settings;
    if (maxRecursionSteps > 0 && maxRecursionSteps <= passes) break;
    state = pass(scan, ordered, state, levels);
  }
  return placements(resolved, [...scan.active]);
}

function pass(scan: Scan, ordered: readonly ResolvedEntry[], state: State, levels: number[]): State | null {
  const { settings } = scan.resolved;
  const found = ordered.filter((each) => isStarted(scan, each, state));
  const taken = keptByGroups(scan, found, state);
  let text = '';
  let waitingFree = taken.filter(({ entry }) => entry.ignoreBudget).length;
  for (const each of taken) {
    const { entry } = each;
    if (entry.ignoreBudget) waitingFree--;
    if (scan.overflowed && !entry.ignoreBudget) {
      if (waitingFree > 0) continue;
      break;
    }
    if (each.fires === 'never') {
      scan.failed.add(each);
      continue;
    }
    text += `${spoken(scan, entry.content)}\n`;
    if (!entry.ignoreBudget && tokens(scan.activeText) + tokens(text) >= budgetOf(scan)) {
      scan.overflowed = true;
      continue;
    }
    scan.active.add(each);
  }
  const successful = taken.filter((each) => !scan.failed.has(each));
  const recursing = successful.filter(({ entry }) => !entry.recursion.prevent);
  let next: State | null = null;
  if (settings.recursive && !scan.overflowed) {
    if (recursing.length > 0) next = 'recursion';
    if (state === 'more-messages' && scan.fromEntries.length > 0) next = 'recursion';
  }
  if (next === null && !scan.overflowed && scan.active.size < settings.minActivations) {
    const depth = settings.depth + scan.skew;
    const most = settings.minActivationsDepthMax;
    if (!(most > 0 && depth > most) && depth <= scan.messages.length) {
      next = 'more-messages';
      scan.skew++;
    }
  }
  if (next === null && levels.length > 0) {
    next = 'recursion';
    scan.level = levels.shift() ?? 0;
  }
  const recursed = recursing.map(({ entry }) => spoken(scan, entry.content)).join('\n');
  if (next !== null && recursed !== '') {
    scan.fromEntries.push(recursed);
    scan.activeText = `${recursed}\n${scan.activeText}`;
  }
  return next;
}

function isStarted(scan: Scan, each: ResolvedEntry, state: State): boolean {
  const { entry } = each;
  if (scan.active.has(each) || scan.failed.has(each)) return false;
  if (each.fires === 'never' && !each.blocksGroup) return false;
  if (entry.triggers.length > 0 && !entry.triggers.includes(scan.input.trigger)) return false;
  if (scan.messages.length < (entry.timing.delay ?? 0)) return false;
  const { delayUntil, exclude } = entry.recursion;
  if (delayUntil > 0 && (state !== 'recursion' || delayUntil > scan.level)) return false;
  if (state === 'recursion' && scan.resolved.settings.recursive && exclude) return false;
  return entry.constant || keysMatch(scan, each, state);
}

function keysMatch(scan: Scan, each: ResolvedEntry, state: State): boolean {
  const { entry } = each;
  const text = searchedText(scan, each, state);
  const found = (key: Key): boolean =>
    (key.kind === 'regex' || key.text !== '') && holdsKey(text, trimmed(key), matchingOf(each));
  if (!entry.keys.some(found)) return false;
  if (!entry.selective || entry.secondaryKeys.length === 0) return true;
  switch (entry.logic) {
    case 'and_any':
      return entry.secondaryKeys.some(found);
    case 'and_all':
      return entry.secondaryKeys.every(found);
    case 'not_any':
      return !entry.secondaryKeys.some(found);
    case 'not_all':
      return !entry.secondaryKeys.every(found);
  }
}

const trimmed = (key: Key): Key => (key.kind === 'regex' ? key : literalKey(key.text.trim()));

const matchingOf = ({ entry }: ResolvedEntry) => ({
  caseSensitive: entry.scan.caseSensitive === true,
  matchWholeWords: entry.scan.matchWholeWords === true,
});

function searchedText(scan: Scan, { source, entry }: ResolvedEntry, state: State): string {
  const depth = (entry.scan.depth ?? 0) + (source.scan.depth === null ? scan.skew : 0);
  if (depth <= 0) return '';
  const { body } = scan.resolved.character;
  const { sources } = entry;
  const texts = [
    sources.characterDescription && body.description,
    sources.characterPersonality && body.personality,
    sources.characterDepthPrompt && scan.resolved.depthPrompt?.prompt,
    sources.scenario && body.scenario,
    sources.creatorNotes && body.creatorNotes,
  ]
    .filter((text): text is string => typeof text === 'string' && text.trim() !== '')
    .map((text) => spoken(scan, text.trim()));
  const recursed = state === 'more-messages' ? [] : scan.fromEntries;
  return [TEXT_MARK + scan.messages.slice(0, depth).join(TEXT_JOINT), ...texts, ...recursed].join(TEXT_JOINT);
}

function keptByGroups(scan: Scan, found: readonly ResolvedEntry[], state: State): readonly ResolvedEntry[] {
  const kept = [...found];
  const groups = new Map<string, ResolvedEntry[]>();
  for (const each of found) {
    for (const name of each.entry.group.name.split(/,\s*/).filter((part) => part !== '')) {
      groups.set(name, [...(groups.get(name) ?? []), each]);
    }
  }
  // SillyTavern takes out the last entry when the one it means is gone already.
  const takeOut = (each: ResolvedEntry): void => {
    kept.splice(kept.indexOf(each), 1);
  };
  const scored = scoredGroups(
    found.map(({ entry }) => entry),
    scan.resolved.settings,
  );
  for (const [name, group] of groups) {
    if (!scored.has(name)) continue;
    const scores = new Map(group.map((each) => [each, scoreOf(scan, each, state)]));
    const best = Math.max(...scores.values());
    const losers = group.filter(
      (each) => each.entry.group.scoring === true && (scores.get(each) ?? 0) < best,
    );
    losers.forEach(takeOut);
    groups.set(
      name,
      group.filter((each) => !losers.includes(each)),
    );
  }
  for (const [name, group] of groups) {
    if ([...scan.active].some(({ entry }) => entry.group.name === name)) {
      group.forEach(takeOut);
      continue;
    }
    if (group.length <= 1) continue;
    const [preferred] = group
      .filter(({ entry }) => entry.group.override)
      .sort((a, b) => b.entry.order - a.entry.order);
    // A roll near 0: the first entry with any weight, or the first of all when none has one.
    const winner = preferred ?? group.find(({ entry }) => entry.group.weight > 0) ?? group[0];
    group.filter((each) => each !== winner).forEach(takeOut);
  }
  return kept;
}

// Scores take keys as they are written, neither trimmed nor with their macros replaced.
function scoreOf(scan: Scan, each: ResolvedEntry, state: State): number {
  const { source: entry } = each;
  const text = searchedText(scan, each, state);
  const count = (keys: typeof entry.keys): number =>
    keys.filter((key) => holdsKey(text, key, matchingOf(each))).length;
  const primary = count(entry.keys);
  const secondary = count(entry.secondaryKeys);
  if (entry.keys.length === 0) return 0;
  if (entry.logic === 'and_any') return primary + secondary;
  return entry.logic === 'and_all' && secondary === entry.secondaryKeys.length
    ? primary + secondary
    : primary;
}

const spoken = ({ resolved }: Scan, text: string): string =>
  expandNames(text, resolved.character.name, resolved.userName);

// SillyTavern's own guess where it has no tokenizer.
const tokens = (text: string): number => Math.ceil(text.length / 3.35);

function budgetOf({ resolved, input }: Scan): number {
  const { budget, budgetCap } = resolved.settings;
  const share = Math.round((budget * input.maxContext) / 100) || 1;
  return budgetCap > 0 ? Math.min(share, budgetCap) : share;
}
