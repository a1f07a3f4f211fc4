// Only the rows that can be seen are drawn: five thousand rows at once would hold up the page for seconds. Rows are of
// different heights, so each is measured once it has been drawn; until then its kind's usual height stands for it.

import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows drawn before and after those that are seen. */
const SPARE_ROWS = 5;
/** Where nothing can be measured, as before the first layout: the list's part of the screen. */
const usualView = (): number => (globalThis.innerHeight || 900) / 2;

/** The part of a list that is drawn, and the room that the rest takes. */
export interface RowWindow {
  readonly first: number;
  /** Behind the last one drawn. */
  readonly end: number;
  /** Pixels. */
  readonly above: number;
  readonly below: number;
}

/** Heights of rows by their ids, in pixels. */
export interface RowHeights {
  readonly of: (id: string) => number | undefined;
  readonly usual: number;
}

/** The window for a scroll position; plain numbers, in pixels. */
export function windowAt(
  ids: readonly string[],
  heights: RowHeights,
  scrolled: number,
  view: number,
  spareRows = SPARE_ROWS,
): RowWindow {
  let top = 0;
  let first = 0;
  const heightOf = (index: number): number => heights.of(ids[index] as string) ?? heights.usual;
  while (first < ids.length && top + heightOf(first) < scrolled) {
    top += heightOf(first);
    first++;
  }
  for (let spare = spareRows; spare > 0 && first > 0; spare--) {
    first--;
    top -= heightOf(first);
  }
  let end = first;
  let bottom = top;
  const draw = (): void => {
    bottom += heightOf(end);
    end++;
  };
  while (end < ids.length && bottom < scrolled + view) draw();
  for (let spare = spareRows; spare > 0 && end < ids.length; spare--) draw();
  // As many rows wherever the list is: they get other words then, and none is made anew.
  const usually = Math.ceil(view / heights.usual) + 1 + 2 * spareRows;
  while (end < ids.length && end - first < usually) draw();
  while (first > 0 && end - first < usually) {
    first--;
    top -= heightOf(first);
  }
  let below = 0;
  for (let index = end; index < ids.length; index++) below += heightOf(index);
  return { first, end, above: top, below };
}

/** The rows of a list inside a scrolling element. */
export interface WindowedRows {
  readonly window: RowWindow;
  /** Looks at the heights of the rows that are drawn now; they carry `data-row="<id>"`. */
  readonly measure: () => void;
  /** Scrolls until a row is drawn. */
  readonly reveal: (id: string) => void;
}

/**
 * Windows a list.
 *
 * @param ids of all rows, in order
 * @param scroller the element that scrolls
 * @param list the element in it that holds nothing but the rows
 * @param usual a row's usual height in pixels
 */
export function useRowWindow(
  ids: readonly string[],
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  usual: number,
): WindowedRows {
  const known = useRef(new Map<string, number>());
  const [, redraw] = useState(0);
  const [scrolled, setScrolled] = useState(0);
  const heights: RowHeights = { of: (id) => known.current.get(id), usual };
  const seen = scroller.current?.clientHeight ?? 0;
  // At first, what is seen and no more.
  const window =
    seen === 0 ? windowAt(ids, heights, scrolled, usualView(), 0) : windowAt(ids, heights, scrolled, seen);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const look = (): void => {
      setScrolled(box.scrollTop);
    };
    let width = 0;
    let waiting = 0;
    const resized = (): void => {
      // Not in the frame that shows the rows for the first time: measuring them lays the page out once more.
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => {
        // Another width breaks the lines elsewhere.
        if (width !== 0 && box.clientWidth !== width) known.current.clear();
        width = box.clientWidth;
        redraw((count) => count + 1);
      });
    };
    box.addEventListener('scroll', look, { passive: true });
    const observer = typeof ResizeObserver === 'function' ? new ResizeObserver(resized) : null;
    observer?.observe(box);
    return () => {
      cancelAnimationFrame(waiting);
      box.removeEventListener('scroll', look);
      observer?.disconnect();
    };
  }, [scroller]);

  const measure = useCallback(() => {
    let changed = false;
    for (const row of list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []) {
      const id = row.dataset['row'] ?? '';
      const height = row.offsetHeight;
      if (height === 0 || known.current.get(id) === height) continue;
      // What was taken for it was right: nothing moves.
      if (height !== (known.current.get(id) ?? usual)) changed = true;
      known.current.set(id, height);
    }
    if (changed) redraw((count) => count + 1);
  }, [list, usual]);

  useLayoutEffect(measure);

  const reveal = useCallback(
    (id: string) => {
      const box = scroller.current;
      const index = ids.indexOf(id);
      if (box === null || index < 0) return;
      let top = 0;
      for (let at = 0; at < index; at++) top += known.current.get(ids[at] as string) ?? usual;
      const height = known.current.get(id) ?? usual;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + height > box.scrollTop + box.clientHeight)
        box.scrollTop = Math.min(top, top + height - box.clientHeight);
      setScrolled(box.scrollTop);
    },
    [ids, scroller, usual],
  );

  return { window, measure, reveal };
}
