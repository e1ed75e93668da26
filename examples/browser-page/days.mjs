/** What a person notes in a day, and made-up days to try the page with. */

/** The things that the page has buttons for. */
export const THINGS = [
  ...["shower", "coffee", "news", "bus", "work", "lunch", "walk", "groceries", "gym"],
  ...["call mum", "cook", "film", "book", "sleep"],
];

const WORKDAY = ["shower", "coffee", "news", "bus", "work", "lunch", "work", "bus"];
const EVENINGS = [
  ["groceries", "cook", "film"],
  ["gym", "cook", "book"],
  ["call mum", "cook", "book"],
  ["gym", "film"],
];
const SUNDAYS = [
  ["coffee", "news", "walk", "call mum", "cook", "film", "sleep"],
  ["coffee", "book", "lunch", "walk", "cook", "film", "sleep"],
];

/** How often something is left out, or comes in between. */
const CHANGE = 0.06;

/** Random numbers by mulberry32: the same seed gives the same days on every machine. */
function* randomNumbers(seed) {
  for (let state = seed; ; ) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    yield ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}

/**
 * Generates days.
 *
 * @param {number} count how many
 * @param {number} seed a whole number
 * @returns {string[][]} each day's things, in their order
 */
export function generateDays(count, seed) {
  const random = randomNumbers(seed);
  const pick = (values) => values[Math.floor(random.next().value * values.length)];
  const changed = (thing) => {
    const drawn = random.next().value;
    if (drawn < CHANGE) return [];
    return drawn < 2 * CHANGE ? [pick(THINGS), thing] : [thing];
  };
  return Array.from({ length: count }, (_, day) => {
    // Monday to Friday have an evening each, the same every week.
    const plan = day % 7 < 5 ? [...WORKDAY, ...EVENINGS[day % EVENINGS.length], "sleep"] : pick(SUNDAYS);
    return plan.flatMap(changed);
  });
}
