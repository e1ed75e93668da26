/** The genome of the agent that every deployment begins with: one processor, P1. */

import simple from "./genomes/simple.json";

/** The name of the default agent. */
export const DEFAULT_AGENT = "simple";

/** The genome that an agent of this name begins with, as JSON text; `undefined` when there is no agent of this name. */
export function firstGenome(agent: string): string | undefined {
  return agent === DEFAULT_AGENT ? JSON.stringify(simple) : undefined;
}
