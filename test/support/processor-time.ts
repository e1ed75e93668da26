/** The processor time of this process. Unlike the clock's, it does not grow while a busy machine does something else. */

/** workerd knows the clock's time only. */
const IS_WORKERD = "WebSocketPair" in globalThis;

function usedMs(): number {
  if (IS_WORKERD) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Begins now. @returns a function that says how much processor time was used since, in milliseconds */
export function processorTime(): () => number {
  const before = usedMs();
  return () => usedMs() - before;
}
