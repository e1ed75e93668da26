/**
 * An incident: what happened, what usually happens, how many bits each sensor added, the lines around it, and a
 * verdict.
 */

import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import {
  getHistory,
  getIncident,
  listIncidents,
  MAX_LISTED_INCIDENTS,
  MAX_NOTE,
  type Memory,
  type Schemas,
  session,
} from "../../client";
import { Allowed } from "../parts/allowed";
import { useAnswer } from "../parts/answer";
import { heatOf } from "../parts/bits";
import { Failure } from "../parts/failure";
import { ago, chance, MS_PER_SECOND, moment, rarity, short } from "../parts/figures";
import { OddSymbols } from "../parts/odd-symbols";
import { Section } from "../parts/section";
import { sensorOf } from "../parts/sensors";
import { goTo, linkTo } from "../place";
import { may, refusal } from "../rights";
import type { Agent, KnownProcessor } from "../server";
import { keeping, MAX_BEFORE } from "../why/moment";
import { courseOf, eventsAround } from "./course";
import { bitsText, CourseChart } from "./course-chart";
import { deviceOf, listed } from "./incident-list";
import { useKeys } from "./keys";
import {
  eventsBefore,
  type KnownIncident,
  keyOf,
  type Likeness,
  likest,
  type Part,
  partsOf,
  VERDICTS,
  type Verdict,
} from "./known-incident";
import { sourcesOf } from "./sources";
import { judge, VERDICT_KEYS, verdictRefusal } from "./verdict";
import { wordsOf } from "./words";

/** Number of events shown before and after those of the incident, if they are kept. */
const EVENTS_AROUND = 15;

/** Maximum number of events fetched from a history. */
const MAX_EVENTS = 200;

/** Maximum number of similar incidents shown. */
const MAX_SIMILAR = 5;

type Words = (symbol: string) => string;

/** The known data of an incident. */
interface Known {
  readonly incident: Schemas.IncidentWithEvidence & { readonly processor: string };
  readonly history: readonly Schemas.HistoryEvent[];
  readonly like: readonly Likeness[];
}

async function read(agent: Agent, processor: KnownProcessor, id: number, signal: AbortSignal): Promise<Known> {
  const memory = await incidentMemory(agent, processor, id, signal);
  const incident = { ...(await getIncident(memory, id, { signal })), processor: processor.id };
  const own = ownMemory(processor, incident.session);
  const last = incident.evidence.at(-1)?.interval;
  const first = incident.evidence[0]?.interval;
  const mayRead = may({ of: "memory", processor: processor.id, session: incident.session ?? undefined }, "read");
  const [history, others] = await Promise.all([
    last == null || first == null || !mayRead
      ? []
      : getHistory(
          own,
          { before: last + EVENTS_AROUND + 1, limit: Math.min(MAX_EVENTS, last - first + 2 * EVENTS_AROUND + 1) },
          { signal },
        ),
    listIncidents(memory, { limit: MAX_LISTED_INCIDENTS }, { signal }),
  ]);
  const known = others.filter((other) => other.id < id).map((other) => ({ ...other, processor: processor.id }));
  return {
    incident,
    history: history.filter(({ interval }) => interval >= (first ?? 0) - EVENTS_AROUND),
    like: likest(incident, known, MAX_SIMILAR),
  };
}

/** The memory in which an incident happened. */
function ownMemory({ processor }: KnownProcessor, name: string | null): Memory {
  return name === null ? processor : session(processor, name);
}

/** A key that opens only sessions must name the incident's session: it is one of those that the key may list. */
async function incidentMemory(
  agent: Agent,
  processor: KnownProcessor,
  id: number,
  signal: AbortSignal,
): Promise<Memory> {
  if (agent.rights?.sessions === undefined) return processor.processor;
  for (const { memory } of await sourcesOf(agent, processor.id, signal)) {
    const found = await listIncidents(memory, { limit: MAX_LISTED_INCIDENTS }, { signal });
    if (found.some((incident) => incident.id === id)) return memory;
  }
  return processor.processor;
}

