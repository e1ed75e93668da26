/** The line at the top: the views, and of which processor and session they are. */

import { useEffect, useMemo } from "preact/hooks";
import { SessionNames } from "../live/session-names";
import { goTo, isAgentView, linkTo, place, type View } from "../place";
import { type Agent, currentProcessor, type KnownProcessor, leave } from "../server";

const OWN = "";

/** The views that one can go to from everywhere. *Why* is about one prediction: what shows the prediction leads there. */
const LINKS: readonly (readonly [View, string])[] = [
  ["now", "Now"],
  ["knowledge", "Knowledge"],
  ["agent", "Agent"],
  ["operate", "Operate"],
];

export function Header({ agent }: { readonly agent: Agent }) {
  const known = currentProcessor.value;
  const { view } = place.value;
  return (
    <header>
      <button type="button" class="skip" onClick={skip}>
        Skip to the view
      </button>
      <a class="name" href="/">
        Noema
      </a>
      <nav aria-label="Views">
        {LINKS.map(([name, text]) => (
          <a
            key={name}
            href={linkTo({ view: name, processor: known?.id })}
            aria-current={view === name ? "page" : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
      {!isAgentView(view) && <Choice agent={agent} known={known} />}
      <button type="button" class="leave" onClick={leave}>
        Forget the key
      </button>
    </header>
  );
}

/** A button, because a link into the page would replace the fragment, which is the place where one is. */
function skip(): void {
  document.getElementById("view")?.focus();
}

/** Chooses the processor and the session. */
function Choice({ agent, known }: { readonly agent: Agent; readonly known: KnownProcessor | undefined }) {
  const { session, view } = place.value;
  const sessions = useMemo(() => (known === undefined ? undefined : new SessionNames(known.processor)), [known]);
  useEffect(() => () => sessions?.close(), [sessions]);
  const listed = sessions?.names.value ?? [];
  const names = session === undefined || listed.includes(session) ? listed : [session, ...listed];
  // A piece of evidence is about one memory; of another memory there is none yet.
  const next = view === "why" ? "now" : view;
  return (
    <>
      <select
        aria-label="Processor"
        value={known?.id}
        onChange={({ currentTarget }) => goTo({ view: next, processor: currentTarget.value, session: undefined })}
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
        onFocus={() => sessions?.list()}
        onChange={({ currentTarget: { value } }) =>
          goTo({ view: next, processor: known?.id, session: value === OWN ? undefined : value })
        }
      >
        <option value={OWN}>its own memory</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}
