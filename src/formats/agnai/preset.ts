// Settings that Agnai has in the user's preset and not in a book: how many lines are searched, and how many tokens all
// entries together may take (1.0.27).

import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import type { Placing } from './placing.ts';

/** "Memory: Chat History Depth", as the preset's editor allows it. */
const DEPTHS = { least: 1, most: 100 } as const;
/** "Memory: Context Limit", as the preset's editor allows it, and what it is when nobody sets it. */
const CONTEXT = { least: 1, usual: 500, most: 2000 } as const;
/** The context that SillyTavern's budget is a part of, where nobody says how large it is. */
const USUAL_CONTEXT = 8192;

/** The values for the preset, and how much of the book fits. */
export interface MemoryPreset {
  readonly memoryDepth: number;
  readonly memoryContextLimit: number;
  /** Tokens that all entries together may take, rather too many than too few. */
  readonly needed: number;
}

/** The values that this character's books need. */
export function memoryPreset(
  { books, settings }: ResolvedCharacter,
  placing: Placing,
  contextSize = USUAL_CONTEXT,
): MemoryPreset {
  const entries = books.flatMap((book) => book.entries);
  const inBlock = entries.filter(
    (each) => each.fires !== 'never' && placing.places.get(each)?.kind === 'block',
  );
  const needed = inBlock.reduce((sum, { entry }) => sum + tokensOf(entry.content), 1);
  const budget = budgetOf(settings, contextSize);
  // Room for all, unless SillyTavern has no room for them either.
  const wanted = Math.min(Math.max(needed, CONTEXT.usual), budget);
  return {
    memoryDepth: Math.min(
      DEPTHS.most,
      Math.max(DEPTHS.least, Math.round(commonDepth(entries) ?? settings.depth)),
    ),
    memoryContextLimit: Math.min(CONTEXT.most, Math.max(CONTEXT.least, Math.ceil(wanted))),
    needed,
  };
}

// The tokens that SillyTavern gives to all entries (1.19, checkWorldInfo).
function budgetOf({ budget, budgetCap }: ResolvedCharacter['settings'], contextSize: number): number {
  const part = Math.round((budget * contextSize) / 100) || 1;
  return budgetCap > 0 ? Math.min(part, budgetCap) : part;
}

// The depth of most entries; of several the smallest, since it starts nothing that SillyTavern does not.
function commonDepth(entries: readonly ResolvedEntry[]): number | null {
  const counts = new Map<number, number>();
  for (const { source, entry, fires } of entries) {
    const { depth } = entry.scan;
    if (fires === 'never' || source.constant || depth === null || depth <= 0) continue;
    counts.set(depth, (counts.get(depth) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, many], [b, few]) => few - many || a - b);
  return most?.[0] ?? null;
}

// Tokenizers differ by model: three Latin letters, or one of any other, are at least one token in all of them. Each
// text ends with a line end, and the last one that fits must stay below the limit.
function tokensOf(text: string): number {
  const others = [...text].filter((char) => char > '\u024f').length;
  return Math.ceil((text.length - others) / 3) + others + 2;
}