export function IncidentPage({
  agent,
  processor: name,
  id,
}: {
  readonly agent: Agent;
  readonly processor: string;
  readonly id: number;
}) {
  const processor = agent.processors.find((each) => each.id === name || each.name === name);
  const asked = useAnswer(
    async (signal) => {
      if (processor === undefined) throw new Error(`There is no processor "${name}".`);
      return read(agent, processor, id, signal);
    },
    [agent, name, id],
  );
  listed.opened = keyOf({ processor: name, id });
  useKeys({ Escape: leave, j: () => step(name, id, 1), k: () => step(name, id, -1) });
  return (
    <div class="incidents incident-page">
      <p class="incident-back">
        <a href={backLink()}>‹ Incidents</a>{" "}
        <span class="facts key-hints">
          <kbd>Esc</kbd> back, <kbd>j</kbd> <kbd>k</kbd> next and previous
        </span>
      </p>
      <Failure error={asked.error} onRetry={() => void asked.again()} />
      {asked.value === undefined ? (
        asked.error === undefined && <p class="nothing">…</p>
      ) : (
        <Shown agent={agent} known={asked.value} processor={processor} onChange={() => void asked.again()} />
      )}
    </div>
  );
}

function backLink(): string {
  return linkTo({ view: "incidents", path: [], query: listed.query });
}

/** Back to the list with its filters. */
function leave(): void {
  goTo({ view: "incidents", path: [], query: listed.query });
}

/** To the next incident of the list that was shown last. */
function step(processor: string, id: number, by: number): void {
  const at = listed.keys.indexOf(keyOf({ processor, id }));
  const next = at < 0 ? undefined : listed.keys[at + by];
  if (next === undefined) return;
  goTo({ view: "incidents", path: next.split("/"), query: {} });
}

interface OfKnown {
  readonly agent: Agent;
  readonly known: Known;
  readonly processor: KnownProcessor | undefined;
}

function Shown({ agent, known, processor, onChange }: OfKnown & { readonly onChange: () => void }) {
  const { incident, history, like } = known;
  const words = wordsOf(processor);
  const events = eventsAround(incident.evidence, history);
  const course = courseOf(events, incident, { sensorOf, shown: words, number: short });
  const parts = partsOf(incident, sensorOf);
  const hasNumbers = events.some(({ numbers }) => Object.keys(numbers).length > 0);
  return (
    <>
      <Head incident={incident} processor={processor} />
      <Verdicts agent={agent} incident={incident} onChange={onChange} />
      <Sentence incident={incident} parts={parts} words={words} />
      <div class="incident-sides">
        <Section title="The lines around it">
          <CourseChart course={course} />
          {!hasNumbers && <HistoryHint processor={processor} />}
          <EventTable events={events} incident={incident} processor={processor} words={words} />
        </Section>
        <div>
          <Section title="Which part is odd" actions={<Why incident={incident} />}>
            <Parts parts={parts} bits={incident.bits} words={words} />
          </Section>
          <Section title="Looks like">
            <Alike agent={agent} like={like} words={words} />
          </Section>
        </div>
      </div>
    </>
  );
}

function Head({
  incident,
  processor,
}: {
  readonly incident: Known["incident"];
  readonly processor: KnownProcessor | undefined;
}) {
  const { alert, events, from, to, verdict, session: name } = incident;
  const { sign, word } = VERDICTS[verdict ?? "open"];
  const passed = events === 1 ? "1 event" : `${events} events`;
  return (
    <p class="incident-head">
      <b class="device">
        <a
          href={linkTo({ view: "now", processor: incident.processor, session: name ?? undefined, path: [], query: {} })}
        >
          {deviceOf(incident, processor)}
        </a>
      </b>{" "}
      <span class={`incident-state ${verdict ?? "open"}`}>
        <span aria-hidden="true">{sign} </span>
        {word}
      </span>
      <span class="facts">
        <time dateTime={new Date(MS_PER_SECOND * from).toISOString()} title={moment(MS_PER_SECOND * from)}>
          {ago(MS_PER_SECOND * from)}
        </time>
        {to > from && `, for ${lasting(to - from)}`} · {passed} passed the alert <b>{alert}</b>
      </span>
    </p>
  );
}

