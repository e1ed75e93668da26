/**
 * Asks the server for something that a part of the view shows, and again from time to time while
 * somebody looks. Knows no part.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** What the server said last. */
export interface Answer<T> {
  /** `undefined` until there is an answer. */
  readonly value: T | undefined;
  /** When it came, in milliseconds since 1970. */
  readonly at: number | undefined;
  /** Why there is none newer; `undefined` while the last question was answered. */
  readonly error: unknown;
  /** Asks now. Resolves when there is an answer, or an error in its place. */
  readonly again: () => Promise<void>;
}

/**
 * Asks at once, and again whenever one of the dependencies is another one.
 *
 * @param ask is told when nobody wants the answer any longer
 * @param everyMs so long after an answer it asks again, in milliseconds, unless the page is hidden; `undefined`: never
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
      // An answer may be overtaken by that of a later question: then it is no longer so.
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
      // What is asked once is asked also where nobody looks yet.
      if (!document.hidden || everyMs === undefined) await askOnce();
      if (!over.signal.aborted && everyMs !== undefined) timer = setTimeout(() => void askOn(), everyMs);
    };
    again.current = askOnce;
    void askOn();
    return () => {
      clearTimeout(timer);
      over.abort(new DOMException("nobody looks any longer", "AbortError"));
    };
  }, dependencies);
  return { ...last.value, again: () => again.current() };
}
