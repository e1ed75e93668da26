/** Aborts an attempt when its caller does, or the server is silent for too long. */

/** Watches one attempt. End it, or its timer keeps running. */
export interface Watch {
  /** Aborted by the caller, or when the silence was too long. */
  readonly signal: AbortSignal;
  /** The message about the silence, once it was too long. */
  readonly silence: string | undefined;
  /** Waiting for the server: restarts the silence. */
  touch(): void;
  /** Not waiting for the server: stops the silence. */
  rest(): void;
  end(): void;
}

/**
 * Starts watching.
 *
 * @param signal the caller's
 * @param timeout the longest silence in milliseconds; 0 for no limit
 */
export function watchOver(signal: AbortSignal | undefined, timeout: number): Watch {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: string | undefined;
  const abort = () => controller.abort(signal?.reason);
  const rest = () => clearTimeout(timer);
  const end = () => {
    rest();
    signal?.removeEventListener("abort", abort);
  };
  const touch = () => {
    rest();
    if (timeout === 0 || controller.signal.aborted) return;
    timer = setTimeout(() => {
      silence = `nothing was heard for ${timeout} ms`;
      controller.abort(new DOMException(silence, "TimeoutError"));
    }, timeout);
  };
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  touch();
  return {
    signal: controller.signal,
    get silence() {
      return silence;
    },
    touch,
    rest,
    end,
  };
}
