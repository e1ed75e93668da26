/** The evidence for a prediction or a forecast. */

import type { Memory } from "../../client";

export function Why({ memory }: { readonly memory: Memory }) {
  return <p class="nothing">{memory.path}</p>;
}
