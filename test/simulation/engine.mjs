/** How V8 runs the simulator with least work. */

import { setFlagsFromString } from "node:v8";

/**
 * V8 optimizes functions later than it would, and compiles the others simply at once. The program is large and no part
 * of it runs much more often than the others: to optimize took a quarter of the processor time of the first minutes.
 */
const FLAGS = ["--interrupt-budget=400000", "--always-sparkplug"];

/** Has this process run its functions so from now on. */
export function optimizeLater() {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
