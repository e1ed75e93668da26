/** An answer of the server as long as a component shows it: asked again when what it depends on changes. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** What the server said last, and what went wrong since. */
export interface Asked<Answer> {
  /** `undefined` until the first answer. It stays while a newer one is on its way. */
  readonly answer: Signal<Answer | undefined>;
  /** What the last question has thrown; `undefined` when it was answered. */
  readonly error: Signal<unknown>;
  /** Asks again. */
  readonly again: () => void;
}

/**
 * Asks when the component appears, and again whenever one of `inputs` has changed. An answer that comes after a later question is dropped.
 *
 * @param ask the question; it stops when the signal does
 */
export function useAnswer<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  inputs: readonly unknown[],
): Asked<Answer> {
  const answer = useSignal<Answer | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const asked = useSignal(0);
  useEffect(() => {
    const over = new AbortController();
    ask(over.signal).then(
      (said) => {
        if (over.signal.aborted) return;
        answer.value = said;
        error.value = undefined;
      },
      (reason: unknown) => {
        if (!over.signal.aborted) error.value = reason;
      },
    );
    return () => over.abort(new DOMException("asked anew", "AbortError"));
  }, [...inputs, asked.value]);
  return {
    answer,
    error,
    again: () => {
      asked.value++;
    },
  };
}
