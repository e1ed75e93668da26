/** The genome of the agent that every deployment begins with: one processor, P1. */

import simple from "./genomes/simple.json";

/** The name of the default agent. */
export const DEFAULT_AGENT = "simple";

/** Its genome as JSON text. */
export const DEFAULT_GENOME = JSON.stringify(simple);
