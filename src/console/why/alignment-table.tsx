/** A memory and a model side by side, with time going down: matching symbols are joined by a line. */

import { useSignal } from "@preact/signals";
import { Chip } from "../parts/chip";
import type { Line, Step } from "./alignment";

/** In a longer run of similar steps, the middle ones are hidden until the user asks for them. */
const MAX_SHOWN_RUN = 8;

/** Number of steps shown at each end of such a run. */
const SHOWN_AT_ENDS = 3;

/** The part of the model that a step belongs to. */
type Part = "past" | "present" | "future";

export interface AlignmentProps {
  /** The table's description, for screen readers. */
  readonly label: string;
  readonly steps: readonly Step[];
  /** Number of events in memory. */
  readonly events: number;
  /** The first event of the model that belongs to the present, and the first of the future. */
  readonly presentFrom: number;
  readonly presentTo: number;
  /** Whether past, present and future are distinguished. */
  readonly hasParts?: boolean;
  /** The model's event, and its symbol, that the evidence is about; without a symbol, the whole event. */
  readonly says?: { readonly at: number; readonly symbol?: string } | undefined;
}

export function AlignmentTable(props: AlignmentProps) {
  const { label, steps, events, says, hasParts = false } = props;
  const showsAll = useSignal(false);
  const shown = showsAll.value ? steps.map((step) => [step]) : shortened(steps);
  let before: Part | undefined;
  return (
    <table class="aligned">
      <caption class="hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col" class="when">
            <span class="hidden">when</span>
          </th>
          <th scope="col">in memory</th>
          <th scope="col">
            <span class="hidden">match</span>
          </th>
          <th scope="col">in the model</th>
        </tr>
      </thead>
      {shown.map((run) => {
        const [step] = run;
        if (step === undefined) return null;
        if (run.length > 1) return <Gap key={keyOf(step)} count={run.length} onShow={() => (showsAll.value = true)} />;
        const part = partOf(step, props) ?? before ?? "past";
        const isNew = hasParts && part !== before && step.modelAt !== undefined;
        if (step.modelAt !== undefined) before = part;
        return (
          <tbody key={keyOf(step)} class={hasParts ? `is-${part}` : ""}>
            {step.lines.map((line, at) => (
              <tr key={at}>
                {at === 0 && <When when={when(step, events)} part={isNew ? part : ""} lines={step.lines.length} />}
                <Cells line={line} isSaid={says !== undefined && says.at === step.modelAt && isOf(line, says.symbol)} />
              </tr>
            ))}
          </tbody>
        );
      })}
    </table>
  );
}

/**
 * The time of a step's events, and the part of the model that begins with the step. A cell without text is not a
 * heading.
 */
function When({ when, part, lines }: { readonly when: string; readonly part: string; readonly lines: number }) {
  if (when === "" && part === "") return <td class="when" rowSpan={lines} />;
  return (
    <th class="when" scope="rowgroup" rowSpan={lines}>
      {when} {part !== "" && <small>{part}</small>}
    </th>
  );
}

function Cells({ line: { memory, model, standing }, isSaid }: { readonly line: Line; readonly isSaid: boolean }) {
  const given = standing === "past" ? {} : { standing };
  return (
    <>
      <td class="asked">{memory !== undefined && <Chip symbol={memory} {...given} />}</td>
      <td class={standing === "matched" ? "join" : ""}>
        {standing === "matched" && <span class="hidden">is the same as</span>}
      </td>
      <td class={isSaid ? "says" : ""}>
        {model !== undefined && <Chip symbol={model} {...given} />}
        {isSaid && <span class="hidden">, this is what it says</span>}
      </td>
    </>
  );
}

function Gap({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <tbody class="gap">
      <tr>
        <td />
        <td colSpan={3}>
          <button type="button" onClick={onShow}>
            Show {count} more events
          </button>
        </td>
      </tr>
    </tbody>
  );
}

function isOf({ model }: Line, symbol: string | undefined): boolean {
  return model !== undefined && (symbol === undefined || model === symbol);
}

function keyOf({ memoryAt, modelAt }: Step): string {
  return `${memoryAt ?? ""}:${modelAt ?? ""}`;
}

function when({ memoryAt }: Step, events: number): string {
  if (memoryAt === undefined) return "";
  return memoryAt === events - 1 ? "newest" : `−${events - 1 - memoryAt}`;
}

function partOf({ modelAt }: Step, { presentFrom, presentTo }: AlignmentProps): Part | undefined {
  if (modelAt === undefined) return undefined;
  if (modelAt < presentFrom) return "past";
  return modelAt < presentTo ? "present" : "future";
}

/** The kind of step: in both, only in memory, or only in the model. */
function kindOf({ memoryAt, modelAt }: Step): string {
  return `${memoryAt !== undefined}${modelAt !== undefined}`;
}

/** Single steps, and hidden runs of several steps. */
function shortened(steps: readonly Step[]): (readonly Step[])[] {
  const runs: Step[][] = [];
  for (const step of steps) {
    const [first] = runs.at(-1) ?? [];
    if (first !== undefined && kindOf(first) === kindOf(step)) runs.at(-1)?.push(step);
    else runs.push([step]);
  }
  const single = (those: readonly Step[]) => those.map((step) => [step]);
  return runs.flatMap((run) =>
    run.length <= MAX_SHOWN_RUN
      ? single(run)
      : [
          ...single(run.slice(0, SHOWN_AT_ENDS)),
          run.slice(SHOWN_AT_ENDS, -SHOWN_AT_ENDS),
          ...single(run.slice(-SHOWN_AT_ENDS)),
        ],
  );
}
