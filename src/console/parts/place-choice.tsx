/** The choice of the processor and of its memory that a view shows. */

import { useEffect, useMemo } from "preact/hooks";
import { SessionNames } from "../live/session-names";
import { goTo, place, type View } from "../place";
import { may, opens } from "../rights";
import { type Agent, currentProcessor, type KnownProcessor } from "../server";

const OWN_MEMORY = "";

/** Chooses the processor, and its own memory or a session. */
export function PlaceChoice({ agent }: { readonly agent: Agent }) {
  const known = currentProcessor.value;
  return (
    <>
      <ProcessorChoice agent={agent} known={known} />
      {known !== undefined && <MemoryChoice known={known} />}
    </>
  );
}

/** Evidence belongs to one memory, so *Why* has nothing to show for another. */
function nextView(view: View): View {
  return view === "why" ? "now" : view;
}

function ProcessorChoice({ agent, known }: { readonly agent: Agent; readonly known: KnownProcessor | undefined }) {
  const view = nextView(place.value.view);
  return (
    <select
      aria-label="Processor"
      title="Processor"
      value={known?.id}
      onChange={({ currentTarget }) => goTo({ view, processor: currentTarget.value, session: undefined })}
    >
      {agent.processors
        .filter(({ id }) => opens(id) || id === known?.id)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </select>
  );
}

/** Chooses the processor's own memory or a session. */
function MemoryChoice({ known }: { readonly known: KnownProcessor }) {
  const { session, view } = place.value;
  const sessions = useMemo(() => sessionNames(known), [known]);
  useEffect(() => () => sessions.close(), [sessions]);
  const listed = sessions.names.value;
  const names = session === undefined || listed.includes(session) ? listed : [session, ...listed];
  const mayOwn = may({ of: "memory", session: undefined });
  return (
    <select
      // Knowledge is the same in all sessions.
      hidden={view === "knowledge"}
      aria-label="Memory"
      title="Memory: the processor's own, or a session"
      value={session ?? OWN_MEMORY}
      onFocus={() => sessions.list()}
      onChange={({ currentTarget: { value } }) =>
        goTo({ view: nextView(view), processor: known.id, session: value === OWN_MEMORY ? undefined : value })
      }
    >
      <option value={OWN_MEMORY}>{mayOwn ? "its own memory" : "choose a session"}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function sessionNames({ processor, id }: KnownProcessor): SessionNames {
  const own = { of: "processor", processor: id } as const;
  return new SessionNames(processor, {
    mayList: may(own, "read", "manage"),
    mayHear: may(own, "read") && may(own, "observe"),
  });
}
