/** An incident with the processor that keeps it, and what is read from it. No I/O. */

import type { Schemas } from "../../client";

/** An incident of an agent. */
export interface KnownIncident extends Schemas.Incident {
  /** The id of the processor. */
  readonly processor: string;
}

export type Verdict = Schemas.Incident["verdict"];

/** What a list shows: `open` are those without a verdict. */
export const STATES = ["open", "fault", "normal", "ignored", "all"] as const;

export type State = (typeof STATES)[number];

/** Sign and word of each verdict. */
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

/** Tells an incident from all others of the agent. */
export function keyOf({ processor, id }: Pick<KnownIncident, "id" | "processor">): string {
  return `${processor}/${id}`;
}

/** Newest first. */
export function newestFirst(one: KnownIncident, other: KnownIncident): number {
  return other.from - one.from || (keyOf(one) < keyOf(other) ? 1 : -1);
}

/** An incident that is like another. */
export interface Likeness {
  readonly incident: KnownIncident;
  /** 0 to 1. */
  readonly likeness: number;
}

/** From this likeness on, an incident is told of. */
const LEAST_LIKENESS = 0.5;

/**
 * The incidents most like one, by which symbols brought how many bits: the cosine of both. Most like first, then newest.
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
    .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || newestFirst(a.incident, b.incident))
    .slice(0, most);
}

function lengthOf({ causes }: Schemas.Incident): number {
  return Math.sqrt(causes.reduce((sum, { bits }) => sum + bits ** 2, 0));
}

/** A part of an event: what a sensor says. */
export interface Part {
  /** The sensor; empty for symbols that name none. */
  readonly sensor: string;
  /** What came, those with the most bits first. */
  readonly came: readonly Schemas.Cause[];
  /** What was expected of it instead, most probable first. */
  readonly expected: readonly Schemas.ExpectedSymbol[];
  /** Of all that came. */
  readonly bits: number;
}

/** What is less probable was hardly expected: it is told of only where nothing is likelier. */
const LEAST_EXPECTED = 0.05;

/** The worst event of an incident by sensors, the oddest first. @param sensorOf the sensor of a symbol; empty for none */
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
          .filter(({ probability }, at) => at === 0 || probability >= LEAST_EXPECTED),
        bits: came.reduce((sum, { bits }) => sum + bits, 0),
      };
    })
    .filter(({ came, expected }) => came.length + expected.length > 0)
    .sort((one, other) => other.bits - one.bits);
}

/**
 * The events that show why the worst of an incident was unusual: those right before it, and itself last.
 *
 * @returns empty where the worst is not kept
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
