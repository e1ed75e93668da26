/** Observing by hand, learning and clearing. */

import { useSignal } from "@preact/signals";
import type { LiveMemory } from "../live/live-memory";
import { shortHash } from "../parts/chip";
import { sentenceOf } from "../server";

export function ObserveForm({ live }: { readonly live: LiveMemory }) {
  const text = useSignal("");
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
    const strings = symbolsOf(text.value);
    if (strings.length === 0) return;
    void act(async () => {
      await live.observe({ strings });
      text.value = "";
      return `Observed ${strings.join(", ")}.`;
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
      <label for="observed">Observe symbols, separated by blanks</label>
      <div class="row">
        <input
          id="observed"
          type="text"
          autocomplete="off"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        <button type="submit">Observe</button>
        <button type="button" onClick={() => void learn()} disabled={isBusy.value}>
          Learn
        </button>
        <button type="button" onClick={() => void clear()} disabled={isBusy.value}>
          Clear
        </button>
      </div>
      <p class="said" role="status">
        {said.value}
      </p>
    </form>
  );
}

/** The symbols that somebody typed: words, or text in double quotes for a symbol with blanks. */
export function symbolsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "").filter(Boolean);
}
