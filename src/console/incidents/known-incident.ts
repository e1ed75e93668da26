/** An incident with its processor, and values derived from it. No I/O. */

import type { Schemas } from "../../client";

/** An incident of an agent. */
export interface KnownIncident extends Schemas.Incident {
  /** The id of the processor. */
  readonly processor: string;
}

export type Verdict = Schemas.Incident["verdict"];

/** The filters of a list: `open` matches incidents without a verdict. */
export const STATES = ["open", "fault", "normal", "ignored", "all"] as const;

export type State = (typeof STATES)[number];

/** The sign and the word for each verdict. */
export const VERDICTS = {
  open: { sign: "●", word: "open" },
  fault: { sign: "✕", word: "fault" },
  normal: { sign: "✓", word: "normal" },
  ignored: { sign: "–", word: "ignored" },
} as const;

/** Whether a list of a state shows an incident. */
export function isOfState({ verdict }: Pick<KnownIncident, "verdict">, state: State): boolean {
  return state === "all" || (verdict ?? "open") === state;
}

/** Identifies an incident among all incidents of the agent. */
export function keyOf({ processor, id }: Pick<KnownIncident, "id" | "processor">): string {
  return `${processor}/${id}`;
}

/** Newest first. */
export function newestFirst(one: KnownIncident, other: KnownIncident): number {
  return other.from - one.from || (keyOf(one) < keyOf(other) ? 1 : -1);
}

/** A similar incident. */
export interface Likeness {
  readonly incident: KnownIncident;
  /** 0 to 1. */
  readonly likeness: number;
}

/** Minimum likeness of an incident that is shown as similar. */
const MIN_LIKENESS = 0.5;

/**
 * The incidents most similar to a given one: by the cosine similarity of the bits that each symbol added. Most similar
 * first, then newest.
 *
 * @param most maximum number
 */
export function likest(one: KnownIncident, others: readonly KnownIncident[], most: number): readonly Likeness[] {
  const bits = new Map(one.causes.map((cause) => [cause.symbol, cause.bits]));
  const length = lengthOf(one);
  return others
    .filter((other) => keyOf(other) !== keyOf(one))
    .map((incident) => {
      const product = incident.causes.reduce((sum, cause) => sum + cause.bits * (bits.get(cause.symbol) ?? 0), 0);
      return { incident, likeness: product === 0 ? 0 : product / (length * lengthOf(incident)) };
    })
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || newestFirst(a.incident, b.incident))
    .slice(0, most);
}

function lengthOf({ causes }: Schemas.Incident): number {
  return Math.sqrt(causes.reduce((sum, { bits }) => sum + bits ** 2, 0));
}

/** The part of an event that comes from one sensor. */
export interface Part {
  /** The sensor; empty for symbols that name none. */
  readonly sensor: string;
  /** The sensor's symbols in the event, most bits first. */
  readonly came: readonly Schemas.Cause[];
  /** The symbols expected from the sensor instead, most probable first. */
  readonly expected: readonly Schemas.ExpectedSymbol[];
  /** The sum of the bits of `came`. */
  readonly bits: number;
}

/** Minimum probability of an expected symbol; a less probable one is shown only if nothing is more probable. */
const MIN_EXPECTED = 0.05;

/**
 * An incident's worst event by sensor, the oddest sensor first. @param sensorOf the sensor of a symbol; empty if there
 * is none
 */
export function partsOf({ causes, expected }: Schemas.Incident, sensorOf: (symbol: string) => string): readonly Part[] {
  const sensors = [...new Set([...causes, ...expected].map(({ symbol }) => sensorOf(symbol)))];
  return sensors
    .map((sensor) => {
      const came = causes.filter(({ symbol }) => sensorOf(symbol) === sensor);
      const symbols = new Set(came.map(({ symbol }) => symbol));
      return {
        sensor,
        came,
        expected: expected
          .filter(({ symbol }) => sensorOf(symbol) === sensor && !symbols.has(symbol))
          .filter(({ probability }, at) => at === 0 || probability >= MIN_EXPECTED),
        bits: came.reduce((sum, { bits }) => sum + bits, 0),
      };
    })
    .filter(({ came, expected }) => came.length + expected.length > 0)
    .sort((one, other) => other.bits - one.bits);
}

/**
 * The events that show why an incident's worst event was unusual: the events just before it, and the event itself last.
 *
 * @returns empty if the worst event is not kept
 */
export function eventsBefore({ bits, evidence }: Schemas.IncidentWithEvidence): readonly (readonly string[])[] {
  const worst = evidence.findLastIndex((event) => event.bits === bits);
  if (worst < 0) return [];
  let first = worst;
  while (first > 0 && follows(evidence[first - 1], evidence[first])) first--;
  return evidence.slice(first, worst + 1).map(({ symbols }) => symbols);
}

function follows(one: Schemas.SeenEvent | undefined, next: Schemas.SeenEvent | undefined): boolean {
  return one?.interval != null && next?.interval != null && one.interval + 1 === next.interval;
}
