/** The error of calls that Noema refused or did not answer. */

/** Details of a failed call. */
interface Circumstances {
  readonly operation: string;
  readonly status: number;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A call that failed. `message` is the sentence of the server's answer, or says what happened instead of an answer. No
 * error ever holds the key.
 */
export class NoemaError extends Error {
  override readonly name = "NoemaError";
  /** The function of the client that failed, such as `observe`. */
  readonly operation: string;
  /**
   * The HTTP status: 200 when the server says that it lacks the feature, has done nothing, or could not finish an
   * export; 0 when there was no answer. After 0 it is unknown whether the call took effect. Of a stream that the server
   * ended: the close code, such as 4001.
   */
  readonly status: number;
  /** Seconds after which the server wants the next attempt, if it says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { operation, status, retryAfter, cause }: Circumstances) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
