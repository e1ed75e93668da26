/**
 * The telemetry of a machine that does not exist: a state and three sensors every five minutes, with the rhythm of
 * shifts and days, and, where wanted, faults. The same seed gives the same readings on every machine.
 *
 * By day the machine makes parts: it heats, runs and stands still, and after every third part it is cleaned. At noon it
 * changes from thin to thick parts, which take longer and shake it more. At night it stands by, and pumps once an hour.
 */

import { randomNumbers } from "./shuffle.mjs";

/** Readings a day. */
export const PER_DAY = 288;

const PER_HOUR = 12;
const NIGHT_ENDS = 6 * PER_HOUR;
const NOON = 12 * PER_HOUR;
const NIGHT_BEGINS = 22 * PER_HOUR;

/** How often a phase takes a reading longer than planned. */
const DELAY = 0.04;

/** What the sensors show in each state: degrees, millimetres a second, amperes. */
const NORMAL = {
  standby: { temperature: 22, vibration: 0.3, current: 1.5 },
  pump: { temperature: 24, vibration: 1.4, current: 6.5 },
  idle: { temperature: 32, vibration: 0.3, current: 2.5 },
  heat: { temperature: 52, vibration: 0.5, current: 18 },
  thin: { temperature: 62, vibration: 2.5, current: 12 },
  thick: { temperature: 62, vibration: 3.6, current: 15 },
  clean: { temperature: 42, vibration: 1.5, current: 8 },
};

/** How much of the way to its new value the temperature goes in one reading. */
const WARMING = 0.7;

/** How much the sensors vary without a reason: the standard deviation. */
const NOISE = { temperature: 0.7, vibration: 0.1, current: 0.3 };

/** How far noon is warmer than midnight, in degrees. */
const DAILY = 5;

/** What a fault does, and for how many readings. */
const FAULTS = {
  hot: { readings: 2, change: ({ temperature }) => ({ temperature: temperature + 16 }) },
  shaking: { readings: 2, change: ({ vibration }) => ({ vibration: vibration + 2.2 }) },
  weak: { readings: 2, change: ({ current }) => ({ current: Math.max(0, current - 9) }) },
  alarm: { readings: 1, change: () => ({ state: "alarm" }) },
  // The machine begins to run without heating, or to heat while it runs, as if a step of its program were lost.
  astray: { readings: 1, change: ({ state }) => ({ state: state === "idle" ? "thin" : "idle" }) },
};

/**
 * @typedef {object} Reading
 * @property {string} state
 * @property {number} temperature in degrees
 * @property {number} vibration in millimetres a second
 * @property {number} current in amperes
 * @property {string | undefined} fault what was wrong; undefined when nothing was
 */

/** The phases of a machine, one after the other: how long each is planned to take, in readings. */
function* phases() {
  for (let parts = 1, at = 0; ; ) {
    const time = at % PER_DAY;
    let plan;
    if (time < NIGHT_ENDS || time >= NIGHT_BEGINS) {
      plan = [
        ["standby", 11],
        ["pump", 1],
      ];
    } else {
      plan = [["idle", 2], ["heat", 2], time < NOON ? ["thin", 5] : ["thick", 7]];
      if (parts++ % 3 === 0) plan.push(["clean", 2]);
    }
    for (const [state, planned] of plan) at += yield { state, planned };
  }
}

/**
 * Readings without end.
 *
 * @param {number} seed a whole number from 1 to 2^31 - 2
 * @param {number} faults how often a fault begins, for each reading: 0 for never
 * @returns {Generator<Reading>}
 */
export function* telemetry(seed, faults = 0) {
  const random = randomNumbers(seed);
  const chance = () => random.next().value;
  const noise = () => Array.from({ length: 12 }, chance).reduce((sum, each) => sum + each, -6);
  const program = phases();
  let { value: phase } = program.next();
  let [taken, temperature, fault] = [0, NORMAL.standby.temperature, undefined];
  for (let at = 0; ; at++) {
    if (taken >= phase.planned && chance() >= DELAY) {
      phase = program.next(taken).value;
      taken = 0;
    }
    taken++;
    const { state } = phase;
    const normal = NORMAL[state];
    const noonward = 1 - Math.abs((at % PER_DAY) / (PER_DAY / 2) - 1);
    temperature += WARMING * (normal.temperature + DAILY * noonward - temperature);
    const reading = {
      state,
      temperature: rounded(temperature + NOISE.temperature * noise()),
      vibration: rounded(Math.max(0, normal.vibration + NOISE.vibration * noise())),
      current: rounded(Math.max(0, normal.current + NOISE.current * noise())),
      fault: undefined,
    };
    const begins = chance();
    if (fault === undefined && begins < faults) {
      const names = Object.keys(FAULTS);
      const name = names[Math.floor((begins / faults) * names.length)];
      fault = { name, left: FAULTS[name].readings };
    }
    if (fault !== undefined) {
      Object.assign(reading, FAULTS[fault.name].change(reading), { fault: fault.name });
      if (--fault.left === 0) fault = undefined;
    }
    yield reading;
  }
}

function rounded(value) {
  return Math.round(100 * value) / 100;
}

/** The first readings of {@link telemetry}. @param {number} count @param {number} seed @param {number} [faults] */
export function readingsOf(count, seed, faults = 0) {
  const all = telemetry(seed, faults);
  return Array.from({ length: count }, () => /** @type {Reading} */ (all.next().value));
}
