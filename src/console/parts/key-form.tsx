/**
 * Asks for the key, which is kept in memory, or until the tab is closed if the user chooses that. The key is never put
 * into a URL. While the server does not answer, shows that instead.
 */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Away, away, isReopening, leave, open, refusal, tryNow } from "../server";
import { Failure } from "./failure";
import { Check } from "./fields";
import { clock } from "./figures";
import { MARK_PATH } from "./icon";
import { Coming } from "./later";

/** Shown while no agent is open. */
export function SignIn() {
  if (away.value !== undefined) return <Unanswered away={away.value} />;
  return isReopening.value ? <Coming /> : <KeyForm />;
}

/** Continues by itself when the server answers. */
function Unanswered({ away: { since, nextAt } }: { readonly away: Away }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.ceil((nextAt - now.value) / 1000);
  return (
    <div class="key">
      <Title />
      <div class="failure" role="alert">
        <p>
          <span aria-hidden="true">✕ </span>The server does not answer. This page goes on by itself when it does.
        </p>
      </div>
      <p class="facts">
        No answer since {clock(since)}. {left > 0 ? `Trying again in ${left} s.` : "Trying again …"}
      </p>
      <div class="row">
        <button type="button" onClick={() => tryNow()}>
          Try now
        </button>
        <button type="button" onClick={leave}>
          Use another key
        </button>
      </div>
    </div>
  );
}

function Title() {
  return (
    <h1>
      <img src={MARK_PATH} alt="" width="28" height="28" /> Noema
    </h1>
  );
}

function KeyForm() {
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
      <Title />
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
      <Check label="Keep it until this tab is closed" value={keep} />
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
