/**
 * Counters of this isolate since it started: plain numbers, updated without waiting. Holds no names chosen by users, so
 * that it stays small whatever they do.
 */

/** The upper bounds of the buckets of durations, in milliseconds. */
export const BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/** How long the requests of one operation took. */
export class Histogram {
  /**
   * Requests by bucket, each counted once: in the first whose bound is not below its time, or in the
   * last, which has no bound.
   */
  readonly buckets = new Float64Array(BOUNDS_MS.length + 1);
  /** All times together, in milliseconds. */
  sumMs = 0;

  /** Counts one request. @param ms how long it took, in milliseconds */
  add(ms: number): void {
    let at = 0;
    while (at < BOUNDS_MS.length && ms > (BOUNDS_MS[at] ?? 0)) at++;
    this.buckets[at] = (this.buckets[at] ?? 0) + 1;
    this.sumMs += ms;
  }
}

/** The answered requests of one operation. */
export class OperationMetrics {
  /** Methods and path as the OpenAPI document writes them, such as `POST /{id}/observe`. */
  readonly name: string;
  readonly durations = new Histogram();
  /** How many were answered with each HTTP status. */
  readonly byStatus = new Map<number, number>();

  constructor(name: string) {
    this.name = name;
  }

  /** Counts an answer. @param ms how long it took, in milliseconds */
  add(status: number, ms: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.durations.add(ms);
  }
}

/** What calls of one kind have cost. */
export interface CallCount {
  /** How many there were, refused ones too. */
  readonly calls: number;
  /** Rows that they wrote, as {@link ObjectMetrics.rowsWritten} counts them. */
  readonly rows: number;
}

/** What the objects of an isolate have counted, and what they hold now. */
export interface ObjectMetrics {
  /** Rows inserted, changed or deleted, with entries of indexes, as they are billed. */
  readonly rowsWritten: number;
  /** Alarms set; each is billed as a row. */
  readonly alarmsSet: number;
  /** Processors in memory now. */
  readonly liveProcessors: number;
  /** Bytes of linear memory that the kernels have, and may have. */
  readonly kernelBytes: number;
  readonly kernelLimitBytes: number;
  /** Events for other processors that were recorded, that were delivered, and how often a delivery failed. */
  readonly eventsRecorded: number;
  readonly eventsDelivered: number;
  readonly deliveriesFailed: number;
  /** Events whose delivery failed and that wait for the next attempt. */
  readonly eventsWaiting: number;
  /** Deliveries between processors that had come before and had no effect. */
  readonly redeliveries: number;
  /**
   * What alerts had to tell, the deliveries that were taken, attempts that failed, and deliveries that
   * were given up or dropped.
   */
  readonly alertsTold: number;
  readonly alertsDelivered: number;
  readonly alertFailures: number;
  readonly alertsDropped: number;
  /** Deliveries of alerts that wait. */
  readonly alertsWaiting: number;
  /** Incidents that began, and verdicts on them that were given or taken back. */
  readonly incidents: number;
  readonly verdicts: number;
  /** Records that were observed, models that were learned, answers with predictions, and answers with a forecast. */
  readonly records: number;
  /** Records after which a memory had used nine tenths or more of what it may hold. */
  readonly nearLimit: number;
  readonly learned: number;
  readonly predictions: number;
  readonly forecasts: number;
  /**
   * Records for which something was left undone, because it takes more steps than a request may
   * take: what, and for how many.
   */
  readonly omitted: { readonly [what: string]: number };
  /** Streams that are open. */
  readonly streamsOpen: number;
  /** Frames that took effect, frames that had come before, and messages of streams that were refused. */
  readonly framesTaken: number;
  readonly framesRedelivered: number;
  readonly framesRefused: number;
  /** Events sent over streams. */
  readonly streamEvents: number;
  /** What calls of processors have cost, by service and method; `frame` is a frame of a stream. */
  readonly calls: ReadonlyMap<string, CallCount>;
  /** The version of Noema. */
  readonly version: string;
}

/** All that this isolate counts. */
class Metrics {
  /** Calls refused because too many were under way, by whose limit was reached. */
  readonly overloads = { processor: 0, server: 0 };
  /** Requests whose key is missing or not accepted. They are in no operation's counts. */
  keyRefusals = 0;
  /** When the first request came, in milliseconds of the clock; 0 before that. */
  startedMs = 0;
  /** Deliveries of clients that had come before and had no effect. */
  redeliveries = 0;
  /** Answers that were kept and sent again. */
  replays = 0;
  /** Failures and slow requests for which there was no line in the log, because there were too many. */
  unlogged = 0;
  /** How many calls are under way. */
  callsUnderWay: () => number = () => 0;
  /** What the objects say; `undefined` where there are none, as in tests. */
  objects: (() => ObjectMetrics) | undefined;
  readonly #operations = new Map<object, OperationMetrics>();

  /**
   * The metrics of an operation, the same for each request.
   *
   * @param operation the row of the table, or another object that stands for what was asked
   * @param name gives its name when it is first asked for
   */
  of(operation: object, name: () => string): OperationMetrics {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const made = new OperationMetrics(name());
    this.#operations.set(operation, made);
    return made;
  }

  /** The operations that were asked for, in the order of their names. */
  get operations(): OperationMetrics[] {
    return [...this.#operations.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }
}

/** The counts of this isolate. */
export const metrics = new Metrics();

/** What a reply may say of its call. */
interface Repeatable {
  readonly redelivered?: boolean;
  readonly stamp?: { readonly replayed?: boolean | undefined } | undefined;
}

/** Counts a reply that only repeats what an earlier call has done. @returns the reply */
export function countRepeats<Reply extends object>(reply: Reply): Reply {
  const { redelivered, stamp }: Repeatable = reply;
  if (redelivered === true) metrics.redeliveries++;
  if (stamp?.replayed === true) metrics.replays++;
  return reply;
}
