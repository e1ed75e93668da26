/** Copies a text, and reports whether that worked; and the command that a new device begins with, to copy. */

import { useSignal } from "@preact/signals";

export function CopyButton({
  text,
  onRefused,
}: {
  readonly text: string;
  /** Selects the text, so that the user can copy it. */
  readonly onRefused?: () => void;
}) {
  const said = useSignal("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied.";
    } catch {
      // Pages without TLS have no clipboard.
      onRefused?.();
      said.value = `The browser does not let this page copy: ${onRefused ? "copy the marked" : "mark the"} text.`;
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        Copy
      </button>
      <span class="said copied" role="status">
        {said.value}
      </span>
    </>
  );
}

/** The command that sends a device's first reading. */
export function FirstReading({ path }: { /** Of the memory that observes. */ readonly path: string }) {
  const body = `{"data": {"strings": ["state=idle"]}}`;
  const command = `curl ${location.origin}${path}/observe -H "X-API-KEY: $KEY" -d '${body}'`;
  return (
    <div class="first-reading">
      <pre>
        <code>{command}</code>
      </pre>
      <CopyButton text={command} />
    </div>
  );
}
