/**
 * Generates what washing machines of a laundry report: a record for each minute, with the phase and how warm the water is. No real machine
 * has reported any of this.
 */

const PROGRAMMES = {
  cotton: { warmth: ["cold", "warm", "hot"], washing: 3 },
  delicate: { warmth: ["cold", "warm"], washing: 2 },
  quick: { warmth: ["cold"], washing: 1 },
};

/** How often a sensor reports water of a wrong warmth, once. */
const MISREAD = 0.005;

/**
 * One cycle of a washer.
 *
 * @param {import("../random.mjs").Random} random
 * @param {boolean} heats false: the heater is broken, and the water stays cold
 * @returns {string[][]} the records, oldest first, each a list of symbols
 */
export function generateCycle(random, heats) {
  const programme = random.pick(Object.keys(PROGRAMMES));
  const { warmth, washing } = PROGRAMMES[programme];
  const water = (warm) => `water=${random.happens(MISREAD) ? random.pick(["cold", "warm", "hot"]) : warm}`;
  const heating = warmth.slice(1).map((warm) => ["heating", water(heats ? warm : "cold")]);
  const minutes = washing + random.below(2);
  return [
    ["start", `programme=${programme}`],
    ["filling", water("cold")],
    ...heating,
    ...Array.from({ length: minutes }, () => ["washing", water(heats ? warmth.at(-1) : "cold")]),
    ["draining"],
    ...Array.from({ length: 1 + random.below(2) }, () => ["rinsing", water("cold")]),
    ["spinning"],
    ["end"],
  ];
}
