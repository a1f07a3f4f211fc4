// A text with what another one has otherwise marked in it, word by word.

/** A stretch of a text; `differs`: the other text does not have it here. */
export interface Stretch {
  readonly text: string;
  readonly differs: boolean;
}

/** Words to be compared with words, at most: beyond that the whole middle counts as different. */
const MOST_PAIRS = 400_000;

/** Letters of one text that are drawn, and of a stretch in it that is the same in both. */
const MOST_LETTERS = 6000;
const SAME_LETTERS = 400;

// Where words are not parted by spaces each letter is one.
const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu;

/** Takes a text apart into what another one has too and what it has not, by the longest run of common words. */
export function differingStretches(text: string, other: string): readonly Stretch[] {
  if (text === other) return text === '' ? [] : [{ text, differs: false }];
  const [mine, theirs] = [text.match(WORDS) ?? [], other.match(WORDS) ?? []];
  let start = 0;
  while (start < mine.length && start < theirs.length && mine[start] === theirs[start]) start++;
  let end = 0;
  const most = Math.min(mine.length, theirs.length) - start;
  while (end < most && mine[mine.length - 1 - end] === theirs[theirs.length - 1 - end]) end++;
  const middle = mine.slice(start, mine.length - end);
  const kept = commonWords(middle, theirs.slice(start, theirs.length - end));
  return joined([
    { text: mine.slice(0, start).join(''), differs: false },
    ...middle.map((word, index): Stretch => ({ text: word, differs: !kept.has(index) })),
    { text: mine.slice(mine.length - end).join(''), differs: false },
  ]);
}

// Indexes of the words of `a` that the weightiest common subsequence with `b` keeps.
function commonWords(a: readonly string[], b: readonly string[]): ReadonlySet<number> {
  const kept = new Set<number>();
  if (a.length * b.length > MOST_PAIRS) return kept;
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengthAt(i + 1, j + 1) + weightOf(a[i])
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      kept.add(i);
      i++;
      j++;
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  }
  return kept;
}

// A word in common tells more than the spaces around it.
const weightOf = (word: string | undefined): number => (word?.trim() === '' ? 1 : 3);

// Neighbours of one kind become one stretch; a space alone between two that differ is no island of its own.
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const merged: { text: string; differs: boolean }[] = [];
  stretches.forEach((stretch, index) => {
    if (stretch.text === '') return;
    const last = merged.at(-1);
    const isGap =
      stretch.text.trim() === '' && last?.differs === true && stretches[index + 1]?.differs === true;
    const differs = stretch.differs || isGap;
    if (last?.differs === differs) last.text += stretch.text;
    else merged.push({ text: stretch.text, differs });
  });
  return merged;
}

interface Props {
  readonly text: string;
  readonly other: string;
  /** Letters that are drawn, at most. */
  readonly most?: number;
  /** Letters of a stretch that both have, at most. */
  readonly same?: number;
}

/** Draws a text with the marks; long stretches that both have are cut in their middle. */
export function TextDifference({ text, other, most = MOST_LETTERS, same = SAME_LETTERS }: Props) {
  let left = most;
  return (
    <>
      {differingStretches(text, other).map(({ text: held, differs }, index) => {
        if (left <= 0) return null;
        const shown = differs || held.length <= same ? held : shortened(held, same);
        const cut = shown.length > left ? `${shown.slice(0, left)}…` : shown;
        left -= cut.length;
        return differs ? <mark key={index}>{cut}</mark> : cut;
      })}
    </>
  );
}

const shortened = (text: string, most: number): string =>
  `${text.slice(0, most / 2)} … ${text.slice(-most / 2)}`;
