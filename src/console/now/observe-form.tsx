/** Observing by hand, learning and clearing. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Schemas } from "../../client";
import type { ShownMemory } from "../live/shown-memory";
import { Allowed } from "../parts/allowed";
import { shortHash } from "../parts/chip";
import { TextField } from "../parts/fields";
import { numbersOf, symbolsOf, vectorsOf } from "../parts/typed-record";
import { linkTo, place } from "../place";
import { may, type Refusal, refusal } from "../rights";
import { currentProcessor, sentenceOf } from "../server";

export function ObserveForm({ shown }: { readonly shown: ShownMemory }) {
  const what = { of: "memory", session: place.value.session } as const;
  return (
    <Allowed what="observe, learn or clear" refusal={refusal(what, "observe")}>
      <Form shown={shown} cannotLearn={refusal(what, "learn")} />
    </Allowed>
  );
}

function Form({ shown, cannotLearn }: { readonly shown: ShownMemory; readonly cannotLearn: Refusal }) {
  const symbols = useSignal("");
  const numbers = useSignal("");
  const vectors = useSignal("");
  const said = useSignal<ComponentChildren>("");
  const busy = useRef(new Set<string>());

  async function act(action: () => Promise<ComponentChildren>): Promise<void> {
    try {
      said.value = await action();
    } catch (error) {
      said.value = sentenceOf(error);
    }
  }

  /**
   * Ignores a second click while the first is running, without disabling the button, which would lose the focus.
   * Different buttons need no waiting: the stream keeps their order.
   */
  async function actOnce(button: string, action: () => Promise<ComponentChildren>): Promise<void> {
    if (busy.current.has(button)) return;
    busy.current.add(button);
    await act(action);
    busy.current.delete(button);
  }

  /** Empties the fields at once, so that the user can type on. If sending fails, restores them. */
  async function sending<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    const fields = [symbols, numbers, vectors];
    const texts = fields.map(({ value }) => value);
    for (const field of fields) field.value = "";
    try {
      return await send();
    } catch (error) {
      if (fields.every(({ value }) => value === "")) {
        for (const [at, field] of fields.entries()) field.value = texts[at] ?? "";
      }
      throw error;
    }
  }

  const observe = (event: Event) => {
    event.preventDefault();
    void act(async () => {
      const record: Schemas.Gdf = { strings: symbolsOf(symbols.value) };
      if (numbers.value.trim() !== "") record.numbers = numbersOf(numbers.value);
      if (vectors.value.trim() !== "") record.vectors = vectorsOf(vectors.value);
      const typed = [symbols.value, numbers.value, vectors.value].filter((text) => text.trim() !== "");
      if (typed.length === 0) return "Type something to observe.";
      const isTaken = await sending(() => shown.observe(record));
      return isTaken ? `Observed ${typed.join(", ")}.` : "Ignored: the processor is asleep.";
    });
  };
  const learn = () =>
    actOnce("learn", async () => {
      const model = await shown.learn();
      return model === null ? "There was nothing to learn: it takes two symbols." : <Learned model={model} />;
    });
  const clear = () =>
    actOnce("clear", async () => {
      await shown.clear();
      return "Cleared working memory.";
    });

  return (
    <form class="observe" onSubmit={observe}>
      <div class="row">
        <TextField label="Observe symbols, separated by spaces" value={symbols} />
        <button type="submit">Observe</button>
        {cannotLearn === "" && (
          <button type="button" title={LEARN} onClick={() => void learn()}>
            Learn
          </button>
        )}
        <button type="button" title={CLEAR} onClick={() => void clear()}>
          Clear
        </button>
      </div>
      <Allowed what="learn" refusal={cannotLearn} />
      <details>
        <summary>Numbers and vectors</summary>
        <div class="row">
          <TextField label="Numbers by the name of their encoder, as in temperature=21.5" value={numbers} />
          <TextField label="Vectors, as in [0.1, 0.9]" value={vectors} />
        </div>
      </details>
      <p class="said" role="status">
        {said.value}
      </p>
    </form>
  );
}

/** Tooltips of the buttons. */
const LEARN = "Stores working memory as a model, and empties it";
const CLEAR = "Empties working memory; nothing is learned";

function Learned({ model }: { readonly model: string }) {
  const name = model.replace(/^MODEL\|/, "");
  const mayLook = may({ of: "processor" }, "read", "manage");
  const to = linkTo({ view: "knowledge", processor: currentProcessor.value?.id, path: ["models", name] });
  return <>Learned model {mayLook ? <a href={to}>{shortHash(name)}</a> : shortHash(name)}.</>;
}
