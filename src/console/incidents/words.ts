/** Symbols in words, by the encoders of the processor that made them. */

import { type Signal, signal } from "@preact/signals";
import type { ShownEncoders } from "../../cli/table/ranges";
import { listEncoders } from "../../client";
import { shownRounded } from "../parts/rounded-ranges";
import { may } from "../rights";
import type { KnownProcessor } from "../server";

const NONE: ShownEncoders = {};

/** By processor; dropped together with the client. */
const known = new WeakMap<KnownProcessor["processor"], Signal<ShownEncoders>>();

/**
 * The words for a processor's symbols. Redraws a component when the encoders are known: until then, and for a key that
 * may not read them, symbols are shown unchanged.
 */
export function wordsOf(known: KnownProcessor | undefined): (symbol: string) => string {
  const encoders = known === undefined ? NONE : encodersOf(known).value;
  return (symbol) => shownRounded(symbol, encoders).replace(/^(VECTOR\|[0-9a-f]{8})[0-9a-f]+$/, "$1…");
}

function encodersOf({ id, processor }: KnownProcessor): Signal<ShownEncoders> {
  const before = known.get(processor);
  if (before !== undefined) return before;
  const encoders = signal(NONE);
  known.set(processor, encoders);
  if (may({ of: "processor", processor: id }, "read", "manage")) {
    listEncoders(processor).then(
      (all) => {
        encoders.value = all;
      },
      () => {
        // Symbols are shown unchanged; the next view tries again.
        known.delete(processor);
      },
    );
  }
  return encoders;
}
