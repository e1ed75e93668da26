/**
 * The processor time of this process. Unlike the clock's, it does not grow while a busy machine does something else. workerd knows the clock's
 * time only, so inside it nothing counts as used: plain Node runs the same tests, and measures.
 */

const IS_WORKERD = "WebSocketPair" in globalThis;

function usedMs(): number {
  if (IS_WORKERD) return 0;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Begins now. @returns a function that says how much processor time was used since, in milliseconds; 0 inside workerd */
export function processorTime(): () => number {
  const before = usedMs();
  return () => usedMs() - before;
}
