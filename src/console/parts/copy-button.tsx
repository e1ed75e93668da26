/** Copies a text, and reports whether that worked. */

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
