/** Makes a failing plan smaller, as long as it fails: delta debugging of its steps, and then of its faults. */

/** The parts of a list without one of them, for a number of parts. */
function* without(list, parts) {
  const size = Math.ceil(list.length / parts);
  for (let from = 0; from < list.length; from += size) yield [...list.slice(0, from), ...list.slice(from + size)];
}

/** The smallest list found that still fails. @param {(list: unknown[]) => Promise<boolean>} fails */
async function smallest(list, fails) {
  let least = list;
  for (let parts = 2; least.length > 0; ) {
    let found;
    for (const candidate of without(least, parts)) {
      if (await fails(candidate)) {
        found = candidate;
        break;
      }
    }
    if (found !== undefined) {
      least = found;
      parts = Math.max(2, parts - 1);
    } else if (parts >= least.length) return least;
    else parts = Math.min(least.length, parts * 2);
  }
  return least;
}

/**
 * Shrinks a plan.
 *
 * @param {object} plan one that fails
 * @param {(plan: object) => Promise<boolean>} fails whether a plan fails
 */
export async function shrunk(plan, fails) {
  const withSteps = (steps) => ({ ...plan, steps });
  let steps = await smallest(plan.steps, (some) => fails(withSteps(some)));
  const faulty = steps.filter(({ faults }) => faults.length > 0);
  const withFaultsOf = (some) => steps.map((step) => (some.includes(step) ? step : { ...step, faults: [] }));
  const needed = await smallest(faulty, (some) => fails(withSteps(withFaultsOf(some))));
  steps = withFaultsOf(needed);
  return withSteps(await smallest(steps, (some) => fails(withSteps(some))));
}