/** A duration in words. @param seconds above 0 */
function lasting(seconds: number): string {
  if (seconds < 120) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** The incident in one sentence: the oddest part, and what usually happens. */
function Sentence({
  incident: { bits },
  parts,
  words,
}: {
  readonly incident: Known["incident"];
  readonly parts: readonly Part[];
  readonly words: Words;
}) {
  const [first] = parts;
  const [came] = first?.came ?? [];
  const [instead] = first?.expected ?? [];
  return (
    <p class="sentence">
      {came === undefined ? "What usually comes did not" : <b>{words(came.symbol)}</b>}
      {instead !== undefined && (
        <>
          , where <b>{words(instead.symbol)}</b> was expected ({chance(instead.probability)})
        </>
      )}
      . <span title={`${bits} bits`}>{capital(rarity(bits))}</span>: {short(bits)} bits.
    </p>
  );
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function Verdicts({
  agent,
  incident,
  onChange,
}: {
  readonly agent: Agent;
  readonly incident: Known["incident"];
  readonly onChange: () => void;
}) {
  const refused = verdictRefusal(incident);
  const said = useSignal("");
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const give = (judgement: { readonly verdict: Verdict; readonly note?: string }) => {
    if (isBusy.value || refused !== "") return;
    isBusy.value = true;
    error.value = undefined;
    judge(agent, incident, judgement)
      .then(
        (sentence) => {
          said.value = sentence;
          onChange();
        },
        (reason: unknown) => {
          error.value = reason;
        },
      )
      .finally(() => {
        isBusy.value = false;
      });
  };
  const field = useRef<HTMLInputElement>(null);
  useKeys({
    ...Object.fromEntries(Object.entries(VERDICT_KEYS).map(([key, verdict]) => [key, () => give({ verdict })])),
    e: () => field.current?.focus(),
  });
  return (
    <Allowed what="give a verdict" refusal={refused}>
      <div class="verdicts">
        {(["normal", "fault", "ignored"] as const).map((verdict) => (
          <button
            key={verdict}
            type="button"
            aria-pressed={incident.verdict === verdict}
            onClick={() => give({ verdict: incident.verdict === verdict ? null : verdict })}
          >
            <span aria-hidden="true">{VERDICTS[verdict].sign} </span>
            {{ normal: "Normal", fault: "Fault", ignored: "Ignore" }[verdict]} <kbd>{verdict.slice(0, 1)}</kbd>
          </button>
        ))}
        <Note field={field} note={incident.note} onKeep={(note) => give({ verdict: incident.verdict, note })} />
      </div>
      <Failure error={error.value} />
      <p class="said" role="status">
        {said.value}
      </p>
    </Allowed>
  );
}

function Note({
  field,
  note,
  onKeep,
}: {
  readonly field: { current: HTMLInputElement | null };
  readonly note: string;
  readonly onKeep: (note: string) => void;
}) {
  const id = useId();
  const text = useSignal(note);
  return (
    <form
      class="note"
      onSubmit={(event) => {
        event.preventDefault();
        onKeep(text.value);
        field.current?.blur();
      }}
    >
      <label for={id} class="hidden">
        Note
      </label>
      <input
        id={id}
        ref={field}
        type="text"
        placeholder="Note: what it was (e)"
        maxLength={MAX_NOTE}
        autocomplete="off"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          text.value = note;
          field.current?.blur();
        }}
      />
      <button type="submit" disabled={text.value === note}>
        Keep
      </button>
    </form>
  );
}

