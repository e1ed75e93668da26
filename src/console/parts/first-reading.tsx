/** The command that sends a device's first reading, to copy. */

import { CopyButton } from "./copy-button";

export function FirstReading({ path }: { /** Of the memory that observes. */ readonly path: string }) {
  const command = `curl ${location.origin}${path}/observe -H "X-API-KEY: $KEY" -d '{"data": {"strings": ["state=idle"]}}'`;
  return (
    <div class="first-reading">
      <pre>
        <code>{command}</code>
      </pre>
      <CopyButton text={command} />
    </div>
  );
}
