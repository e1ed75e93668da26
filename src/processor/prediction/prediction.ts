/** A prediction: one model that matches the query, cut into past, present and future, and scored. */

import type { ModelSummary } from "../knowledge/model-summaries";
import { eventsOf, symbolsOf } from "../knowledge/symbol-table";
import type { Emotive, Event } from "../ports/gdf";
import { type Match, MEMBER_METRICS, type MemberMetric } from "../ports/matcher";

/**
 * The prediction of one model. The metrics come from the matcher unchanged; the interface specification defines them.
 */
export interface Prediction extends Record<MemberMetric, number> {
  /** The model's name, without prefix. */
  name: string;
  /** How often the model was learned, 1 or more. */
  frequency: number;
  /** The events before the match. */
  past: Event[];
  /** The events from the first matched symbol's to the last one's. */
  present: Event[];
  /** The events after the match. */
  future: Event[];
  /** The matched symbols, in the model's order. */
  matches: string[];
  /** The symbols of the present that do not occur in `matches`; in order, with repeats. */
  missing: string[];
  /** The symbols of the query that did not match; in order, with repeats. */
  extras: string[];
  /** The mean of the model's kept values, by name. */
  emotives: Emotive[];
}

/**
 * Replaces the numbers of a match by symbols, and adds the model's name and emotives.
 * @param nameOf the symbol for a number of the model or of the query
 */
export function predictionFrom(match: Match, summary: ModelSummary, nameOf: (id: number) => string): Prediction {
  const events = eventsOf(match, nameOf);
  return {
    name: summary.name,
    frequency: match.frequency,
    past: events.slice(0, match.presentStart),
    present: events.slice(match.presentStart, match.presentEnd),
    future: events.slice(match.presentEnd),
    matches: symbolsOf(match.matches, nameOf),
    missing: symbolsOf(match.missing, nameOf),
    extras: symbolsOf(match.extras, nameOf),
    emotives: summary.emotives,
    ...metricsOf(match),
  };
}

function metricsOf({ metrics }: Match): Record<MemberMetric, number> {
  const values = MEMBER_METRICS.map(({ member, code }) => [member, metrics[code] ?? 0]);
  return Object.fromEntries(values) as Record<MemberMetric, number>;
}
