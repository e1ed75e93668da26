/** The agent's incidents for a list: polled, and added from streams as they begin. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { listIncidents, stream } from "../../client";
import { type Answer, useAnswer } from "../parts/answer";
import type { Agent } from "../server";
import { isOfState, type KnownIncident, keyOf, newestFirst, type State, type Verdict } from "./known-incident";
import { heardSources, type Source, sourcesOf } from "./sources";

/** Pause between two queries, in milliseconds: streams report new incidents, but not the verdicts of other users. */
const POLL_MS = 15_000;

/** Number of queries in flight at a time. */
const MAX_CONCURRENT = 6;

/** Which incidents a list shows. */
export interface Filter {
  readonly state: State;
  /** The id of the processor; `undefined` for all. */
  readonly processor: string | undefined;
  /** The session, or empty for the processors' own memories; `undefined` for all. */
  readonly session: string | undefined;
  /** Maximum number of incidents of each processor. */
  readonly limit: number;
}

/** A list that stays up to date. */
export interface Feed {
  /** Newest first; `undefined` until known. Incidents judged here stay in the list, so that nothing moves. */
  readonly incidents: readonly KnownIncident[] | undefined;
  /** Whether there are more incidents than {@link Filter.limit} allows. */
  readonly hasMore: boolean;
  readonly answer: Answer<Found>;
  /** Applies a verdict given here. */
  readonly judged: (incident: KnownIncident, verdict: Verdict) => void;
}

interface Found {
  readonly incidents: readonly KnownIncident[];
  readonly sources: readonly Source[];
  readonly hasMore: boolean;
}

async function find(agent: Agent, { state, processor, session, limit }: Filter, signal: AbortSignal): Promise<Found> {
  const sources = await sourcesOf(agent, processor, signal);
  const verdict = state === "all" ? {} : { verdict: state };
  const found: KnownIncident[][] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < sources.length; at = next++) {
      const { memory, processor: id } = sources[at] as Source;
      // A source that is a session lists only its own incidents.
      const own = session === undefined || memory.kind !== "processor" ? {} : { session };
      const listed = await listIncidents(memory, { limit, ...verdict, ...own }, { signal });
      found.push(listed.map((incident) => ({ ...incident, processor: id })).filter((one) => isIn(one, session)));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker));
  const hasMore = found.some(({ length }) => length >= limit);
  return { incidents: found.flat().sort(newestFirst), sources, hasMore };
}

/** Whether an incident belongs to the wanted session; always true if none is wanted. */
function isIn({ session }: Pick<KnownIncident, "session">, wanted: string | undefined): boolean {
  return wanted === undefined || (session ?? "") === wanted;
}

/** Follows the incidents that match a filter. */
export function useFeed(agent: Agent, filter: Filter): Feed {
  const about = JSON.stringify(filter);
  const answer = useAnswer((signal) => find(agent, filter, signal), [agent, about], POLL_MS);
  // Changes received or made since the filter was chosen, by key.
  const changes = useSignal<ReadonlyMap<string, KnownIncident>>(new Map());
  useMemo(() => {
    changes.value = new Map();
  }, [about]);
  const change = (incident: KnownIncident) => {
    changes.value = new Map([...changes.value, [keyOf(incident), incident]]);
  };
  const { sources } = answer.value ?? {};
  const heard = JSON.stringify(sources?.map(({ memory }) => memory.path));
  useEffect(() => {
    const over = new AbortController();
    for (const { memory, processor } of heardSources(sources ?? [])) {
      const link = stream(memory, {
        signal: over.signal,
        events: ["incident"],
        sessions: true,
        onEvent: (event) => {
          if (event.event !== "incident") return;
          const incident = { ...event.incident, processor };
          if (isOfState(incident, filter.state) && isIn(incident, filter.session)) change(incident);
        },
      });
      // The list is polled in any case.
      link.closed.catch(() => undefined);
    }
    return () => over.abort(new DOMException("the view was left", "AbortError"));
  }, [heard, about]);
  return {
    incidents: answer.value && together(answer.value.incidents, changes.value),
    hasMore: answer.value?.hasMore ?? false,
    answer,
    judged: (incident, verdict) => change({ ...incident, verdict }),
  };
}

function together(
  asked: readonly KnownIncident[],
  changes: ReadonlyMap<string, KnownIncident>,
): readonly KnownIncident[] {
  const known = new Set(asked.map(keyOf));
  const changed = asked.map((incident) => {
    const change = changes.get(keyOf(incident));
    // An answer contains more of an incident's events than the message that announced it.
    return change === undefined ? incident : { ...incident, verdict: change.verdict ?? incident.verdict };
  });
  const added = [...changes.values()].filter((incident) => !known.has(keyOf(incident)));
  return [...changed, ...added].sort(newestFirst);
}
