/** The events of a table's rows, as a processor that has learned similar tables would make them. Knows no file. */

import type { Schemas } from "../../client";
import type { Encoder } from "../table/bins";
import type { Columns } from "../table/columns";
import type { ShownEncoders } from "../table/ranges";
import type { TimeSymbols } from "../table/time-symbols";
import type { Event } from "./judging";

/**
 * The events of records, in order, as the processor would make them.
 *
 * @returns the symbols of each record; empty if the record makes no event
 */
export function eventsOf(records: readonly Schemas.Gdf[], times: TimeSymbols): Event[] {
  times.clear();
  return records.map(({ strings = [], time }) =>
    strings.length === 0 ? [] : [...strings, ...times.next(typeof time === "number" ? time : undefined)],
  );
}

/**
 * The encoders with which the processor has learned the numbers of the columns.
 *
 * @throws Error that names the column whose numbers the processor does not know
 */
export function usedEncoders({ numbers }: Columns, encoders: ShownEncoders, processor: string): Map<string, Encoder> {
  return new Map(
    numbers.map(({ column }) => {
      const encoder = Object.hasOwn(encoders, column) ? encoders[column] : undefined;
      const bins = encoder === undefined ? undefined : binsOf(encoder);
      if (encoder === undefined || bins === undefined) {
        const reason = encoder === undefined ? "has no encoder" : "has not found the bins";
        throw new Error(
          `the processor ${processor} ${reason} for the numbers of ${column}: let it learn some with noema train`,
        );
      }
      const { hysteresis = 0, on_change: onChange = false } = encoder as { hysteresis?: number; on_change?: boolean };
      return [column, { bins, hysteresis, onChange }];
    }),
  );
}

function binsOf(encoder: ShownEncoders[string]): Encoder["bins"] | undefined {
  if (encoder.kind === "step") return { kind: "step", size: encoder.size, origin: encoder.origin };
  if (encoder.kind === "edges" || encoder.kind === "auto") {
    return encoder.edges === undefined ? undefined : { kind: "edges", edges: encoder.edges };
  }
  return undefined;
}
