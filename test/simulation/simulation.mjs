/** One simulation: a plan played in a world of its own, and what was wrong with it. */

import { performance } from "node:perf_hooks";
import { PLAYED } from "./areas.mjs";
import { World } from "./kernel/world.mjs";
import { checkedPlan } from "./plan/checked.mjs";
import { Stage } from "./stage.mjs";

/** Has a world hear of rejections that nothing waits for. @returns what ends it */
function hearRejections(world) {
  const others = process.listeners("unhandledRejection");
  const hear = (reason) => world.uncaught(reason);
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", hear);
  return () => {
    process.removeListener("unhandledRejection", hear);
    for (const listener of others) process.on("unhandledRejection", listener);
  };
}

/**
 * Plays a plan.
 *
 * @param program the loaded Worker
 * @param plan see plan.mjs; is not changed
 * @param {{ isTraced?: boolean }} [options] isTraced: whether to note what happens
 * @returns {{ wrong: string[], counts: object, steps: object[], trace?: string[], ms: number }}
 */
export async function simulate(program, plan, { isTraced = false } = {}) {
  const { area, isolates, isTelling, parts, seed, steps: planned } = checkedPlan(plan);
  const begun = performance.now();
  const world = new World(seed, (one) => program.start(one, isolates));
  if (isTraced) world.trace = [];
  const stopHearing = hearRejections(world);
  try {
    const steps = structuredClone(planned);
    const stage = new Stage(world);
    stage.isTimely = !steps.some(({ faults }) => faults.some(({ fault }) => fault === "set-clock"));
    const { wrong, end } = await PLAYED[area](stage, { steps, seed, isolates, isTelling, parts, program });
    wrong.push(...new Set(stage.left));
    for (const error of world.thrown) wrong.push(`nothing caught this: ${error?.stack ?? error}`);
    const operations = steps.length + end.length;
    const answers = [...steps, ...end].map(({ outcome }) => outcome);
    return {
      wrong,
      counts: { ...world.counts, operations },
      answers,
      trace: world.trace,
      log: world.log,
      ms: performance.now() - begun,
    };
  } finally {
    stopHearing();
    world.close();
  }
}
