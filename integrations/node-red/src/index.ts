/** The nodes for Node-RED, as its runtime loads them. */

import { registerAgent } from "./agent-node";
import { registerEvents } from "./events-node";
import { registerForecast } from "./forecast-node";
import { registerObserve } from "./observe-node";
import type { Runtime } from "./runtime";

/** Registers all nodes. */
export function register(red: Runtime): void {
  registerAgent(red);
  registerObserve(red);
  registerForecast(red);
  registerEvents(red);
}
