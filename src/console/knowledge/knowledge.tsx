/** What a processor has learned. */

import type { Processor } from "../../client";

export function Knowledge({ processor }: { readonly processor: Processor }) {
  return <p class="nothing">{processor.path}</p>;
}
