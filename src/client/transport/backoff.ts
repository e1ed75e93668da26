/**
 * How long to wait before a call is repeated: "full jitter", a random share of a limit that doubles, so that clients do
 * not come back all at once.
 */

/** The settings that pauses follow, in milliseconds. */
interface Pauses {
  readonly firstPause: number;
  readonly longestPause: number;
}

/**
 * The pause before the next attempt, in milliseconds.
 *
 * @param failures how many attempts have failed, 1 or more
 * @param retryAfter seconds after which the server wants the next attempt
 * @returns `undefined` if the server asks for a pause that is longer than allowed
 */
export function pauseAfter(
  failures: number,
  retryAfter: number | undefined,
  { firstPause, longestPause }: Pauses,
): number | undefined {
  const jitter = Math.random() * Math.min(longestPause, firstPause * 2 ** (failures - 1));
  if (retryAfter === undefined) return jitter;
  const asked = retryAfter * 1000;
  return asked > longestPause ? undefined : asked + jitter;
}

/**
 * Seconds from the header `Retry-After`, which holds seconds or a date.
 *
 * @returns 0 or more; `undefined` when there is no header or it holds something else
 */
export function retryAfterIn(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Waits, and throws the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
