/** The key Escape leads from a device to the list of devices, filtered as it was when it was left. */

import { useEffect } from "preact/hooks";
import { goTo, type Place, place } from "../place";

let last: Place["query"] = {};

/** Keeps how the list of devices is filtered. */
export function rememberHome(query: Place["query"]): void {
  last = query;
}

/** Listens for Escape while a device is shown. What is typed into a field or a dialog is theirs. */
export function useEscapeHome(): void {
  useEffect(() => {
    const press = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key !== "Escape" || defaultPrevented || place.value.view !== "now") return;
      if (target instanceof Element && target.closest("input, textarea, select, dialog, .more") !== null) return;
      goTo({ view: "home", path: [], query: last });
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
