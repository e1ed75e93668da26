/** Chooses the processor for a part of the view. Hidden if the agent has only one. */

import { goTo } from "../place";
import type { KnownProcessor } from "../server";

export function ProcessorChoice({
  part,
  processors,
  known,
}: {
  /** The part's name in the fragment. */
  readonly part: string;
  readonly processors: readonly KnownProcessor[];
  readonly known: KnownProcessor;
}) {
  if (processors.length === 1) return null;
  return (
    <p class="processor-choice">
      <label>
        Processor{" "}
        <select
          value={known.id}
          onChange={({ currentTarget: { value } }) => goTo({ view: "agent", path: [part, value], query: {} })}
        >
          {processors.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}
