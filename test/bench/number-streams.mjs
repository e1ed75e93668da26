/**
 * Streams of single numbers that do not exist, a reading every five minutes, with faults that no bound on the numbers
 * shows: each value of a fault is one that is normal at another time. The same seed gives the same readings on every
 * machine.
 *
 * By day a temperature rises in three steps, is held, falls in three steps and is held, once an hour; in the afternoon
 * it rises further. At night it is low, with one small rise an hour. With drift, all of it moves up and down by three
 * degrees over sixteen days.
 */

import { PER_DAY } from "../../scripts/demos/machine-telemetry.mjs";
import { randomNumbers } from "../../scripts/demos/shuffle.mjs";

const PER_HOUR = 12;
const NIGHT_ENDS = 6 * PER_HOUR;
const NOON = 12 * PER_HOUR;
const NIGHT_BEGINS = 22 * PER_HOUR;

/** What is held at night, by day, and at the top before and after noon, in degrees: in the middle of a bin. */
const NIGHT = 16.5;
const LOW = 20.5;
const TOP = { morning: 32.5, afternoon: 36.5 };

/** How far each step of a rise goes, of which there are three, and the top. */
function stepOf(top) {
  return (top - LOW) / 4;
}

/** How often something is held a reading longer than planned. */
const DELAY = 0.04;
/** How much readings vary without a reason, in degrees: the standard deviation. */
const NOISE = 0.15;

/** How far the drift goes in either direction, in degrees, and how long it takes to come back, in readings. */
const DRIFT = 3;
const DRIFT_PERIOD = 16 * PER_DAY;

/** How wide the bins of the numbers are, in degrees. */
export const BIN = 1;

/**
 * What a fault does: in which phase it begins, for how many readings, and which value it shows in place of the planned
 * one.
 */
const FAULTS = {
  "night by day": { begins: "top", readings: 4, valueOf: () => NIGHT },
  frozen: { begins: "rise", readings: 6, valueOf: (_planned, before) => before },
  // The rise is the fall of the same hour.
  reversed: { begins: "rise", readings: 3, valueOf: (planned, _before, top) => top - (planned - LOW) },
  // The first step is left out.
  "missing step": { begins: "rise", readings: 1, valueOf: (planned, _before, top) => planned + stepOf(top) },
};

/**
 * @typedef {object} NumberReading
 * @property {number} value in degrees
 * @property {string | undefined} fault what was wrong; undefined when nothing was
 */

function held(phase, value, readings) {
  return Array.from({ length: readings }, () => ({ phase, value, isHeld: true }));
}

/**
 * An hour, or a little less: the phase and the value of each reading.
 *
 * @param time of the day, in readings
 * @param top how far rises go then
 */
function hourOf(time, top) {
  if (time < NIGHT_ENDS || time >= NIGHT_BEGINS) {
    const rise = { phase: "small", value: NIGHT + 2, isHeld: false };
    return [...held("night", NIGHT, 9), rise, rise];
  }
  const steps = [1, 2, 3].map((step) => LOW + step * stepOf(top));
  const moved = (phase, values) => values.map((value) => ({ phase, value, isHeld: false }));
  return [
    ...held("low", LOW, 3),
    ...moved("rise", steps),
    ...held("top", top, 3),
    ...moved("fall", steps.toReversed()),
  ];
}

/** The planned readings, one after the other. @param isDelayed says whether something is held a reading longer */
function* plan(isDelayed) {
  for (let at = 0; ; ) {
    const time = at % PER_DAY;
    const top = time < NOON ? TOP.morning : TOP.afternoon;
    for (const { phase, value, isHeld } of hourOf(time, top)) {
      for (let times = isHeld && isDelayed() ? 2 : 1; times > 0; times--, at++) {
        yield { phase, value, top, drift: DRIFT * Math.sin((2 * Math.PI * at) / DRIFT_PERIOD) };
      }
    }
  }
}

/** What begins with the first reading of a phase, of those faults that begin with it. */
function faultOf(phase, draw, share) {
  const names = Object.keys(FAULTS).filter((name) => FAULTS[name].begins === phase);
  if (names.length === 0 || draw >= share) return undefined;
  const name = names[Math.floor((draw / share) * names.length)];
  return { name, left: FAULTS[name].readings };
}

/**
 * Readings without end.
 *
 * @param {number} seed a whole number from 1 to 2^31 - 2
 * @param {{ drifts: boolean, faults: number }} how whether it drifts; how often a phase that a fault may begin with
 *   begins with one, 0 for never
 * @returns {Generator<NumberReading>}
 */
function* numbers(seed, { drifts, faults }) {
  const random = randomNumbers(seed);
  const chance = () => random.next().value;
  const noise = () => Array.from({ length: 12 }, chance).reduce((sum, each) => sum + each, -6);
  let [before, phaseBefore, fault] = [NIGHT, "", undefined];
  for (const { phase, value, top, drift } of plan(() => chance() < DELAY)) {
    const vary = NOISE * noise() + (drifts ? drift : 0);
    const draw = chance();
    if (fault === undefined && phase !== phaseBefore) fault = faultOf(phase, draw, faults);
    phaseBefore = phase;
    const isFrozen = fault?.name === "frozen";
    const shown = fault === undefined ? value : FAULTS[fault.name].valueOf(value, before, top);
    before = isFrozen ? shown : Math.round(100 * (shown + vary)) / 100;
    yield { value: before, fault: fault?.name };
    if (fault !== undefined && --fault.left === 0) fault = undefined;
  }
}

/** The first readings. @returns {NumberReading[]} */
export function numbersOf(count, seed, how) {
  const all = numbers(seed, how);
  return Array.from({ length: count }, () => all.next().value);
}
