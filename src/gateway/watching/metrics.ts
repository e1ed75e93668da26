/**
 * Counters of this isolate since it started: plain numbers, updated without waiting. Holds no names chosen by users, so
 * that its size is bounded.
 */

/** The upper bounds of the buckets of durations, in milliseconds. */
export const BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/** The durations of the requests of one operation. */
export class Histogram {
  /**
   * Requests by bucket, each counted once: in the first whose bound is not below its duration, or in the last, which is
   * unbounded.
   */
  readonly buckets = new Float64Array(BOUNDS_MS.length + 1);
  /** Sum of all durations, in milliseconds. */
  sumMs = 0;

  /** Counts one request. @param ms its duration, in milliseconds */
  add(ms: number): void {
    let at = 0;
    while (at < BOUNDS_MS.length && ms > (BOUNDS_MS[at] ?? 0)) at++;
    this.buckets[at] = (this.buckets[at] ?? 0) + 1;
    this.sumMs += ms;
  }
}

/** The answered requests of one operation. */
export class OperationMetrics {
  /** Methods and path as in the OpenAPI document, such as `POST /{id}/observe`. */
  readonly name: string;
  readonly durations = new Histogram();
  /** Number of answers by HTTP status. */
  readonly byStatus = new Map<number, number>();

  constructor(name: string) {
    this.name = name;
  }

  /** Counts an answer. @param ms its duration, in milliseconds */
  add(status: number, ms: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.durations.add(ms);
  }
}

/** The cost of calls of one kind. */
export interface CallCount {
  /** Number of calls, including refused ones. */
  readonly calls: number;
  /** Rows that they wrote, counted as in {@link ObjectMetrics.rowsWritten}. */
  readonly rows: number;
}

/** The counters of an isolate's objects, and what they hold now. */
export interface ObjectMetrics {
  /** Rows inserted, changed or deleted, including index entries, as billed. */
  readonly rowsWritten: number;
  /** Alarms set; each is billed as a row. */
  readonly alarmsSet: number;
  /** Processors in memory now. */
  readonly liveProcessors: number;
  /** Bytes of the kernels' linear memory, and their maximum. */
  readonly kernelBytes: number;
  readonly kernelLimitBytes: number;
  /** Events for other processors: recorded ones, delivered ones, and failed attempts. */
  readonly eventsRecorded: number;
  readonly eventsDelivered: number;
  readonly deliveriesFailed: number;
  /** Events waiting for another attempt. */
  readonly eventsWaiting: number;
  /** Repeated deliveries between processors, which had no effect. */
  readonly redeliveries: number;
  /** Notices of alerts, successful deliveries, failed attempts, and deliveries given up or dropped. */
  readonly alertsTold: number;
  readonly alertsDelivered: number;
  readonly alertFailures: number;
  readonly alertsDropped: number;
  /** Waiting deliveries of alerts. */
  readonly alertsWaiting: number;
  /** New incidents, and verdicts set or removed. */
  readonly incidents: number;
  readonly verdicts: number;
  /** Observed records, learned models, answers with predictions, and answers with a forecast. */
  readonly records: number;
  /** Records after which a memory was nine tenths full or more. */
  readonly nearLimit: number;
  readonly learned: number;
  readonly predictions: number;
  readonly forecasts: number;
  /** Records for which something was skipped because it exceeded the steps of a request, by what was skipped. */
  readonly omitted: { readonly [what: string]: number };
  /** Open streams and MQTT connections. */
  readonly streamsOpen: number;
  /** Open MQTT connections. */
  readonly mqttOpen: number;
  /** Frames that took effect, repeated frames, and refused messages of streams. */
  readonly framesTaken: number;
  readonly framesRedelivered: number;
  readonly framesRefused: number;
  /** Events sent over streams. */
  readonly streamEvents: number;
  /** The cost of processors' calls, by service and method; `frame` is a frame of a stream. */
  readonly calls: ReadonlyMap<string, CallCount>;
  /** The version of Noema. */
  readonly version: string;
}

/** All counters of this isolate. */
class Metrics {
  /** Calls refused because too many were running, by the limit that was reached. */
  readonly overloads = { processor: 0, server: 0 };
  /** Requests whose key is missing or not accepted. Not counted for any operation. */
  keyRefusals = 0;
  /** When the first request came, in milliseconds of the clock; 0 before. */
  startedMs = 0;
  /** Repeated deliveries of clients, which had no effect. */
  redeliveries = 0;
  /** Kept answers that were sent again. */
  replays = 0;
  /** Failures and slow requests without a line in the log, because there were too many. */
  unlogged = 0;
  /** Number of running calls. */
  callsUnderWay: () => number = () => 0;
  /** The counters of the objects; `undefined` without objects, as in tests. */
  objects: (() => ObjectMetrics) | undefined;
  readonly #operations = new Map<object, OperationMetrics>();

  /**
   * The metrics of an operation, shared by its requests.
   *
   * @param operation the row of the table, or another object that stands for the request
   * @param name returns its name when it is first requested
   */
  of(operation: object, name: () => string): OperationMetrics {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const metrics = new OperationMetrics(name());
    this.#operations.set(operation, metrics);
    return metrics;
  }

  /** The operations requested so far, in the order of their names. */
  get operations(): OperationMetrics[] {
    return [...this.#operations.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }
}

/** The counts of this isolate. */
export const metrics = new Metrics();

/** A reply that may tell whether its call was a repetition. */
interface Repeatable {
  readonly redelivered?: boolean;
  readonly stamp?: { readonly replayed?: boolean | undefined } | undefined;
}

/** Counts a reply that only repeats the result of an earlier call. @returns the reply */
export function countRepeats<Reply extends object>(reply: Reply): Reply {
  const { redelivered, stamp }: Repeatable = reply;
  if (redelivered === true) metrics.redeliveries++;
  if (stamp?.replayed === true) metrics.replays++;
  return reply;
}
