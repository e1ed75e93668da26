/** Adds or replaces an encoder. */

import { type Signal, useSignal } from "@preact/signals";
import { type Processor, putEncoder, type Schemas } from "../../client";
import { ConfirmDialog } from "../parts/dialog";
import { Check, Choice, numberIn, numbersIn, TextField } from "../parts/fields";

type Kind = Schemas.NewEncoder["kind"];

type EncoderOf<Of extends Kind> = Extract<Schemas.Encoder, { kind: Of }>;

type ClockPart = EncoderOf<"clock">["of"];

const KINDS: readonly (readonly [Kind, string])[] = [
  ["step", "All of equal size"],
  ["edges", "Between edges"],
  ["auto", "Found in the first 200 numbers"],
  ["clock", "What a clock or a calendar shows"],
  ["elapsed", "The seconds since the previous event"],
];

const CLOCK_PARTS: readonly (readonly [ClockPart, string])[] = [
  ["month", "Month"],
  ["day", "Day of the month"],
  ["weekday", "Weekday"],
  ["hour", "Hour"],
  ["minute", "Minute"],
];

/** The text of all fields, of every kind of encoder. */
interface Typed {
  readonly kind: Signal<Kind>;
  readonly size: Signal<string>;
  readonly origin: Signal<string>;
  readonly bins: Signal<string>;
  readonly edges: Signal<string>;
  readonly hysteresis: Signal<string>;
  readonly onChange: Signal<boolean>;
  readonly part: Signal<ClockPart>;
  readonly step: Signal<string>;
  readonly zone: Signal<string>;
}

/** The encoder, if it is of one of these kinds. */
function asKind<Of extends Kind>(encoder: Schemas.Encoder | undefined, ...kinds: Of[]): EncoderOf<Of> | undefined {
  return kinds.some((kind) => kind === encoder?.kind) ? (encoder as EncoderOf<Of>) : undefined;
}

function useTyped(encoder: Schemas.Encoder | undefined): Typed {
  const steps = asKind(encoder, "step");
  const ofNumbers = asKind(encoder, "step", "edges", "auto");
  const clock = asKind(encoder, "clock");
  return {
    kind: useSignal<Kind>(encoder?.kind ?? "step"),
    size: useSignal(String(steps?.size ?? 1)),
    origin: useSignal(String(steps?.origin ?? 0)),
    bins: useSignal(String(asKind(encoder, "auto")?.bins ?? 8)),
    edges: useSignal(asKind(encoder, "edges", "elapsed")?.edges.join(", ") ?? ""),
    hysteresis: useSignal(String(ofNumbers?.hysteresis ?? 0)),
    onChange: useSignal(ofNumbers?.on_change ?? false),
    part: useSignal<ClockPart>(clock?.of ?? "hour"),
    step: useSignal(String(clock?.step ?? 1)),
    zone: useSignal(clock?.zone ?? "UTC"),
  };
}

function readsTime({ kind }: Typed): boolean {
  return kind.value === "clock" || kind.value === "elapsed";
}

/** The typed encoder. @throws Error that names the invalid field */
function definitionIn(typed: Typed): Schemas.NewEncoder {
  const { kind, size, origin, bins, edges, hysteresis, onChange, part, step, zone } = typed;
  if (kind.value === "clock") {
    return { kind: "clock", of: part.value, step: numberIn("Step", step.value), zone: zone.value };
  }
  if (kind.value === "elapsed") {
    return edges.value.trim() === ""
      ? { kind: "elapsed" }
      : { kind: "elapsed", edges: numbersIn("Edges", edges.value) };
  }
  const options = { hysteresis: numberIn("Hysteresis", hysteresis.value), on_change: onChange.value };
  if (kind.value === "auto") return { kind: "auto", bins: numberIn("Bins", bins.value), ...options };
  return kind.value === "step"
    ? { kind: "step", size: numberIn("Size", size.value), origin: numberIn("Origin", origin.value), ...options }
    : { kind: "edges", edges: numbersIn("Edges", edges.value), ...options };
}

/** The fields of encoders of numbers. */
function NumberFields({ typed: { kind, size, origin, bins, edges, hysteresis, onChange } }: { readonly typed: Typed }) {
  return (
    <>
      {kind.value === "step" && (
        <div class="row">
          <TextField label="Size" value={size} isNumber isRequired />
          <TextField label="Origin: one of the edges" value={origin} isNumber isRequired />
        </div>
      )}
      {kind.value === "edges" && (
        <TextField label="Edges in ascending order, separated by commas or spaces" value={edges} isRequired />
      )}
      {kind.value === "auto" && <TextField label="Bins, from 2 to 100" value={bins} isNumber isRequired />}
      <TextField label="Hysteresis: how far beyond an edge a number must go" value={hysteresis} isNumber isRequired />
      <Check label="Make a symbol only when the bin changes" value={onChange} />
    </>
  );
}

/** The fields of encoders of time. */
function TimeFields({ typed: { kind, edges, part, step, zone } }: { readonly typed: Typed }) {
  if (kind.value === "elapsed") {
    return <TextField label="Edges in seconds, in ascending order; the usual ones if empty" value={edges} />;
  }
  return (
    <>
      <Choice label="It shows the" value={part} choices={CLOCK_PARTS} />
      <div class="row">
        <TextField label="Step" value={step} isNumber isRequired />
        <TextField label="Time zone, such as Europe/Berlin" value={zone} isRequired />
      </div>
    </>
  );
}

export function EncoderForm({
  processor,
  name,
  encoder,
  onDone,
  onClose,
}: {
  readonly processor: Processor;
  /** The encoder to replace; empty for a new one. */
  readonly name: string;
  /** Its current definition. */
  readonly encoder: Schemas.Encoder | undefined;
  /** Called when the encoder is saved. */
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const newName = useSignal(name);
  const typed = useTyped(encoder);
  const put = async () => {
    await putEncoder(processor, newName.value, definitionIn(typed));
    await onDone();
  };

  return (
    <ConfirmDialog
      title={name === "" ? "Add an encoder" : `Edit the encoder ${name}`}
      action={name === "" ? "Add" : "Replace"}
      onConfirm={put}
      onClose={onClose}
    >
      <div class="fields">
        <TextField
          label={readsTime(typed) ? "Name" : "Name of the numbers"}
          value={newName}
          isFixed={name !== ""}
          isRequired
        />
        <Choice label="Bins" value={typed.kind} choices={KINDS} />
        {readsTime(typed) ? <TimeFields typed={typed} /> : <NumberFields typed={typed} />}
        {name !== "" && <p class="facts">Changing it makes memories forget the bin of the last number.</p>}
      </div>
    </ConfirmDialog>
  );
}
