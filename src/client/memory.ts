/** Observing and predicting, at a processor's own memory or in a session. */

import type {
  AskPredictions,
  Delivery,
  Gdf,
  ModelLabel,
  Observed,
  ObservedSequence,
  PartialPrediction,
  Prediction,
} from "./gen/operations";
import { type Answer, envelope, message } from "./transport/call";
import type { Memory } from "./transport/connection";
import { type CallOptions, checkedOptions, type Repeats, type WriteOptions } from "./transport/exchange";
import { checked } from "./transport/members";
import { nameSegment } from "./transport/names";
import { checkedRecord } from "./transport/record";

/** Options of observations. */
export interface ObserveOptions extends WriteOptions {
  /**
   * Source and number by which the server accepts the records once, instead of an idempotency key: `source`, a name of
   * 1 to 128 bytes of UTF-8, and `number`, 1 to 2^53 - 1, above every number that the source has sent to this memory
   * before. If it is not, nothing changes, and each answer has `redelivered: true`.
   */
  readonly delivery?: Delivery;
  /** Whether each answer has the surprise of its event, in `surprise`. The key then also needs the role read. */
  readonly explain?: boolean;
}

/** The results of a sequence of records. */
export interface ObservedRecords {
  /** The result of each observation, in order. */
  readonly observed: Observed[];
  /** The model that was learned at the end, as `MODEL|<hash>`; `null` if none was. */
  readonly learned: ModelLabel | null;
}

/**
 * Adds one record to working memory.
 *
 * @param gdf strings, vectors (finite doubles, all of one length), emotives (finite doubles by name),
 *   metadata: each may be absent
 * @returns `status` `"asleep"` if the processor sleeps and has ignored the record; with `explain`, `surprise`, which is
 *   `null` without an event, a memory before it, or knowledge
 * @throws NoemaError 400 if a value is not accepted, 413 if the record or working memory would be too large
 */
export async function observe(memory: Memory, gdf: Gdf, options: ObserveOptions = {}): Promise<Observed> {
  const { delivery, explain, ...others } = checkedOptions("observe", options, OBSERVING);
  const sent = delivered(checkedRecord(gdf), delivery);
  const path = explained("observe", explain);
  return message(memory, { operation: "observe", method: "POST", path, ...sent }, others);
}

const OBSERVING = { delivery: 1, explain: 1, idempotencyKey: 1 } as const;

function explained(path: string, explain = false): string {
  return explain ? `${path}?explain=true` : path;
}

/**
 * The body of an observation and how it may be sent again. Throws TypeError or RangeError if the
 * delivery is not accepted.
 */
function delivered(data: unknown, delivery: Delivery | undefined): { body: unknown; repeats: Repeats } {
  if (delivery === undefined) return { body: { data }, repeats: "keyed" };
  const { source, number } = checked("a delivery", "member", delivery, { source: 1, number: 1 });
  nameSegment("the name of a source", source);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new RangeError(`the number of a delivery must be a whole number from 1 to 2^53 - 1, got ${number}`);
  }
  return { body: { data, delivery: { source, number } }, repeats: "numbered" };
}

/**
 * Observes records in order, all or none.
 *
 * @param records the records, oldest first (at most 50,000, unless the server was set up otherwise); whether to `clear`
 *   working memory before, and whether to `learn` it after
 * @throws NoemaError 400 if a value is not accepted, 413 if there are too many records or working memory would be
 *   too large; also if there are more than about 24,000 and the call has a key: with a delivery, or with
 *   `retries: 0`, it has none
 */
export async function observeSequence(
  memory: Memory,
  records: ObservedSequence,
  options: ObserveOptions = {},
): Promise<ObservedRecords> {
  const { delivery, explain, ...others } = checkedOptions("observeSequence", options, OBSERVING);
  const { sequence } = checked("observeSequence", "member", records, {
    sequence: 1,
    learn: 1,
    clear: 1,
  });
  // The server says what is wrong with a sequence that is not a list.
  if (Array.isArray(sequence)) sequence.forEach(checkedRecord);
  const sent = delivered(records, delivery);
  const { message: observed, learned_model }: Answer<"observeSequence"> = await envelope(
    memory,
    { operation: "observeSequence", method: "POST", path: explained("sequence-observe", explain), ...sent },
    others,
  );
  return { observed, learned: learned_model ?? null };
}

/** What to predict from, and how much of it to return. */
export type PredictionQuery = AskPredictions;

/** Predictions with all members, unless the query may name some. */
type Asked<Q extends PredictionQuery> = "fields" extends keyof Q ? PartialPrediction[] : Prediction[];

/**
 * What working memory predicts, best first; or what `sequence` would predict if it were working memory.
 *
 * @param query `top`: maximum number of predictions, 1 to 10,000; `fields`: the members to return; `unique_id`: returns
 *   none unless the last observation has this identifier
 * @throws NoemaError 400 if a value is not accepted, 413 if the matching takes too many steps
 */
export async function getPredictions<const Q extends PredictionQuery = Omit<PredictionQuery, "fields">>(
  memory: Memory,
  query?: Q,
  options?: CallOptions,
): Promise<Asked<Q>> {
  const names = { unique_id: 1, sequence: 1, top: 1, fields: 1 } as const;
  if (query !== undefined) checked<PredictionQuery>("the query of getPredictions", "member", query, names);
  const body = query === undefined ? undefined : { data: query };
  const call = { operation: "getPredictions", method: "POST", path: "predictions", repeats: "read", body } as const;
  return (await message(memory, call, options)) as Asked<Q>;
}
