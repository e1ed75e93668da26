/** The newest requests that failed, were refused or were slow, as the server remembers them. */

import { getRecentRequests, type Schemas } from "../../client";
import { useAnswer } from "../parts/answer";
import { type Column, DataTable, Paging } from "../parts/data-table";
import { Failure } from "../parts/failure";
import { moment, short, whole } from "../parts/figures";
import { Section } from "../parts/section";
import { goTo, moveTo, place } from "../place";
import type { Agent } from "../server";

type Recent = Schemas.RecentRequest;

const KINDS: { readonly [event in Recent["event"]]: { readonly sign: string; readonly word: string } } = {
  failed: { sign: "✕", word: "failed" },
  "key-refused": { sign: "⊘", word: "key not accepted" },
  refused: { sign: "⊘", word: "refused" },
  slow: { sign: "◔", word: "slow" },
};

const PAGE = 50;

function isKind(name: string | undefined): name is Recent["event"] {
  return name !== undefined && name in KINDS;
}

function columnsFor(agent: Agent): readonly Column<Recent>[] {
  const names = new Map(agent.processors.map(({ id, name }) => [id, name]));
  return [
    { name: "time", title: "Time", isRowHeader: true, cell: ({ time }) => <Time iso={time} /> },
    {
      name: "event",
      title: "What",
      cell: ({ event, status }) => (
        <span class={`kind kind-${event}`}>
          <span aria-hidden="true">{KINDS[event].sign}</span> {KINDS[event].word} {status}
        </span>
      ),
    },
    {
      name: "operation",
      title: "Operation",
      cell: ({ operation, message }) => (
        <>
          {operation === null ? <span class="nothing">none</span> : <code>{operation}</code>}
          {message !== null && <small class="below">{message}</small>}
        </>
      ),
    },
    {
      name: "processor",
      title: "Processor",
      cell: ({ processor }) => processor !== null && <span title={processor}>{names.get(processor) ?? processor}</span>,
    },
    {
      name: "milliseconds",
      title: "ms",
      isNumber: true,
      cell: ({ milliseconds }) => <span title={String(milliseconds)}>{short(milliseconds)}</span>,
    },
    { name: "id", title: "X-Request-Id", cell: ({ request_id }) => <code class="id">{request_id}</code> },
  ];
}

export function RecentPart({ agent }: { readonly agent: Agent }) {
  const found = useAnswer((signal) => getRecentRequests(agent.noema, { signal }), [agent]);
  return (
    <Section
      title="Requests that went wrong"
      actions={
        <button type="button" onClick={() => void found.again()}>
          Refresh
        </button>
      }
    >
      <Failure error={found.error} />
      {found.value !== undefined && <Found agent={agent} found={found.value} />}
    </Section>
  );
}

function Found({ agent, found }: { readonly agent: Agent; readonly found: Schemas.RecentRequests }) {
  const { query } = place.value;
  const kind = isKind(query.event) ? query.event : undefined;
  const wanted = found.requests.filter(({ event }) => kind === undefined || event === kind);
  const first = Math.min(pageFrom(query.from), Math.max(0, wanted.length - 1));
  const shown = wanted.slice(first, first + PAGE);
  const page = (from: number) => () => goTo({ query: { ...query, from: from === 0 ? undefined : String(from) } });
  return (
    <>
      <p class="facts">
        This server remembers the newest hundred of each kind since <Time iso={found.since} />, in its memory alone: a
        restart forgets them, and where several isolates answer, each knows its own. Nothing that was sent is kept.
      </p>
      <label>
        Show{" "}
        <select
          value={kind ?? ""}
          onChange={({ currentTarget: { value } }) => moveTo({ query: { event: value === "" ? undefined : value } })}
        >
          <option value="">all, {whole(found.requests.length)}</option>
          {Object.entries(KINDS).map(([event, { word }]) => (
            <option key={event} value={event}>
              {word}, {whole(found.requests.filter((request) => request.event === event).length)}
            </option>
          ))}
        </select>
      </label>
      <div class="requests">
        <DataTable
          caption="Newest first"
          columns={columnsFor(agent)}
          rows={shown}
          keyOf={(request) => `${request.time} ${request.request_id} ${found.requests.indexOf(request)}`}
          nothing="Nothing went wrong."
        />
      </div>
      {wanted.length > PAGE && (
        <Paging
          label="Pages of requests"
          where={`${first + 1} – ${first + shown.length} of ${wanted.length}`}
          onPrevious={first > 0 ? page(Math.max(0, first - PAGE)) : undefined}
          onNext={first + PAGE < wanted.length ? page(first + PAGE) : undefined}
        />
      )}
    </>
  );
}

function pageFrom(text: string | undefined): number {
  const from = Number(text);
  return Number.isInteger(from) && from > 0 ? from : 0;
}

function Time({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={iso}>
      {moment(Date.parse(iso))}
    </time>
  );
}
