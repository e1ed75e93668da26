/**
 * Asks for the key, which is kept in memory, or until the tab is closed if the user chooses that. Never put into a URL.
 */

import { useSignal } from "@preact/signals";
import { open, refusal } from "../server";
import { Failure } from "./failure";
import { MARK_PATH } from "./icon";

export function KeyForm() {
  const key = useSignal("");
  const keep = useSignal(false);
  const isBusy = useSignal(false);

  const submit = (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    // Copied keys often come with a blank or a line break, which no key contains.
    void open(key.value.trim(), keep.value).finally(() => {
      isBusy.value = false;
    });
  };

  return (
    <form class="key" onSubmit={submit}>
      <h1>
        <img src={MARK_PATH} alt="" width="28" height="28" /> Noema
      </h1>
      <p>The console of this server: which of your devices needs a look, why, and what each will do next.</p>
      <label for="key">
        Key
        <input
          id="key"
          type="password"
          autocomplete="off"
          required
          aria-invalid={refusal.value !== ""}
          value={key.value}
          onInput={({ currentTarget }) => {
            key.value = currentTarget.value;
          }}
        />
      </label>
      <Failure error={refusal.value === "" ? undefined : refusal.value} />
      <label class="check">
        <input
          type="checkbox"
          checked={keep.value}
          onChange={({ currentTarget }) => {
            keep.value = currentTarget.checked;
          }}
        />
        Keep it until this tab is closed
      </label>
      <button type="submit" disabled={isBusy.value}>
        Open
      </button>
      <p class="facts">
        On your own machine the key is <code>ABCD-1234</code>. On a server it is one of <code>API_KEYS</code>, or{" "}
        <a href="/docs/guides/keys">one that was issued</a>.
      </p>
    </form>
  );
}
