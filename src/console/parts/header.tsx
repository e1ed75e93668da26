/** The line at the top: which agent, which processor, which session. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listSessions, processor } from "../../client";
import { goTo, place } from "../place";
import { type Agent, currentProcessor, leave } from "../server";

/** So many sessions can be chosen from a list; others by their address. */
const MOST_SESSIONS = 200;

const OWN = "";

export function Header({ agent }: { readonly agent: Agent }) {
  const known = currentProcessor.value;
  const sessions = useSignal<readonly string[]>([]);
  const session = place.value.session;
  useEffect(() => {
    if (known === undefined) return;
    listSessions(processor(agent.noema, known.id), { limit: MOST_SESSIONS }).then(
      (found) => {
        sessions.value = found.map(({ name }) => name);
      },
      // The key may lack the right to list them; then only the own memory can be chosen.
      () => {
        sessions.value = [];
      },
    );
  }, [agent, known]);
  const names =
    session === undefined || sessions.value.includes(session) ? sessions.value : [session, ...sessions.value];
  return (
    <header>
      <a class="name" href="/">
        Noema
      </a>
      <select
        aria-label="Processor"
        value={known?.id}
        onChange={({ currentTarget }) => goTo({ ...place.value, processor: currentTarget.value, session: undefined })}
      >
        {agent.processors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Memory"
        value={session ?? OWN}
        onChange={({ currentTarget: { value } }) =>
          goTo({ ...place.value, processor: known?.id, session: value === OWN ? undefined : value })
        }
      >
        <option value={OWN}>its own memory</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" class="leave" onClick={leave}>
        Forget the key
      </button>
    </header>
  );
}
