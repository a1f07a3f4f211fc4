// Starting once, when SillyTavern is ready. Clients since 1.17 call the hooks that a manifest names; older ones
// only load the script. Both ways end here.

import { context, warn } from './context.ts';
import { onEvent } from './events.ts';

const LOOK_EVERY_MS = 1000;

/**
 * Runs a function once the application is ready: at once when it is, else at APP_READY. Failing, it leaves one
 * warning and SillyTavern unharmed.
 *
 * @param start what to do; called at most once
 * @returns a function that calls it off
 */
export function whenReady(start: () => unknown): () => void {
  let done = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  let stopListening = () => {};
  const end = () => {
    done = true;
    clearInterval(timer);
    stopListening();
  };
  const run = () => {
    if (done) return;
    end();
    void (async () => start())().catch((error) => warn('Could not start.', error));
  };

  // Since 1.13 at least, APP_READY is repeated to late listeners, but only once all listeners of the first
  // round are through (eventemitter.js: the arguments are kept after the loop). Whoever subscribes during that
  // round is called by neither; so we look for ourselves as well.
  stopListening = onEvent('APP_READY', run);
  if (done) stopListening();
  else {
    let seen = false;
    timer = setInterval(() => {
      const loaded = context().eventSource !== undefined && document.querySelector('#preloader') === null;
      if (loaded && seen) run();
      seen = loaded;
    }, LOOK_EVERY_MS);
  }
  return end;
}
