/** The list of incidents, one per line, usable with the keyboard alone. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { MAX_LISTED_INCIDENTS } from "../../client";
import { Failure } from "../parts/failure";
import { ago, chance, MS_PER_SECOND, moment, rarity, short } from "../parts/figures";
import { sensorOf } from "../parts/sensors";
import { linkTo, moveTo, place } from "../place";
import { opens } from "../rights";
import type { Agent, KnownProcessor } from "../server";
import { type Feed, type Filter, useFeed } from "./feed";
import { useKeys } from "./keys";
import { type KnownIncident, keyOf, partsOf, STATES, type State, VERDICTS, type Verdict } from "./known-incident";
import { judge, VERDICT_KEYS, verdictRefusal } from "./verdict";
import { wordsOf } from "./words";

/** Number of incidents per processor at first. "Show earlier ones" lists as many as the server does. */
const FIRST_LIMIT = 100;

/** The list shown last: an incident's page links to the next incident in it, and back to the same position. */
export const listed: {
  /** The keys of its incidents, in order. */
  keys: readonly string[];
  query: { readonly [name: string]: string | undefined };
  /** The key of the incident opened last; empty if there is none, or after returning to it in the list. */
  opened: string;
} = { keys: [], query: {}, opened: "" };

export function IncidentList({ agent }: { readonly agent: Agent }) {
  const { query } = place.value;
  const limit = useSignal(FIRST_LIMIT);
  const state = STATES.find((each) => each === query.verdict) ?? "open";
  const filter: Filter = { state, processor: query.processor, session: query.session, limit: limit.value };
  const feed = useFeed(agent, filter);
  const { incidents } = feed;
  const list = useRef<HTMLOListElement>(null);
  const { said, error } = useWork(agent, feed, list);
  if (incidents !== undefined) listed.keys = incidents.map(keyOf);
  listed.query = query;
  return (
    <div class="incidents">
      <Filters agent={agent} state={state} incidents={incidents ?? []} />
      <Failure error={error.value ?? feed.answer.error} onRetry={() => void feed.answer.again()} />
      {incidents === undefined && feed.answer.error === undefined && <Waiting />}
      {incidents?.length === 0 && (
        <Nothing state={state} isFiltered={query.processor !== undefined || query.session !== undefined} />
      )}
      {incidents !== undefined && incidents.length > 0 && (
        <ol class="incident-rows" ref={list} aria-label="Incidents, newest first">
          {incidents.map((incident) => (
            <Row key={keyOf(incident)} agent={agent} incident={incident} />
          ))}
        </ol>
      )}
      {feed.hasMore && limit.value < MAX_LISTED_INCIDENTS && (
        <button
          type="button"
          onClick={() => {
            limit.value = MAX_LISTED_INCIDENTS;
          }}
        >
          Show earlier ones
        </button>
      )}
      <p class="said" role="status">
        {said.value}
      </p>
      <p class="facts key-hints">
        Keys: <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>n</kbd> normal, <kbd>f</kbd> fault,{" "}
        <kbd>i</kbd> ignore, <kbd>u</kbd> open again
      </p>
    </div>
  );
}

/**
 * The keys of the rows to return to, best first: the incident opened last, then those after it, then those before it.
 * One that was judged meanwhile may no longer be in the list.
 */
function wayBack(): readonly string[] {
  const { keys, opened } = listed;
  if (opened === "") return [];
  const at = keys.indexOf(opened);
  return at < 0 ? [opened] : [opened, ...keys.slice(at + 1), ...keys.slice(0, at).reverse()];
}

/** Moves through the rows and judges incidents, by single keys. */
function useWork(agent: Agent, feed: Feed, list: { readonly current: HTMLOListElement | null }) {
  const said = useSignal("");
  const error = useSignal<unknown>(undefined);
  const links = () => [...(list.current?.querySelectorAll<HTMLAnchorElement>("a.incident") ?? [])];
  const current = () => links().findIndex((link) => link.matches(":focus"));
  const move = (by: number) => {
    const all = links();
    // Without a current row, the first step goes to the first one, or to the last.
    const from = current() < 0 && by < 0 ? all.length : current();
    all[Math.min(all.length - 1, Math.max(0, from + by))]?.focus();
  };
  const give = (verdict: Verdict) => {
    const incident = feed.incidents?.[current()];
    const refused = incident === undefined ? "" : verdictRefusal(incident);
    if (incident === undefined) said.value = "Choose an incident first: j and k move.";
    else if (refused !== "") said.value = `This key cannot give a verdict: ${refused}.`;
    else {
      error.value = undefined;
      judge(agent, incident, { verdict }).then(
        (sentence) => {
          feed.judged(incident, verdict);
          said.value = sentence;
        },
        (reason: unknown) => {
          error.value = reason;
        },
      );
      if (verdict !== null) move(1);
    }
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...Object.fromEntries(Object.entries(VERDICT_KEYS).map(([key, verdict]) => [key, () => give(verdict)])),
  });
  const isKnown = feed.incidents !== undefined;
  const back = useMemo(wayBack, []);
  useLayoutEffect(() => {
    if (!isKnown || listed.opened === "") return;
    const linked = new Map(links().map((link) => [link.dataset.key ?? "", link]));
    const key = back.find((each) => linked.has(each));
    if (key !== undefined) linked.get(key)?.focus();
    listed.opened = "";
  }, [isKnown]);
  return { said, error };
}

