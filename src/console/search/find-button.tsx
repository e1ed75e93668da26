/** The button that opens the search, as Ctrl-K does. The search's code is loaded when it is first opened. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Icon } from "../parts/icon";
import { later } from "../parts/later";
import type { Agent } from "../server";

const FindDialog = later(async () => (await import("./find-dialog")).FindDialog);

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

export function FindButton({ agent }: { readonly agent: Agent }) {
  const isOpen = useSignal(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      // Otherwise the browser would focus its address bar.
      event.preventDefault();
      isOpen.value = true;
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <button
        type="button"
        class="find"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <Icon name="search" /> Search{" "}
        <span class="keys-for" aria-hidden="true">
          {IS_MAC ? "⌘ K" : "Ctrl K"}
        </span>
      </button>
      {isOpen.value && (
        <FindDialog
          agent={agent}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}