/** What happened and what usually happens, sensor by sensor, with the bits that each sensor adds. */
function Parts({
  parts,
  bits,
  words,
}: {
  readonly parts: readonly Part[];
  readonly bits: number;
  readonly words: Words;
}) {
  return (
    <table class="parts-table">
      <thead>
        <tr>
          <th scope="col">What happened</th>
          <th scope="col">What usually comes</th>
          <th scope="col" class="number">
            Adds
          </th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <tr key={part.sensor}>
            <th scope="row">
              {part.came.length === 0 ? (
                <small>{part.sensor === "" ? "none of these" : `no ${part.sensor}`}</small>
              ) : (
                part.came.map(({ symbol, bits: own }) => (
                  <span key={symbol} class={`came ${heatOf(own)}`} title={`${symbol}: ${own} bits`}>
                    {words(symbol)}
                  </span>
                ))
              )}
            </th>
            <td>
              {part.expected.length === 0 ? (
                <small>{part.bits < 1 ? "this" : "–"}</small>
              ) : (
                part.expected.map(({ symbol, probability }) => (
                  <span key={symbol} class="usual" title={`${symbol}: ${probability}`}>
                    {words(symbol)} <b>{chance(probability)}</b>
                  </span>
                ))
              )}
            </td>
            <td class="number">
              <span class="added" title={`${part.bits} bits`}>
                {short(part.bits)} bits
              </span>
              <span class="bar" aria-hidden="true">
                <span style={{ width: `${100 * Math.min(1, part.bits / Math.max(bits, 1))}%` }} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Why({ incident }: { readonly incident: Known["incident"] }) {
  const events = eventsBefore(incident);
  const kept = keeping(events.slice(0, -1));
  if (events.length < 2 || kept.after === undefined) return null;
  return (
    <a
      href={linkTo({
        view: "why",
        processor: incident.processor,
        session: incident.session ?? undefined,
        path: ["surprise"],
        query: { ...kept, event: JSON.stringify(events.at(-1)) },
      })}
    >
      Why?
    </a>
  );
}

function Alike({
  agent,
  like,
  words,
}: {
  readonly agent: Agent;
  readonly like: readonly Likeness[];
  readonly words: Words;
}) {
  if (like.length === 0) return <p class="nothing">No earlier incident of this processor had the same causes.</p>;
  return (
    <ol class="alike-incidents" aria-label="Earlier incidents like it">
      {like.map(({ incident, likeness }) => (
        <AlikeRow key={keyOf(incident)} agent={agent} incident={incident} likeness={likeness} words={words} />
      ))}
    </ol>
  );
}

function AlikeRow({ agent, incident, likeness, words }: Likeness & { readonly agent: Agent; readonly words: Words }) {
  const { id, processor, from, verdict, note, causes } = incident;
  const { sign, word } = VERDICTS[verdict ?? "open"];
  const known = agent.processors.find((each) => each.id === processor);
  return (
    <li>
      <a href={linkTo({ view: "incidents", path: [processor, String(id)], query: {} })}>
        <span class="device">{deviceOf(incident, known)}</span> {ago(MS_PER_SECOND * from)}
      </a>{" "}
      <span class={`incident-state ${verdict ?? "open"}`}>
        <span aria-hidden="true">{sign} </span>
        {word}
      </span>{" "}
      <span class="facts" title={`alike: ${likeness}`}>
        {words(causes[0]?.symbol ?? "")}
        {note !== "" && ` · “${note}”`}
      </span>
    </li>
  );
}

/** Shown without a history, when there are only bins, and no events after the incident. */
function HistoryHint({ processor }: { readonly processor: KnownProcessor | undefined }) {
  const cannot = refusal({ of: "processor", ...(processor && { processor: processor.id }) }, "manage");
  return (
    <p class="facts">
      These are bins, as they were kept with the incident. With the gene <code>history</code> memories keep their newest
      readings, too, and what came after.{" "}
      {cannot === "" && <a href={linkTo({ view: "agent", path: ["genes"], query: {} })}>Set the gene</a>}
    </p>
  );
}

function EventTable({
  events,
  incident,
  processor,
  words,
}: {
  readonly events: ReturnType<typeof eventsAround>;
  readonly incident: KnownIncident;
  readonly processor: KnownProcessor | undefined;
  readonly words: Words;
}) {
  const isOpen = useSignal(false);
  const worst = events.findLastIndex(({ bits }) => bits === incident.bits);
  const memory = processor === undefined ? undefined : ownMemory(processor, incident.session);
  return (
    <details
      class="evidence-events"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{events.length} events one by one</summary>
      {isOpen.value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <section class="table" tabIndex={0} aria-label="Events around the incident">
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What</th>
                <th scope="col" class="number">
                  Surprise
                </th>
              </tr>
            </thead>
            <tbody>
              {events.map((event, at) => (
                <tr key={at} class={at === worst ? "worst" : ""}>
                  <td>{event.time === null ? "" : moment(MS_PER_SECOND * event.time)}</td>
                  <td>
                    {memory !== undefined && (
                      <OddSymbols
                        memory={memory}
                        events={until(events, at)}
                        bits={event.bits}
                        words={(symbol) => shownIn(symbol, event.numbers, words)}
                      />
                    )}
                  </td>
                  <td class="number" title={event.bits === null ? "" : String(event.bits)}>
                    {bitsText(event.bits)}
                    {at === worst && " (worst)"}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}

/** The events that determine an event's surprise, with that event last. */
function until(events: ReturnType<typeof eventsAround>, at: number): readonly (readonly string[])[] {
  return events.slice(Math.max(0, at - MAX_BEFORE), at + 1).map(({ symbols }) => symbols);
}

/** A symbol in words, or the number that it was made from if that is kept. */
function shownIn(symbol: string, numbers: { readonly [name: string]: number }, words: Words): string {
  const sensor = sensorOf(symbol);
  const number = Object.hasOwn(numbers, sensor) ? numbers[sensor] : undefined;
  return number === undefined ? words(symbol) : `${sensor} ${short(number)}`;
}
