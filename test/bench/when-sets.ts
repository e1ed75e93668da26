/**
 * How well `when` in forecasts says when the next activity of a process comes: the protocol of Tax et al. (CAiSE 2017).
 * The first two thirds of the cases are learned, each as one sequence with an end at the time of its last activity; of
 * the others, every prefix of two activities and more is observed, with its times, whose case goes on.
 */

import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { Mind } from "../../src/processor/mind";
import { PoolingForecaster } from "../../src/processor/prediction/estimator/pooling-forecaster";
import { ProcessorCore } from "../../src/processor/processor-core";
import { learn } from "../../src/processor/verbs/learning";
import { OracleNeighbours } from "../oracle/neighbours";
import { MemoryStore } from "../support/memory-store";

const DAY = 86_400;

/** An activity of a case. */
interface Step {
  readonly activity: string;
  /** Epoch seconds. */
  readonly time: number;
}

/** What was measured of a log. */
export interface Measured {
  /** How many prefixes were asked about. */
  readonly asked: number;
  /** The mean absolute error of `p50`, in days. */
  readonly days: number;
  /** The share of next activities that came first in the forecast. */
  readonly right: number;
  /** The share of times between `p10` and `p90`. */
  readonly within: number;
  /** Milliseconds of a forecast, in the mean. */
  readonly milliseconds: number;
}

/** The cases of a log with the columns CaseID, ActivityID and CompleteTimestamp, in the order of the file. */
function casesOf(text: string): Step[][] {
  const cases = new Map<string, Step[]>();
  for (const line of text.trim().split(/\r?\n/).slice(1)) {
    const [name = "", activity = "", moment = ""] = line.split(",");
    const step = { activity, time: Date.parse(`${moment.replace(" ", "T")}Z`) / 1000 };
    const known = cases.get(name);
    if (known === undefined) cases.set(name, [step]);
    else known.push(step);
  }
  return [...cases.values()];
}

/** Measures one log. @param text the file */
export function measureWhen(module: WebAssembly.Module, text: string): Measured {
  const kernel = Kernel.create(new KernelMemory(module));
  const forecaster = new PoolingForecaster(kernel.forecastRules);
  const parts = { store: new MemoryStore(), matcher: kernel, neighbours: new OracleNeighbours(), forecaster };
  const mind = new Mind(new ProcessorCore({ id: "p46b6b076c", name: "P1", ...parts }), "", undefined);
  const cases = casesOf(text);
  const learned = Math.floor((cases.length * 2) / 3);
  for (const steps of cases.slice(0, learned)) {
    for (const { activity, time } of steps) mind.memory.append([activity], "{}", time);
    mind.memory.append(["[END]"], "{}", steps.at(-1)?.time ?? 0);
    learn(mind);
    mind.recordState();
  }
  const sums = { asked: 0, error: 0, right: 0, within: 0 };
  const began = performance.now();
  for (const steps of cases.slice(learned)) askAbout(mind, steps, sums);
  const { asked, error, right, within } = sums;
  const milliseconds = (performance.now() - began) / asked;
  kernel.release();
  return { asked, days: error / asked / DAY, right: right / asked, within: within / asked, milliseconds };
}

/** Asks about every prefix of a case of two activities and more, and adds up how good the answers are. */
function askAbout(mind: Mind, steps: readonly Step[], sums: Record<"asked" | "error" | "right" | "within", number>) {
  mind.memory.clear();
  for (const [at, { activity, time }] of steps.entries()) {
    if (at >= 2) {
      mind.memory.holdEnsemble();
      const [next] = mind.forecasts.forecast({ horizon: 1, top: 1 }).steps;
      const seconds = time - (steps[at - 1]?.time ?? 0);
      const { p10 = 0, p50 = 0, p90 = 0 } = next?.when ?? {};
      sums.asked++;
      sums.error += Math.abs(p50 - seconds);
      sums.right += Number(next?.symbols[0]?.symbol === activity);
      sums.within += Number(p10 <= seconds && seconds <= p90);
    }
    mind.memory.append([activity], "{}", time);
  }
}
