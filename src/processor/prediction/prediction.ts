/** A prediction: one model that matches the query, cut into past, present and future, and scored. */

import type { Prediction } from "../../gen/plain";
import type { ModelSummary } from "../knowledge/model-summaries";
import { eventsOf, symbolsOf } from "../knowledge/symbol-table";
import { type Match, MEMBER_METRICS, type MemberMetric } from "../ports/matcher";

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
