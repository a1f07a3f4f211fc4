// How many tokens the entries of a book are, by the tokenizer in use. Asked in batches, so that a large book neither
// blocks the page nor sends a request for every entry.

import { useEffect, useState } from 'preact/hooks';
import { context, t, warn } from '../../host/context.ts';
import type { EntryView } from '../../inspection/book-view.ts';

/** Letters in one question to the tokenizer. */
const BATCH_LETTERS = 8000;

/** Contents joined to batches as SillyTavern joins entries in the prompt: by a line break. */
export function tokenBatches(contents: readonly string[]): readonly string[] {
  const batches: string[] = [];
  let batch: string[] = [];
  let size = 0;
  for (const content of contents) {
    if (size > 0 && size + content.length > BATCH_LETTERS) {
      batches.push(batch.join('\n'));
      batch = [];
      size = 0;
    }
    batch.push(content);
    size += content.length;
  }
  if (batch.length > 0) batches.push(batch.join('\n'));
  return batches;
}

interface Count {
  readonly tokens: number;
  /** 0 to 1. */
  readonly done: number;
}

/** Draws the total of all entries that are on; a bar while it is counted, nothing when the client cannot count. */
export function TokenTotal({ entries }: { readonly entries: readonly EntryView[] }) {
  const [count, setCount] = useState<Count | null>({ tokens: 0, done: 0 });
  useEffect(() => {
    let isWanted = true;
    setCount({ tokens: 0, done: 0 });
    void (async () => {
      // The panel comes first.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const live = entries.filter(({ state, entry }) => state !== 'off' && entry.content !== '');
      const batches = tokenBatches(live.map(({ entry }) => entry.content));
      let tokens = 0;
      for (const [index, batch] of batches.entries()) {
        // Between two batches the page gets its turn: some tokenizers run in it, without a request.
        await new Promise((resolve) => setTimeout(resolve));
        if (!isWanted) return;
        const { getTokenCountAsync } = context();
        if (!getTokenCountAsync) {
          setCount(null);
          return;
        }
        tokens += await getTokenCountAsync(batch);
        if (isWanted) setCount({ tokens, done: (index + 1) / batches.length });
      }
      if (isWanted) setCount({ tokens, done: 1 });
    })().catch((error) => {
      warn('The tokens could not be counted.', error);
      if (isWanted) setCount(null);
    });
    return () => {
      isWanted = false;
    };
  }, [entries]);
  if (count === null) return null;
  const tokens = count.tokens.toLocaleString();
  return (
    <span title={t`All entries that are on, by the tokenizer in use`}>
      {count.done < 1 ? (
        <>
          <progress class="lf-progress" value={count.done} max={1} aria-label={t`Counting tokens`} />{' '}
          {t`${tokens} tokens so far`}
        </>
      ) : (
        <>
          <b>{tokens}</b> {t`tokens`}
        </>
      )}
    </span>
  );
}
