/**
 * Lets a processor find the edges for the numbers of a table before it learns: it gets a sample of the whole column, so
 * no row is used up by the search. Knows no file.
 */

import {
  endSession,
  listEncoders,
  observeSequence,
  type Processor,
  putEncoder,
  type Schemas,
  session,
} from "../../client";
import type { Columns } from "../table/columns";
import type { AutoRule } from "../table/number-rule";

/** What the search needs besides the processor. */
export interface Search {
  /** The columns; only those whose rule asks for found edges are used. */
  readonly columns: Columns;
  /** A sample of each column: as many numbers as an encoder waits for. */
  readonly samples: ReadonlyMap<string, readonly number[]>;
  /** A session that only the search uses; it is ended afterwards. */
  readonly session: string;
  readonly signal: AbortSignal;
}

/**
 * Whether the encoder of a column must still find its edges. Puts the encoder if there is none, or if a different one
 * is wanted.
 *
 * @param known the encoder of the column; `undefined` if there is none
 */
async function isToBeFound(
  processor: Processor,
  column: string,
  { auto, isDefault, hysteresis, onChange }: AutoRule,
  known: Schemas.Encoder | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (known !== undefined && isDefault) return known.kind === "auto" && known.edges === undefined;
  const wanted = { kind: "auto", bins: auto, hysteresis, on_change: onChange } as const;
  const put = await putEncoder(processor, column, wanted, { signal });
  return put.kind === "auto" && put.edges === undefined;
}

/** Puts the encoders that find their edges, and lets them find the edges in a sample of the table. */
export async function findEdges(processor: Processor, search: Search): Promise<void> {
  const { columns, samples, signal } = search;
  if (!columns.numbers.some(({ rule }) => "auto" in rule)) return;
  const known = await listEncoders(processor, { signal });
  const wanted: string[] = [];
  for (const { column, rule } of columns.numbers) {
    const before = Object.hasOwn(known, column) ? known[column] : undefined;
    if ("auto" in rule && (await isToBeFound(processor, column, rule, before, signal))) wanted.push(column);
  }
  const found = wanted.flatMap((column) => [[column, samples.get(column) ?? []] as const]);
  const count = Math.max(0, ...found.map(([, numbers]) => numbers.length));
  if (count === 0) return;
  const sequence = Array.from({ length: count }, (_, at) => {
    const numbers = found.flatMap(([column, all]) => (all[at] === undefined ? [] : [[column, all[at]] as const]));
    return { numbers: Object.fromEntries(numbers) };
  });
  await observeSequence(session(processor, search.session), { sequence }, { signal });
  await endSession(processor, search.session, { signal });
}
