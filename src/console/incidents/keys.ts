/** Single-key shortcuts, active while the focus is in no field and no dialog is open. */

import { useLayoutEffect, useRef } from "preact/hooks";

/** What each key does, by the value of `KeyboardEvent.key`. */
export type Keys = { readonly [key: string]: () => void };

/** Listens for keys while a component is mounted. */
export function useKeys(keys: Keys): void {
  const now = useRef(keys);
  now.current = keys;
  // Before the page is painted: a key that is pressed as soon as it is seen would be lost.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const action = Object.hasOwn(now.current, event.key) ? now.current[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}
