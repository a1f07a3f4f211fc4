// Several files imported at once are one batch: what must be asked is asked once, when the batch has ended.
// SillyTavern imports them one after the other and gives no sign of the last one (public/script.js,
// `#character_import_file` change handler), so the end is a silence.

/** A run of imports. */
export interface ImportBatch {
  /** An import begins; call what it returns, once, when it is over. */
  begin(): () => void;
  /** Imports that have not ended. */
  inFlight(): number;
  /**
   * Calls back at every end of a batch: after the quiet time, with none in flight.
   *
   * @returns a function that takes the callback off
   */
  onEnd(callback: () => void): () => void;
}

/**
 * A batch tracker.
 *
 * @param quietMs how long nothing may happen until the batch counts as ended
 * @param onError told when a callback throws
 */
export function createImportBatch(quietMs: number, onError: (error: unknown) => void): ImportBatch {
  const callbacks = new Set<() => void>();
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ended = () => {
    timer = undefined;
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        onError(error);
      }
    }
  };

  return {
    begin: () => {
      clearTimeout(timer);
      timer = undefined;
      running++;
      let over = false;
      return () => {
        if (over) return;
        over = true;
        running--;
        if (running > 0) return;
        clearTimeout(timer);
        timer = setTimeout(ended, quietMs);
      };
    },
    inFlight: () => running,
    onEnd: (callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
}
