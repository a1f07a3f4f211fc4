// Entries that wait for a recursion, and whether one comes (SillyTavern 1.19, checkWorldInfo).

import type { DelayedPasses, ResolvedEntry, ScanSettings } from '../../core/resolved.ts';

/** The entries as they are after their waiting was judged, and whether the passes run for which they wait. */
export interface DelayedReading {
  readonly passes: DelayedPasses;
  /** Why an entry that waits can never fire, by the entry; entries that can are not in it. */
  readonly never: ReadonlyMap<ResolvedEntry, string>;
}

/**
 * Judges all entries in force together. The levels of every entry count, also of those that are off. With two or
 * more levels every further one gets a pass of its own, whatever happens; with one level another entry must start the
 * recursion. A limit on the steps counts the first pass too.
 */
export function judgeDelayed(entries: readonly ResolvedEntry[], settings: ScanSettings): DelayedReading {
  const levels = [...new Set(entries.map(levelOf).filter((level) => level > 0))].sort((a, b) => a - b);
  if (levels.length === 0) return { passes: 'none', never: new Map() };
  const passes = passesFor(levels, entries, settings);
  const never = new Map<ResolvedEntry, string>();
  for (const resolved of entries) {
    const level = levelOf(resolved);
    if (level === 0 || resolved.fires === 'never') continue;
    const reason = reasonFor(resolved, levels.indexOf(level), passes, settings);
    if (reason !== null) never.set(resolved, reason);
  }
  return { passes, never };
}

const levelOf = (resolved: ResolvedEntry): number => resolved.entry.recursion.delayUntil;

function passesFor(
  levels: readonly number[],
  entries: readonly ResolvedEntry[],
  settings: ScanSettings,
): DelayedPasses {
  if (settings.maxRecursionSteps > 0 && settings.maxRecursionSteps < 2) return 'never';
  if (levels.length > 1) return 'always';
  if (!settings.recursive) return 'never';
  const starters = entries.filter(
    (resolved) => resolved.fires !== 'never' && levelOf(resolved) === 0 && !resolved.entry.recursion.prevent,
  );
  if (starters.length === 0) return 'never';
  return starters.some(firesForSure) ? 'always' : 'when-started';
}

function firesForSure({ fires, entry }: ResolvedEntry): boolean {
  return (
    fires === 'always' &&
    !entry.probability.used &&
    entry.triggers.length === 0 &&
    entry.group.name === '' &&
    entry.timing.cooldown === null &&
    entry.timing.delay === null
  );
}

function reasonFor(
  { entry }: ResolvedEntry,
  index: number,
  passes: DelayedPasses,
  settings: ScanSettings,
): string | null {
  if (passes === 'never') return 'It waits for a recursion, and none can start.';
  // The first level is open from the second pass on, each further one a pass later.
  const firstPass = Math.max(2, index + 1);
  if (settings.maxRecursionSteps > 0 && settings.maxRecursionSteps < firstPass) {
    return 'It waits for a pass that the limit on recursion steps leaves out.';
  }
  if (settings.recursive && entry.recursion.exclude) {
    return 'It waits for a recursion and is excluded from recursion.';
  }
  return null;
}
