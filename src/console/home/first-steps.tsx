/** What to do when there is no device yet: a command to copy. */

import { useSignal } from "@preact/signals";
import type { Agent } from "../server";

export function FirstSteps({ agent }: { readonly agent: Agent }) {
  const said = useSignal("");
  const processor = agent.processors[0]?.id ?? "p46b6b076c";
  const command = `curl ${location.origin}/${processor}/sessions/machine-1/observe -H "X-API-KEY: $KEY" -d '{"data": {"strings": ["state=idle"]}}'`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      said.value = "Copied.";
    } catch {
      // Pages without TLS have no clipboard.
      said.value = "The browser does not let this page copy: mark the text.";
    }
  };
  return (
    <div class="first-steps">
      <h2>No device has sent anything yet</h2>
      <p>Send a first reading. The device appears here by itself; each name after "sessions" is one.</p>
      <pre>
        <code>{command}</code>
      </pre>
      <div class="row">
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
        <span class="said" role="status">
          {said.value}
        </span>
      </div>
      <p>
        Next: <a href="/docs/guides/watching-a-machine">watch a machine</a>, or{" "}
        <a href="/docs/guides/numbers">send numbers</a>.
      </p>
    </div>
  );
}
