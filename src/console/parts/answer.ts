/** A hook that queries the server, and repeats the query while the page is visible. Knows no view. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** The latest answer. */
export interface Answer<T> {
  /** `undefined` until there is an answer. */
  readonly value: T | undefined;
  /** When the answer arrived, in epoch milliseconds. */
  readonly at: number | undefined;
  /** Why the latest query failed; `undefined` if it did not. */
  readonly error: unknown;
  /** Repeats the query now. Resolves when it is answered or has failed. */
  readonly again: () => Promise<void>;
}

/**
 * Queries at once, and again whenever a dependency changes.
 *
 * @param ask gets a signal that is aborted when the answer is no longer needed
 * @param everyMs pause between an answer and the next query, in milliseconds, while the page is visible;
 *   `undefined` for no repetition
 */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[],
  everyMs?: number,
): Answer<T> {
  const last = useSignal<Omit<Answer<T>, "again">>({ value: undefined, at: undefined, error: undefined });
  const again = useRef<() => Promise<void>>(async () => undefined);
  useEffect(() => {
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asked = 0;
    let newest = 0;
    const askOnce = async () => {
      const question = ++asked;
      // Drop an answer that a later query has overtaken.
      const take = (answer: typeof last.value) => {
        if (over.signal.aborted || question < newest) return;
        newest = question;
        last.value = answer;
      };
      try {
        const value = await ask(over.signal);
        take({ value, at: Date.now(), error: undefined });
      } catch (error) {
        take({ ...last.value, error });
      }
    };
    const askOn = async () => {
      // A single query runs even while the page is hidden.
      if (!document.hidden || everyMs === undefined) await askOnce();
      if (!over.signal.aborted && everyMs !== undefined) timer = setTimeout(() => void askOn(), everyMs);
    };
    again.current = askOnce;
    void askOn();
    return () => {
      clearTimeout(timer);
      over.abort(new DOMException("the view was left", "AbortError"));
    };
  }, dependencies);
  return { ...last.value, again: () => again.current() };
}
