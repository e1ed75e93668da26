/** Forgets rarely learned models: counts them first, then asks for confirmation. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { forgetModels, type Processor, type Schemas } from "../../client";
import { ConfirmDialog } from "../parts/dialog";
import { Failure } from "../parts/failure";
import { TextField } from "../parts/fields";
import { countOf } from "./figures";

/** A count, and the criteria it was made for. */
interface Counted {
  readonly which: Schemas.Forgetting;
  readonly models: number;
}

/** A field as a number; `undefined` when it is empty. @throws Error if it is not a whole number */
function wholeIn(name: string, text: string): number | undefined {
  const typed = text.trim();
  if (typed === "") return undefined;
  if (!/^\d+$/.test(typed) || !Number.isSafeInteger(Number(typed)))
    throw new Error(`${name}: it must be a whole number of 0 or more, not "${typed}".`);
  return Number(typed);
}

const BELOW_LABEL = "Forget models learned fewer times than";
const KEEP = "Then keep at most";

export function Forget({ processor }: { readonly processor: Processor }) {
  const below = useSignal("");
  const keep = useSignal("");
  const counted = useSignal<Counted | undefined>(undefined);
  const isAsked = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const said = useSignal("");
  // A count holds for the numbers that it was made for.
  useEffect(() => {
    counted.value = undefined;
  }, [below.value, keep.value]);
  const count = async () => {
    const [frequency, models] = [wholeIn(BELOW_LABEL, below.value), wholeIn(KEEP, keep.value)];
    if (frequency === undefined && models === undefined) throw new Error("Fill in one of the two numbers.");
    const which = {
      ...(frequency !== undefined && { frequency_below: frequency }),
      ...(models !== undefined && { keep_at_most: models }),
    };
    const typed = [below.value, keep.value];
    const answer = { which, models: await forgetModels(processor, { ...which, dry_run: true }) };
    // Discard the count if the criteria have changed meanwhile.
    if (typed[0] === below.value && typed[1] === keep.value) counted.value = answer;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    error.value = undefined;
    said.value = "";
    count().catch((reason: unknown) => {
      error.value = reason;
    });
  };
  const dry = counted.value;
  return (
    <>
      <p class="facts">
        Forgets the models that were learned least; of equals, the oldest. First it only counts them, and nothing
        changes.
      </p>
      <form class="row forget" onSubmit={submit}>
        <TextField label={BELOW_LABEL} value={below} isNumber />
        <TextField label={KEEP} value={keep} isNumber />
        <button type="submit">Count</button>
        {dry !== undefined && dry.models > 0 && (
          <button
            type="button"
            onClick={() => {
              isAsked.value = true;
            }}
          >
            Forget {countOf(dry.models, "model")}…
          </button>
        )}
      </form>
      <Failure error={error.value} />
      <p class="said" role="status">
        {dry === undefined ? said.value : `${countOf(dry.models, "model")} would be forgotten.`}
      </p>
      {isAsked.value && dry !== undefined && (
        <ConfirmDialog
          title={`Forget ${countOf(dry.models, "model")}?`}
          action="Forget them"
          isDangerous
          onConfirm={async () => {
            const models = await forgetModels(processor, dry.which);
            counted.value = undefined;
            said.value = `Forgot ${countOf(models, "model")}.`;
          }}
          onClose={() => {
            isAsked.value = false;
          }}
        >
          <p>It cannot be undone. What is learned meanwhile counts, so it may be a few more or less.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
