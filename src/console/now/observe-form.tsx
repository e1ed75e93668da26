/** Observing by hand, learning and clearing. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Schemas } from "../../client";
import type { LiveMemory } from "../live/live-memory";
import { shortHash } from "../parts/chip";
import { numbersOf, symbolsOf, vectorsOf } from "../parts/typed-record";
import { sentenceOf } from "../server";

export function ObserveForm({ live }: { readonly live: LiveMemory }) {
  const symbols = useSignal("");
  const numbers = useSignal("");
  const vectors = useSignal("");
  const said = useSignal("");
  const isBusy = useSignal(false);

  async function act(action: () => Promise<string>): Promise<void> {
    isBusy.value = true;
    try {
      said.value = await action();
    } catch (error) {
      said.value = sentenceOf(error);
    } finally {
      isBusy.value = false;
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
      await live.observe(record);
      for (const field of [symbols, numbers, vectors]) field.value = "";
      return `Observed ${typed.join(", ")}.`;
    });
  };
  const learn = () =>
    act(async () => {
      const model = await live.learn();
      return model === null
        ? "There was nothing to learn: it takes two symbols."
        : `Learned model ${shortHash(model)}.`;
    });
  const clear = () =>
    act(async () => {
      await live.clear();
      return "Cleared working memory.";
    });

  return (
    <form class="observe" onSubmit={observe}>
      <div class="row">
        <Field label="Observe symbols, separated by blanks" value={symbols} />
        <button type="submit">Observe</button>
        <button type="button" onClick={() => void learn()} disabled={isBusy.value}>
          Learn
        </button>
        <button type="button" onClick={() => void clear()} disabled={isBusy.value}>
          Clear
        </button>
      </div>
      <details>
        <summary>Numbers and vectors</summary>
        <div class="row">
          <Field label="Numbers by the name of their encoder, as in temperature=21.5" value={numbers} />
          <Field label="Vectors, as in [0.1, 0.9]" value={vectors} />
        </div>
      </details>
      <p class="said" role="status">
        {said.value}
      </p>
    </form>
  );
}

function Field({ label, value }: { readonly label: string; readonly value: { value: string } }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        value={value.value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
      />
    </div>
  );
}
