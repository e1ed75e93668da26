/** Flags of a processor: why it may stay silent, or learn by itself. */

import type { ShownMemory } from "../live/shown-memory";

export function Flags({ shown }: { readonly shown: ShownMemory }) {
  const status = shown.status.value;
  if (status === undefined) return null;
  const { SLEEPING, PREDICT, AUTOLEARN, target } = status;
  return (
    <>
      {SLEEPING && <span class="flag">asleep: it ignores observations</span>}
      {!PREDICT && <span class="flag">not predicting</span>}
      {AUTOLEARN && <span class="flag">learns by itself</span>}
      {target !== "" && <span class="flag">only models that end with {target}</span>}
    </>
  );
}
