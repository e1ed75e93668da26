/** The agent: its genome, and what its processors are set to. */

import type { Agent } from "../server";

export function AgentView({ agent }: { readonly agent: Agent }) {
  return <p class="nothing">{agent.name}</p>;
}
