// Patterns as Marinara can run them: endless runs are given an end where it would refuse the pattern.

import type { PatternEngine } from '../_shared/flagless-patterns.ts';
import { isRunByMarinara } from '../_shared/marinara/pattern-safety.ts';
import { partsOf } from '../_shared/pattern-parts.ts';

/** What Marinara 2.3.3 does with a pattern. */
export const MARINARA_PATTERNS: PatternEngine = {
  prepare: bounded,
  refusal: (source) =>
    isRunByMarinara(source) ? null : 'Marinara takes it for unsafe and searches its characters as plain text',
};

// No chat holds a run that long; an endless one is what Marinara counts.
const RUN = 999;

function bounded(source: string): string {
  if (isRunByMarinara(source)) return source;
  const parts = partsOf(source);
  const ended = parts.map(({ kind, text }) => {
    if (kind !== 'quantifier') return text;
    const lazy = text.length > 1 && text.endsWith('?') ? '?' : '';
    const mark = text.slice(0, text.length - lazy.length);
    if (mark === '*') return `{0,${RUN}}${lazy}`;
    if (mark === '+') return `{1,${RUN}}${lazy}`;
    return mark.endsWith(',}') ? `${mark.slice(0, -1)}${RUN}}${lazy}` : text;
  });
  const joined = ended.join('');
  return isRunByMarinara(joined) ? joined : source;
}
