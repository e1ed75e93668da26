/** The genome as text: edit it, have the server check it in a dry run, compare it with the running one, and swap. */

import { signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { getConnection, hotswapGenome, type Schemas } from "../../client";
import { Allowed } from "../parts/allowed";
import { ConfirmDialog } from "../parts/dialog";
import { Failure } from "../parts/failure";
import { Check, Field } from "../parts/fields";
import { Section } from "../parts/section";
import { linkTo } from "../place";
import { refusal } from "../rights";
import { type Agent, reread } from "../server";
import { type Plan, planOf } from "./genome-plan";

/** The unsaved genome. Module state, so that it survives a look at the other parts of the view. */
const draft = signal<string | undefined>(undefined);

/** The result of the last swap. */
const outcome = signal("");

/** Shows the genome; editable where the key allows it. */
export function GenomePart({ agent }: { readonly agent: Agent }) {
  const cannotSwap = refusal({ of: "agent" }, "admin");
  if (cannotSwap === "") return <GenomeEditor agent={agent} />;
  return (
    <Section title={`The genome of ${agent.name}`}>
      <Allowed what="check or swap a genome" refusal={cannotSwap} />
      <GenomeText text={JSON.stringify(agent.genome, null, 2)} syntax="" />
    </Section>
  );
}

function GenomeEditor({ agent }: { readonly agent: Agent }) {
  const running = JSON.stringify(agent.genome, null, 2);
  const text = draft.value ?? running;
  const purge = useSignal(false);
  const plan = useSignal<Plan | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const isAsking = useSignal(false);
  const syntax = syntaxErrorIn(text);
  // The plan counts only for the text that was checked.
  const checked = plan.value?.text === text && plan.value.purge === purge.value ? plan.value : undefined;

  const told = useRef<HTMLDivElement>(null);
  const check = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    error.value = undefined;
    outcome.value = "";
    try {
      plan.value = await checkedPlan(agent, text, purge.value);
    } catch (reason) {
      plan.value = undefined;
      error.value = reason;
    } finally {
      isBusy.value = false;
    }
  };

  return (
    <Section
      title={`The genome of ${agent.name}`}
      actions={
        <button
          type="button"
          disabled={text === running}
          onClick={() => {
            draft.value = undefined;
          }}
        >
          Start again from the running genome
        </button>
      }
    >
      <form onSubmit={(event) => void check(event)}>
        <GenomeText
          text={text}
          syntax={syntax}
          onInput={(typed) => {
            draft.value = typed;
          }}
        />
        <Check label="Delete the data of processors that leave, and of those that left earlier" value={purge} />
        <div class="row">
          <button type="submit" disabled={isBusy.value || syntax !== ""}>
            Check
          </button>
          <button
            type="button"
            disabled={checked === undefined}
            onClick={() => {
              isAsking.value = true;
            }}
          >
            Swap …
          </button>
        </div>
      </form>
      <Failure error={error.value} />
      <div role="status" ref={told} tabIndex={-1}>
        {outcome.value !== "" && (
          <p class="done">
            ✓ {outcome.value} <a href={linkTo({ view: "agent", path: [], query: {} })}>See the graph</a>
          </p>
        )}
        {checked !== undefined && <p>The server accepts this genome. {checked.summary}</p>}
      </div>
      {checked !== undefined && <PlanInWords plan={checked} />}
      {isAsking.value && checked !== undefined && (
        <SwapDialog
          agent={agent}
          plan={checked}
          onClose={() => {
            isAsking.value = false;
            // After a swap the button is disabled and cannot take the focus back.
            if (outcome.value !== "") setTimeout(() => told.current?.focus());
          }}
        />
      )}
    </Section>
  );
}

function GenomeText({
  text,
  syntax,
  onInput,
}: {
  readonly text: string;
  readonly syntax: string;
  /** Called on input; `undefined` makes the text read-only. */
  readonly onInput?: (typed: string) => void;
}) {
  const edit = onInput === undefined ? "" : " Edit it, check it, then swap it: nothing changes before.";
  return (
    <Field label={`Genome as JSON.${edit}`} wrong={syntax}>
      {(ids) => (
        <textarea
          {...ids}
          class="code"
          rows={22}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          readOnly={onInput === undefined}
          value={text}
          onInput={({ currentTarget }) => onInput?.(currentTarget.value)}
        />
      )}
    </Field>
  );
}

function PlanInWords({ plan: { parts } }: { readonly plan: Plan }) {
  return (
    <div class="plan">
      <h3>What the swap would do</h3>
      {parts.map(({ title, lines }) => (
        <div key={title}>
          <h4>{title}</h4>
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function SwapDialog({
  agent,
  plan,
  onClose,
}: {
  readonly agent: Agent;
  readonly plan: Plan;
  readonly onClose: () => void;
}) {
  const swap = async () => {
    await hotswapGenome(agent.noema, plan.genome, { purge: plan.purge });
    // The swap is done, even if reading the new genome fails.
    draft.value = undefined;
    outcome.value = `The genome was swapped. ${plan.summary}`;
    await reread();
  };
  return (
    <ConfirmDialog
      title={`Swap the genome of ${agent.name}?`}
      action={plan.deletes ? "Swap and delete" : "Swap"}
      isDangerous={plan.deletes}
      onConfirm={swap}
      onClose={onClose}
    >
      <p>{plan.summary}</p>
      {plan.deletes && <p>What is deleted is in no backup unless you made one.</p>}
    </ConfirmDialog>
  );
}

/** Why a text is not JSON; empty if it is. */
function syntaxErrorIn(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Checks a genome in a dry run. @throws NoemaError if the server refuses it; the message says where it is wrong */
async function checkedPlan({ noema }: Agent, text: string, purge: boolean): Promise<Plan> {
  const genome = JSON.parse(text) as Schemas.Genome;
  const { message } = await hotswapGenome(noema, genome, { dryRun: true, purge });
  // Another user may have swapped it since the page was loaded.
  const { genome: now } = await getConnection(noema);
  if (typeof message === "string") throw new Error("the server answered a dry run without saying what would change");
  return { text, purge, genome, ...planOf(now, genome, message) };
}
