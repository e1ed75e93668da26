/** How full the processors of the agent are. To ask costs rows read, so it is asked once, and when somebody wants it again. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { getProcessors, type Schemas } from "../../client";
import { type Column, DataTable } from "../parts/data-table";
import { Failure } from "../parts/failure";
import { Section } from "../parts/section";
import { linkTo } from "../place";
import type { Agent } from "../server";
import { bytes, whole } from "./figures";

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
    cell: ({ percent_full }) => orUnknown(percent_full, (percent) => `${percent} %`),
  },
];

export function ProcessorTable({ agent }: { readonly agent: Agent }) {
  const usages = useSignal<readonly Usage[] | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const ask = async () => {
    try {
      usages.value = await getProcessors(agent.noema);
      error.value = undefined;
    } catch (reason) {
      error.value = reason;
    }
  };
  useEffect(() => void ask(), [agent]);
  return (
    <Section
      title="Processors"
      actions={
        <button
          type="button"
          title="Costs a row read for each model of a processor that sleeps."
          onClick={() => void ask()}
        >
          Read again
        </button>
      }
    >
      <Failure error={error.value} />
      {usages.value !== undefined && (
        <DataTable
          caption="How much each processor has learned, and how full it is"
          columns={COLUMNS}
          rows={usages.value}
          keyOf={({ id }) => id}
          nothing="The genome has no processor."
        />
      )}
    </Section>
  );
}
