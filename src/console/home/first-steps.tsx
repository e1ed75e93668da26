/** What to do when there is no device yet: a command to copy. */

import { FirstReading } from "../parts/copy-button";
import type { Agent } from "../server";

export function FirstSteps({ agent }: { readonly agent: Agent }) {
  const processor = agent.processors[0]?.id ?? "p46b6b076c";
  return (
    <div class="first-steps">
      <h2>No device has sent anything yet</h2>
      <p>Send a first reading. The device appears here by itself; each name after "sessions" is one.</p>
      <FirstReading path={`/${processor}/sessions/machine-1`} />
      <p>
        Next: <a href="/docs/guides/watching-a-machine">watch a machine</a>, or{" "}
        <a href="/docs/guides/numbers">send numbers</a>.
      </p>
    </div>
  );
}
