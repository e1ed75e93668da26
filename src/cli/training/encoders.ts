/** Gives a processor the encoders that a table needs, so that numbers can be sent as numbers. Knows no file. */

import { NoemaError, type Processor, putEncoder, type Schemas } from "../../client";
import type { Encoder } from "../table/bins";

/** An encoder in the processor's format; `undefined` for one without edges, whose column has no numbers. */
function newEncoder({ bins, hysteresis, onChange }: Encoder): Schemas.NewEncoder | undefined {
  const common = { hysteresis, on_change: onChange };
  if (bins.kind === "step") return { ...bins, ...common };
  return bins.edges.length === 0 ? undefined : { kind: "edges", edges: [...bins.edges], ...common };
}

/**
 * Puts encoders, replacing those of the same names.
 *
 * @param encoders encoders by the name of their numbers
 * @throws Error that names the encoder that was refused
 */
export async function putEncoders(
  processor: Processor,
  encoders: ReadonlyMap<string, Encoder>,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, encoder] of encoders) {
    const wanted = newEncoder(encoder);
    if (wanted === undefined) continue;
    try {
      await putEncoder(processor, name, wanted, { signal });
    } catch (error) {
      if (!(error instanceof NoemaError)) throw error;
      throw new Error(`the encoder for ${name} was not set: ${error.message}`, { cause: error });
    }
  }
}
