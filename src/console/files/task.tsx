/** A long-running task: its progress, a way to cancel it, and its result. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Failure } from "../parts/failure";
import { Progress } from "../parts/progress";

/** Progress of a task. */
export interface Step {
  readonly label: string;
  readonly done: number;
  /** The final count; absent if unknown. */
  readonly total?: number | undefined;
  /** What is counted. */
  readonly unit: string;
}

/** The work of a task. @param report reports progress @returns the result in words */
type Work = (signal: AbortSignal, report: (step: Step) => void) => Promise<string>;

export interface Task {
  readonly step: Signal<Step | undefined>;
  readonly error: Signal<unknown>;
  readonly said: Signal<string>;
  /** Starts it unless it is already running. */
  readonly begin: (first: Step, work: Work) => void;
  readonly stop: () => void;
}

/** A task of a component; it is cancelled on unmount. */
export function useTask(): Task {
  const step = useSignal<Step | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const said = useSignal("");
  const over = useRef<AbortController | undefined>(undefined);
  const stop = () => over.current?.abort(new DOMException("stopped", "AbortError"));
  useEffect(() => stop, []);
  const begin = (first: Step, work: Work) => {
    if (step.value !== undefined) return;
    const mine = new AbortController();
    over.current = mine;
    step.value = first;
    error.value = undefined;
    said.value = "";
    const report = (now: Step) => {
      step.value = now;
    };
    work(mine.signal, report)
      .then(
        (end) => {
          said.value = end;
        },
        (reason: unknown) => {
          if (mine.signal.aborted) said.value = "Stopped.";
          else error.value = reason;
        },
      )
      .finally(() => {
        step.value = undefined;
      });
  };
  return { step, error, said, begin, stop };
}

export function TaskState({ task: { step, error, said, stop } }: { readonly task: Task }) {
  return (
    <>
      {step.value !== undefined && <Progress {...step.value} onStop={stop} />}
      <Failure error={error.value} />
      <p class="said" role="status">
        {said.value}
      </p>
    </>
  );
}
