/** The encoders of a processor: they turn the numbers of records into symbols. */

import { useSignal } from "@preact/signals";
import { deleteEncoder, listEncoders, type Schemas } from "../../client";
import { Allowed } from "../parts/allowed";
import { useAnswer } from "../parts/answer";
import { type Column, DataTable } from "../parts/data-table";
import { ConfirmDialog } from "../parts/dialog";
import { Failure } from "../parts/failure";
import { Section } from "../parts/section";
import { goTo, place } from "../place";
import { refusal } from "../rights";
import type { KnownProcessor } from "../server";
import { EncoderForm } from "./encoder-form";

const AFTER_DELETING = "It makes no symbol from then on; numbers of its name are refused. What was learned stays.";

interface Row {
  readonly name: string;
  readonly encoder: Schemas.Encoder;
}

export function Encoders({ known: { id, processor, name: processorName } }: { readonly known: KnownProcessor }) {
  const encoders = useAnswer((signal) => listEncoders(processor, { signal }), [processor]);
  const deleting = useSignal<string | undefined>(undefined);
  const cannotChange = refusal({ of: "processor", processor: id }, "manage");
  const rows: Row[] = Object.entries(encoders.value ?? {}).map(([name, encoder]) => ({ name, encoder }));
  const { edit } = place.value.query;
  const open = (name: string | undefined) => goTo({ query: { edit: name } });
  const actions: Actions = {
    onEdit: open,
    onDelete: (name) => {
      deleting.value = name;
    },
  };
  const edited = edit === undefined ? undefined : encoders.value?.[edit];
  return (
    <Section
      title={`The encoders of ${processorName}`}
      actions={
        cannotChange === "" && (
          <button type="button" onClick={() => open("")}>
            Add an encoder
          </button>
        )
      }
    >
      <Allowed what="change encoders" refusal={cannotChange} />
      <Failure error={encoders.error} onRetry={() => void encoders.again()} />
      <DataTable
        caption="Each turns the numbers of its name, or the time of events, into symbols"
        rows={rows}
        keyOf={({ name }) => name}
        nothing={encoders.value === undefined ? "…" : "There are none: a record with numbers is refused."}
        columns={columnsWith(cannotChange === "" ? actions : undefined)}
      />
      {cannotChange === "" &&
        encoders.value !== undefined &&
        edit !== undefined &&
        (edit === "" || edited !== undefined) && (
          <EncoderForm
            processor={processor}
            name={edit}
            encoder={edited}
            onDone={() => encoders.again()}
            onClose={() => open(undefined)}
          />
        )}
      {deleting.value !== undefined && (
        <ConfirmDialog
          title={`Delete the encoder ${deleting.value}?`}
          action="Delete"
          isDangerous
          onConfirm={async () => {
            await deleteEncoder(processor, deleting.value ?? "");
            await encoders.again();
          }}
          onClose={() => {
            deleting.value = undefined;
          }}
        >
          <p>{AFTER_DELETING}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** What the user can do with an encoder. */
interface Actions {
  readonly onEdit: (name: string) => void;
  readonly onDelete: (name: string) => void;
}

/** @param actions `undefined` if the key does not allow them */
function columnsWith(actions: Actions | undefined): readonly Column<Row>[] {
  const columns: readonly Column<Row>[] = [
    { name: "name", title: "Name", isRowHeader: true, cell: ({ name }) => name },
    { name: "bins", title: "Bins", cell: ({ encoder }) => binsOf(encoder) },
    {
      name: "hysteresis",
      title: "Hysteresis",
      isNumber: true,
      cell: ({ encoder }) => (readsTime(encoder) ? "" : encoder.hysteresis),
    },
    {
      name: "on_change",
      title: "Makes a symbol",
      cell: ({ encoder }) => {
        if (readsTime(encoder)) return "of every event";
        return encoder.on_change ? "when the bin changes" : "of every number";
      },
    },
  ];
  if (actions === undefined) return columns;
  return [
    ...columns,
    {
      name: "actions",
      title: "Actions",
      isNumber: true,
      isPlain: true,
      cell: ({ name }) => (
        <span class="actions">
          <button type="button" aria-label={`Edit ${name}`} onClick={() => actions.onEdit(name)}>
            Edit
          </button>
          <button type="button" aria-label={`Delete ${name}`} onClick={() => actions.onDelete(name)}>
            Delete
          </button>
        </span>
      ),
    },
  ];
}

type TimeEncoder = Extract<Schemas.Encoder, { kind: "clock" | "elapsed" }>;

function readsTime(encoder: Schemas.Encoder): encoder is TimeEncoder {
  return encoder.kind === "clock" || encoder.kind === "elapsed";
}

/** Number of edges shown; the tooltip lists all of them. */
const EDGES_SHOWN = 8;

function binsOf(encoder: Schemas.Encoder) {
  if (encoder.kind === "step") return `of ${encoder.size}, from ${encoder.origin} in both directions`;
  if (encoder.kind === "clock") return `the ${encoder.of}, in steps of ${encoder.step}, in ${encoder.zone}`;
  const { edges } = encoder;
  if (edges === undefined) return "found after 200 numbers; until then they make no symbol";
  const rest = edges.length - EDGES_SHOWN;
  return (
    <span title={edges.join(" · ")}>
      {encoder.kind === "elapsed" ? "seconds since the previous event, between " : "between "}
      {edges.slice(0, EDGES_SHOWN).join(" · ")}
      {rest > 0 && ` · and ${rest} more`}
    </span>
  );
}
