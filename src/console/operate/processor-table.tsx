/**
 * How full the processors of the agent are. Reading that calls each processor and costs rows read, so it is done once
 * and on request; with many processors only on request.
 */

import { useSignal } from "@preact/signals";
import { getProcessors, type Schemas } from "../../client";
import { useAnswer } from "../parts/answer";
import { type Column, DataTable } from "../parts/data-table";
import { Failure } from "../parts/failure";
import { bytes, whole } from "../parts/figures";
import { Section } from "../parts/section";
import { linkTo } from "../place";
import type { Agent } from "../server";

type Usage = Schemas.ProcessorUsage;

const STATES: { readonly [status in Usage["status"]]: string } = {
  okay: "",
  unused: "not used yet",
  failed: "✕ does not answer",
};

function orUnknown(value: number | null, format: (value: number) => string) {
  if (value === null) return <span title="not known">–</span>;
  return <span title={String(value)}>{format(value)}</span>;
}

function count(name: string, title: string, value: (usage: Usage) => number | null): Column<Usage> {
  return { name, title, isNumber: true, cell: (usage) => orUnknown(value(usage), whole) };
}

const COLUMNS: readonly Column<Usage>[] = [
  {
    name: "name",
    title: "Processor",
    isRowHeader: true,
    cell: ({ id, name, status }) => (
      <>
        <a href={linkTo({ view: "now", processor: id, session: undefined })}>{name}</a> <small>{STATES[status]}</small>
      </>
    ),
  },
  count("models", "Models", ({ models }) => models),
  count("symbols", "Symbols", ({ symbols }) => symbols),
  count("vectors", "Vectors", ({ vectors }) => vectors),
  count("sessions", "Sessions", ({ sessions }) => sessions),
  {
    name: "memory",
    title: "In memory",
    isNumber: true,
    cell: ({ memory_bytes }) => (memory_bytes === null ? "asleep" : orUnknown(memory_bytes, bytes)),
  },
  { name: "storage", title: "Stored", isNumber: true, cell: ({ storage_bytes }) => orUnknown(storage_bytes, bytes) },
  {
    name: "full",
    title: "Full",
    isNumber: true,
    cell: ({ percent_full }) => orUnknown(percent_full, (percent) => `${percent}%`),
  },
];

/** With more processors than this, sizes are read only on request. */
const MAX_MEASURED = 50;

export function ProcessorTable({ agent }: { readonly agent: Agent }) {
  const count = agent.processors.length;
  const isWanted = useSignal(count <= MAX_MEASURED);
  const { value, error, again } = useAnswer(
    async (signal) => (isWanted.value ? getProcessors(agent.noema, { signal }) : undefined),
    [agent, isWanted.value],
  );
  const read = () => {
    if (isWanted.value) void again();
    isWanted.value = true;
  };
  return (
    <Section
      title="Processors"
      actions={
        <button type="button" title="Costs a row read for each model of a processor that sleeps." onClick={read}>
          Refresh
        </button>
      }
    >
      <Failure error={error} />
      {!isWanted.value && <p class="nothing">Reading the sizes calls each of the {whole(count)} processors.</p>}
      {value !== undefined && (
        <DataTable
          caption="How much each processor has learned, and how full it is"
          columns={COLUMNS}
          rows={value}
          keyOf={({ id }) => id}
          nothing="The genome has no processor."
        />
      )}
    </Section>
  );
}
