/** How the server is doing, and who may do what. */

import type { Agent } from "../server";

export function Operate({ agent }: { readonly agent: Agent }) {
  return <p class="nothing">{agent.name}</p>;
}
