/** Shows the symbols of numbers as ranges, such as `temp 18.5 to 21`, by the encoders of the current processor. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ShownEncoders } from "../../cli/table/ranges";
import { listEncoders, type Processor } from "../../client";
import type { View } from "../place";
import { may } from "../rights";
import { type Bin, shownRounded } from "./rounded-ranges";

/** Empty while unknown: then symbols are shown unchanged. */
const encoders = signal<ShownEncoders>({});

/** Reads the encoders when the processor or the view changes, because an encoder may have found its edges meanwhile. */
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

/** The bin that a symbol stands for; `undefined` for other symbols. Redraws a component when the encoders are known. */
export function binOf(symbol: string): Bin | undefined {
  const sign = symbol.lastIndexOf("=");
  const [name, edge] = [symbol.slice(0, sign), symbol.slice(sign + 1)];
  const encoder = sign > 0 && Object.hasOwn(encoders.value, name) ? encoders.value[name] : undefined;
  if (encoder?.kind === "step") return { name, from: Number(edge), to: Number(edge) + encoder.size };
  if (encoder?.kind !== "edges" && encoder?.kind !== "auto") return undefined;
  const edges = encoder.edges ?? [];
  const [at, below] = [edges.indexOf(Number(edge)), edge === "-inf"];
  if (at < 0 && !below) return undefined;
  return {
    name,
    from: below ? Number.NEGATIVE_INFINITY : Number(edge),
    to: edges[at + 1] ?? Number.POSITIVE_INFINITY,
  };
}

/** The known encoders: a different object when {@link binOf} may answer differently. */
export function encodersNow(): ShownEncoders {
  return encoders.value;
}

/** The names of the encoders that read the clock. Redraws a component when they are known. */
export function clockNames(): readonly string[] {
  return Object.entries(encoders.value).flatMap(([name, { kind }]) => (kind === "clock" ? [name] : []));
}

/** The encoder with this name if it reads the clock; otherwise `undefined`. */
export function clockOf(name: string) {
  const encoder = Object.hasOwn(encoders.value, name) ? encoders.value[name] : undefined;
  return encoder?.kind === "clock" ? encoder : undefined;
}

/** A symbol in words. Redraws a component when the encoders are known. */
export function ranged(symbol: string): string {
  return shownRounded(symbol, encoders.value);
}
