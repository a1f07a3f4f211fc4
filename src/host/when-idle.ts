// Work that may wait until SillyTavern has drawn its page.

/** Milliseconds after the start, when SillyTavern has drawn its page. */
const SETTLED_MS = 1500;

/** Does something a moment after the start, when the page has nothing else to do. Safari has no idle callbacks. */
export function whenIdle(work: () => void): void {
  const { requestIdleCallback } = globalThis as { requestIdleCallback?: (work: () => void) => number };
  setTimeout(() => (requestIdleCallback ? requestIdleCallback(work) : work()), SETTLED_MS);
}
