/** Escape leads from a device to the device list, with the filter that the list had. */

import { useLayoutEffect } from "preact/hooks";
import { goTo, type Place, place } from "../place";

let last: Place["query"] = {};

/** Remembers the filter of the device list. */
export function rememberHome(query: Place["query"]): void {
  last = query;
}

/** Listens for Escape while a device is shown. A field or a dialog that has the focus handles the key itself. */
export function useEscapeHome(): void {
  useLayoutEffect(() => {
    const press = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key !== "Escape" || defaultPrevented || place.value.view !== "now") return;
      if (target instanceof Element && target.closest("input, textarea, select, dialog, .more") !== null) return;
      goTo({ view: "home", path: [], query: last });
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
