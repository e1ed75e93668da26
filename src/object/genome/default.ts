/** The genome that agents begin with: one processor, P1. */

import { DEFAULT_AGENT, wordsOf } from "../../text/variables";
import simple from "./simple.json";

/**
 * The genome that an agent begins with: JSON text with the agent's name in it.
 *
 * @param others the agents in addition to the default one, separated by white space or commas
 * @returns `undefined` when the deployment has no agent of this name
 */
export function firstGenome(agent: string, others?: string): string | undefined {
  const isKnown = agent === DEFAULT_AGENT || (agent !== "" && wordsOf(others).includes(agent));
  return isKnown ? JSON.stringify({ ...simple, agent }) : undefined;
}
