/** What tells a device from all others of the agent. */

/** The key of a device. @param session null for the processor's own memory */
export function keyOf(processor: string, session: string | null): string {
  return `${processor} ${session ?? ""}`;
}
