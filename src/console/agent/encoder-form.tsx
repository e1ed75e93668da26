/** Adds or replaces an encoder. */

import { useSignal } from "@preact/signals";
import { type Processor, putEncoder, type Schemas } from "../../client";
import { ConfirmDialog } from "../parts/dialog";
import { Check, Choice, numberIn, numbersIn, TextField } from "./fields";

type Kind = Schemas.NewEncoder["kind"];

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
  const kind = useSignal<Kind>(encoder?.kind ?? "step");
  const size = useSignal(encoder?.kind === "step" ? String(encoder.size) : "1");
  const origin = useSignal(encoder?.kind === "step" ? String(encoder.origin) : "0");
  const bins = useSignal(encoder?.kind === "auto" ? String(encoder.bins) : "8");
  const edges = useSignal(encoder?.kind === "edges" ? encoder.edges.join(", ") : "");
  const hysteresis = useSignal(String(encoder?.hysteresis ?? 0));
  const onChange = useSignal(encoder?.on_change ?? false);

  const own = (): Schemas.NewEncoder => {
    switch (kind.value) {
      case "step":
        return { kind: "step", size: numberIn("Size", size.value), origin: numberIn("Origin", origin.value) };
      case "edges":
        return { kind: "edges", edges: numbersIn("Edges", edges.value) };
      case "auto":
        return { kind: "auto", bins: numberIn("Bins", bins.value) };
    }
  };
  const put = async () => {
    const all = { ...own(), hysteresis: numberIn("Hysteresis", hysteresis.value), on_change: onChange.value };
    await putEncoder(processor, newName.value, all);
    await onDone();
  };

  return (
    <ConfirmDialog
      title={name === "" ? "Add an encoder" : `Edit the encoder ${name}`}
      action={name === "" ? "Add" : "Replace"}
      onConfirm={put}
      onClose={onClose}
    >
      <div class="put">
        <TextField label="Name of the numbers" value={newName} isFixed={name !== ""} isRequired />
        <Choice
          label="Bins"
          value={kind}
          choices={[
            ["step", "All of one size"],
            ["edges", "Between edges"],
            ["auto", "Found in the first 200 numbers"],
          ]}
        />
        {kind.value === "step" && (
          <div class="row">
            <TextField label="Size" value={size} isNumber isRequired />
            <TextField label="Origin: one of the edges" value={origin} isNumber isRequired />
          </div>
        )}
        {kind.value === "edges" && (
          <TextField label="Edges, rising, separated by commas or blanks" value={edges} isRequired />
        )}
        {kind.value === "auto" && <TextField label="Bins, from 2 to 100" value={bins} isNumber isRequired />}
        <TextField label="Hysteresis: how far beyond an edge a number must go" value={hysteresis} isNumber isRequired />
        <Check label="Make a symbol only when the bin changes" value={onChange} />
        {name !== "" && <p class="facts">Changing it makes memories forget the bin of the last number.</p>}
      </div>
    </ConfirmDialog>
  );
}
