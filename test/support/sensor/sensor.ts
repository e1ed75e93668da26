/** A made-up machine that is measured once a second: a daily cycle, noise, states, and a slow drift. Seeded, so every run sees the same. */

import { Random } from "../random";

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;

/** What the machine says in one second. */
export interface Reading {
  /** Degrees, to a tenth. */
  temperature: number;
  /** Millimetres a second, to a hundredth; 0 or more. */
  vibration: number;
  state: string;
}

/** The machine's states: degrees above the room's, how much it shakes, the mean seconds that it lasts, and what follows. */
const STATES = {
  off: { warmth: 0, shaking: 0.02, seconds: 1_800, next: ["idle"] },
  idle: { warmth: 4, shaking: 0.2, seconds: 120, next: ["run", "run", "run", "off"] },
  run: { warmth: 18, shaking: 2.4, seconds: 600, next: ["idle", "idle", "run", "fault"] },
  fault: { warmth: 9, shaking: 5.5, seconds: 30, next: ["off", "idle"] },
} as const;

/** The room's temperature, how far the day moves it, and how much warmer the machine gets in a week. */
const ROOM = 19;
const DAY_SWING = 4;
const WEEK_DRIFT = 1.5;
/** How fast the machine's temperature follows its state: the share of the way that it goes in a second. */
const INERTIA = 0.01;

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits)) + 0;
}

/** Makes readings, one after the other. */
export class Sensor {
  readonly #random: Random;
  #second = 0;
  #state: keyof typeof STATES = "idle";
  #warmth = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** The next second's reading. */
  next(): Reading {
    const { warmth, shaking, seconds, next } = STATES[this.#state];
    this.#warmth += INERTIA * (warmth - this.#warmth);
    const day = DAY_SWING * Math.sin((2 * Math.PI * this.#second) / DAY_S);
    const drift = (WEEK_DRIFT * this.#second) / WEEK_S;
    const reading = {
      temperature: rounded(ROOM + day + drift + this.#warmth + 0.1 * this.#noise(), 1),
      vibration: rounded(Math.max(0, shaking * (1 + 0.1 * this.#noise())), 2),
      state: this.#state,
    };
    this.#second++;
    if (this.#random.below(seconds) === 0) this.#state = this.#random.pick<keyof typeof STATES>(next);
    return reading;
  }

  /** About normal, with a deviation of 1. */
  #noise(): number {
    return 2 * (this.#random.fraction() + this.#random.fraction() + this.#random.fraction() - 1.5);
  }
}

/** The encoders of its numbers, by name. */
export const ENCODERS = {
  temperature: { kind: "step", size: 0.5, hysteresis: 0.1 },
  vibration: { kind: "step", size: 0.5, hysteresis: 0.1 },
} as const;

/** The record that the machine sends of a reading. */
export function recordOf({ state, ...numbers }: Reading) {
  return { strings: [`state=${state}`], numbers };
}

/** About the symbols that a reading becomes, for questions: without the hysteresis. */
export function symbolsOf({ temperature, vibration, state }: Reading): string[] {
  return [
    `state=${state}`,
    `temperature=${Math.floor(temperature * 2) / 2}`,
    `vibration=${Math.floor(vibration * 2) / 2}`,
  ];
}