function Filters({
  agent,
  state,
  incidents,
}: {
  readonly agent: Agent;
  readonly state: State;
  readonly incidents: readonly KnownIncident[];
}) {
  const { query } = place.value;
  const processors = agent.processors.filter(({ id }) => opens(id));
  const sessions = sessionsOf(agent, incidents, query.session);
  const choose = (name: string, value: string) =>
    moveTo({ view: "incidents", path: [], query: { ...query, [name]: value === ALL ? undefined : value } });
  return (
    <div class="incident-filters">
      <nav aria-label="Which incidents">
        {STATES.map((each) => (
          <a
            key={each}
            href={linkTo({
              view: "incidents",
              path: [],
              query: { ...query, verdict: each === "open" ? undefined : each },
            })}
            aria-current={each === state ? "true" : undefined}
          >
            {each === "all" ? "all" : `${VERDICTS[each].sign} ${VERDICTS[each].word}`}
          </a>
        ))}
      </nav>
      {processors.length > 1 && (
        <select
          aria-label="Processor"
          value={query.processor ?? ALL}
          onChange={({ currentTarget: { value } }) => choose("processor", value)}
        >
          <option value={ALL}>all processors</option>
          {processors.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {(sessions.length > 1 || query.session !== undefined) && (
        <select
          aria-label="Device"
          value={query.session ?? ALL}
          onChange={({ currentTarget: { value } }) => choose("session", value)}
        >
          <option value={ALL}>all devices</option>
          {sessions.map((name) => (
            <option key={name} value={name}>
              {name === "" ? "a processor's own memory" : name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

/** The value of the choice that matches all sessions: no session has this name. */
const ALL = "..";

/** Sessions that had incidents in any list seen with this key: the list of one session does not name the others. */
const seen = new WeakMap<Agent["noema"], Set<string>>();

/** The sessions to choose from, by name. @param chosen is always among them */
function sessionsOf(
  { noema }: Agent,
  incidents: readonly KnownIncident[],
  chosen: string | undefined,
): readonly string[] {
  const sessionsSeen = seen.get(noema) ?? new Set();
  seen.set(noema, sessionsSeen);
  for (const { session } of incidents) sessionsSeen.add(session ?? "");
  if (chosen !== undefined) sessionsSeen.add(chosen);
  return [...sessionsSeen].sort();
}

/** The title of an incident: its device. */
export function deviceOf(incident: Pick<KnownIncident, "processor" | "session">, known: KnownProcessor | undefined) {
  return incident.session ?? known?.name ?? incident.processor;
}

function Row({ agent, incident }: { readonly agent: Agent; readonly incident: KnownIncident }) {
  const known = agent.processors.find(({ id }) => id === incident.processor);
  const words = wordsOf(known);
  const { bits, causes, from, id, processor, verdict, note, events } = incident;
  const { sign, word } = VERDICTS[verdict ?? "open"];
  const [cause] = causes;
  const [instead] = partsOf(incident, sensorOf)[0]?.expected ?? [];
  return (
    <li>
      <a
        class={`incident ${verdict ?? "open"}`}
        data-key={keyOf(incident)}
        href={linkTo({ view: "incidents", path: [processor, String(id)], query: {} })}
      >
        <span class="state">
          <span aria-hidden="true">{sign}</span>
          <span class="hidden">{word}: </span>
        </span>
        <span class="device">{deviceOf(incident, known)}</span>
        <time dateTime={new Date(MS_PER_SECOND * from).toISOString()} title={moment(MS_PER_SECOND * from)}>
          {ago(MS_PER_SECOND * from)}
        </time>
        <span class="what">
          <b>{cause === undefined ? "an unusual event" : words(cause.symbol)}</b>
          {instead !== undefined && (
            <span class="instead">
              {" "}
              · expected {words(instead.symbol)} ({chance(instead.probability)})
            </span>
          )}
          {note !== "" && <span class="instead"> · “{note}”</span>}
        </span>
        <span class="count">{events > 1 && `${events} events`}</span>
        <span class="bits" title={`${bits} bits: ${rarity(bits)}`}>
          {short(bits)} bits
        </span>
      </a>
    </li>
  );
}

/** A placeholder while the list loads. */
function Waiting() {
  return (
    <div class="incident-rows waiting" aria-busy="true">
      <span class="hidden">Loading incidents …</span>
      {[0, 1, 2, 3].map((at) => (
        <div key={at} />
      ))}
    </div>
  );
}

function Nothing({ state, isFiltered }: { readonly state: State; readonly isFiltered: boolean }) {
  const everything = linkTo({ view: "incidents", path: [], query: { verdict: "all" } });
  return (
    <div class="empty-state">
      <h2>{state === "open" ? "Nothing needs a look" : "No incidents here"}</h2>
      <p>
        Incidents are made by an alert of surprises: events that passed it close together are one, with what was
        expected instead.
      </p>
      <p class="row">
        {(state !== "all" || isFiltered) && (
          <a class="button" href={everything}>
            Show all incidents
          </a>
        )}
        <a class="button" href={linkTo({ view: "agent", path: ["alerts"], query: {} })}>
          Set up an alert
        </a>
      </p>
    </div>
  );
}
