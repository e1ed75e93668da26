/** How full a processor is, as a share of each of its limits, in numbers and words. Plain data. */

import type { Schemas } from "../../../client";
import { bytes, whole } from "../../parts/figures";

/** How much of one limit a processor uses. */
export interface Fullness {
  readonly what: "models" | "memory" | "database";
  /** From 0 to 1; `undefined` when there is no limit, or the share is unknown. */
  readonly share: number | undefined;
  /** The label in the drawing. */
  readonly short: string;
  /** The full text, with all digits. */
  readonly full: string;
}

/** The limits of a processor that can be reached: models of max_models, kernel memory, and the database. */
export function fullnessOf(usage: Schemas.ProcessorUsage): readonly Fullness[] {
  const { models, max_models, memory_bytes, memory_limit_bytes, storage_bytes, storage_limit_bytes } = usage;
  return [
    models === null
      ? unknown("models")
      : {
          ...measured("models", models, max_models),
          short: modelsOf(models, max_models),
          full: modelsOf(models, max_models),
        },
    memory_bytes === null
      ? { ...unknown("memory"), short: usage.status === "okay" ? "not in memory" : "unknown" }
      : measured("memory", memory_bytes, memory_limit_bytes),
    storage_bytes === null ? unknown("database") : measured("database", storage_bytes, storage_limit_bytes),
  ];
}

function modelsOf(models: number, most: number | null): string {
  return most === null || most === 0 ? whole(models) : `${whole(models)} of ${whole(most)}`;
}

function unknown(what: Fullness["what"]): Fullness {
  return { what, share: undefined, short: "unknown", full: "unknown" };
}

function measured(what: Fullness["what"], value: number, limit: number | null): Fullness {
  const share = limit === null || limit === 0 ? undefined : Math.min(1, value / limit);
  const full = `${whole(value)} bytes${limit === null ? "" : ` of ${whole(limit)}`}`;
  return { what, share, short: bytes(value), full };
}
