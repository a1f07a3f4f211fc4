// Work of ours that SillyTavern waits for: it may take its time, but not for ever, and may not fail for SillyTavern.

/** Whether a promise that never rejects is settled before the time is up. */
export async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true as const), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** What some work gives, or undefined when it fails; the failure is handed on. */
export async function guarded<T>(
  work: () => Promise<T>,
  report: (error: unknown) => void,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    report(error);
    return undefined;
  }
}
