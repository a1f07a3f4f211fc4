// Time that work takes on its own, however busy the machine is with something else.

/** Milliseconds of processor time that this process spends on some work. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
