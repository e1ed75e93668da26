/** The processor time of this process. Unlike the clock's, it does not grow while a busy machine does something else. */

/** Begins now. @returns a function that says how much processor time was used since, in milliseconds */
export function processorTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
