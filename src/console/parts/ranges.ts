/** Shows the symbols of numbers as ranges, such as `temp 18.5 to 21`, by the encoders of the current processor. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ShownEncoders } from "../../cli/table/ranges";
import { listEncoders, type Processor } from "../../client";
import type { View } from "../place";
import { may } from "../rights";
import { shownRounded } from "./rounded-ranges";

/** Empty while they are unknown: then symbols are shown as they are. */
const encoders = signal<ShownEncoders>({});

/** Reads the encoders when the processor or the view changes: one may have found its edges meanwhile. */
export function useEncoders(processor: Processor | undefined, view: View): void {
  useEffect(() => {
    encoders.value = {};
  }, [processor]);
  useEffect(() => {
    if (processor === undefined || !may({ of: "processor" }, "read", "manage")) return undefined;
    const over = new AbortController();
    listEncoders(processor, { signal: over.signal }).then(
      (all) => {
        encoders.value = all;
      },
      () => {
        // Symbols stay as they are.
      },
    );
    return () => over.abort();
  }, [processor, view]);
}

/** A symbol in words. Redraws a component when the encoders are known. */
export function ranged(symbol: string): string {
  return shownRounded(symbol, encoders.value);
}
