/** The graph of the genome as tables, for screen readers and exact numbers. */

import type { Schemas } from "../../../client";
import { moment, whole } from "../../parts/figures";
import { linkTo } from "../../place";
import { type Fullness, fullnessOf } from "./fullness";
import type { GenomeGraph, ProcessorNode } from "./genome-graph";
import { PagedTable } from "./paged-table";

type ProcessorRow = ProcessorNode & { readonly usage: Schemas.ProcessorUsage | undefined };

export function ProcessorsTable({
  graph,
  usage,
}: {
  readonly graph: GenomeGraph;
  readonly usage: readonly Schemas.ProcessorUsage[];
}) {
  const byId = new Map(usage.map((one) => [one.id, one]));
  const rows: ProcessorRow[] = graph.processors.map((node) => ({ ...node, usage: byId.get(node.id) }));
  return (
    <PagedTable
      name="processors"
      label="Pages of processors"
      caption="How full each processor is, and what it is set to"
      rows={rows}
      keyOf={({ id }) => id}
      nothing="The genome has no processor."
      columns={[
        { name: "name", title: "Processor", isRowHeader: true, cell: nameCell },
        ...(["models", "memory", "database"] as const).map((what) => ({
          name: what,
          title: `${what[0]?.toUpperCase()}${what.slice(1)}`,
          isNumber: true,
          cell: (row: ProcessorRow) => fullnessCell(row, what),
        })),
        ...(["symbols", "vectors", "sessions"] as const).map((what) => ({
          name: what,
          title: `${what[0]?.toUpperCase()}${what.slice(1)}`,
          isNumber: true,
          cell: ({ usage: known }: ProcessorRow) => (typeof known?.[what] === "number" ? whole(known[what]) : "–"),
        })),
        { name: "settings", title: "Settings", cell: settingsCell },
      ]}
    />
  );
}

function nameCell({ id, name, endpoint, usage }: ProcessorRow) {
  return (
    <>
      <a href={linkTo({ view: "now", processor: id, session: undefined })}>{name}</a>{" "}
      {name !== id && <small>{id}</small>}
      {endpoint !== "" && <small> at {endpoint}</small>}
      {usage?.status === "unused" && <small> not used yet</small>}
      {usage?.status === "failed" && <strong class="bad"> does not answer</strong>}
    </>
  );
}

function fullnessCell({ usage }: ProcessorRow, what: Fullness["what"]) {
  const { share, short, full } = (usage && fullnessOf(usage).find((one) => one.what === what)) ?? {};
  if (short === undefined) return "–";
  return (
    <span title={full}>
      {short}
      {share !== undefined && <small> {percent(share)}</small>}
    </span>
  );
}

/** A share in percent, with one decimal where it is small. */
function percent(share: number): string {
  if (share > 0 && share < 0.001) return "< 0.1%";
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
}

function settingsCell({ id, name }: ProcessorRow) {
  return (
    <span class="links">
      {["genes", "encoders", "alerts"].map((part) => (
        <a key={part} href={linkTo({ view: "agent", path: [part, id], query: {} })} aria-label={`${part} of ${name}`}>
          {part}
        </a>
      ))}
    </span>
  );
}

interface LinkRow {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly manipulative: string;
  readonly fields: readonly string[];
  readonly link: Schemas.Link | undefined;
  readonly sender: Schemas.ToldOthers | undefined;
  readonly target: string;
  /** The processor that holds up the sender's queue; `undefined` if none does. */
  readonly waitsFor: string | undefined;
}

export function LinksTable({
  graph,
  told,
}: {
  readonly graph: GenomeGraph;
  readonly told: readonly Schemas.ToldOthers[];
}) {
  const names = new Map(graph.processors.map(({ id, name }) => [id, name]));
  const rows = graph.manipulatives.flatMap(({ id, owner, fields, targets }) => {
    const sender = told.find((one) => one.id === owner);
    const first = sender?.waits_for ?? undefined;
    const waitsFor = first && (names.get(first) ?? first);
    return targets.map((target): LinkRow => {
      const link = sender?.links.find(({ manipulative, processor }) => manipulative === id && processor === target);
      const [from, to] = [names.get(owner) ?? owner, names.get(target) ?? target];
      return { key: `${id} ${target}`, from, to, manipulative: id, fields, link, sender, target, waitsFor };
    });
  });
  return (
    <PagedTable
      name="links"
      label="Pages of links"
      caption="Events that each sender has counted in memory: since its last restart or idle time"
      rows={rows}
      keyOf={({ key }) => key}
      nothing="No processor observes another one."
      columns={[
        { name: "from", title: "From", isRowHeader: true, cell: ({ from }) => from },
        { name: "manipulative", title: "Manipulative", cell: ({ manipulative }) => manipulative },
        { name: "fields", title: "Sends", cell: ({ fields }) => fields.join(", ") },
        { name: "to", title: "To", cell: ({ to }) => to },
        {
          name: "delivered",
          title: "Delivered",
          isNumber: true,
          cell: ({ link }) => (link ? whole(link.delivered) : "–"),
        },
        {
          name: "given_up",
          title: "Given up",
          isNumber: true,
          cell: ({ link }) => (link ? whole(link.given_up) : "–"),
        },
        { name: "waiting", title: "Waiting", cell: waitingCell },
        { name: "since", title: "Since", cell: sinceCell },
      ]}
    />
  );
}

/** Each sender has one queue: an event that waits for one target holds up those behind it. */
function waitingCell({ sender, target, waitsFor }: LinkRow) {
  if (sender === undefined || sender.waiting === null) return "–";
  if (waitsFor === undefined) return "0";
  if (sender.waits_for === target) return <strong class="bad">{whole(sender.waiting)}</strong>;
  return <span class="bad">behind {waitsFor}</span>;
}

function sinceCell({ sender }: LinkRow) {
  if (sender?.status === "failed") return "does not answer";
  if (sender?.status === "unused") return "not used yet";
  if (typeof sender?.counted_since !== "number") return "–";
  const since = new Date(sender.counted_since * 1000);
  return <time dateTime={since.toISOString()}>{moment(since.getTime())}</time>;
}
