/**
 * Asks for the key, which is kept in memory, or until the tab is closed if the user chooses that. Never put into a URL.
 */

import { useSignal } from "@preact/signals";
import { open, refusal } from "../server";

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
      <h1>Console</h1>
      <p>
        See what is in your processors' working memory, and what they expect next. A server on your own machine has the
        key <code>ABCD-1234</code>.
      </p>
      <label for="key">Key</label>
      <input
        id="key"
        type="password"
        autocomplete="off"
        required
        value={key.value}
        onInput={({ currentTarget }) => {
          key.value = currentTarget.value;
        }}
      />
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
      <p role="alert">{refusal.value}</p>
    </form>
  );
}
