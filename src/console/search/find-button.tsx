/** The button that opens the search, as Ctrl-K does. The search's code is loaded when it is first opened. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon";
import { later } from "../parts/later";
import type { Agent } from "../server";

const FindDialog = later(async () => (await import("./find-dialog")).FindDialog);

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

export function FindButton({ agent }: { readonly agent: Agent }) {
  const isOpen = useSignal(false);
  // What is typed before the dialog is there belongs to it.
  const early = useRef("");
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isOpen.value && document.querySelector("dialog") === null && isCharacter(event)) {
        event.preventDefault();
        event.stopPropagation();
        early.current += event.key;
        return;
      }
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      // Otherwise the browser would focus its address bar.
      event.preventDefault();
      isOpen.value = true;
    };
    addEventListener("keydown", press, { capture: true });
    return () => removeEventListener("keydown", press, { capture: true });
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
        <Icon name="search" /> <span class="find-word">Search</span>{" "}
        <span class="keys-for" aria-hidden="true">
          {IS_MAC ? "⌘ K" : "Ctrl K"}
        </span>
      </button>
      {isOpen.value && (
        <FindDialog
          agent={agent}
          early={early}
          onClose={() => {
            isOpen.value = false;
            early.current = "";
          }}
        />
      )}
    </>
  );
}
