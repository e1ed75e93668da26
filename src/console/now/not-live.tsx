/**
 * A memory for a key that may not follow it: a snapshot to refresh, or why it is closed.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Memory } from "../../client";
import { POLL_MS, ReadMemory } from "../live/read-memory";
import { Allowed } from "../parts/allowed";
import { Failure } from "../parts/failure";
import { TextField } from "../parts/fields";
import { clock } from "../parts/figures";
import { Section } from "../parts/section";
import { goTo, linkTo, place } from "../place";
import { listed, type Refusal, refusal } from "../rights";
import { agent, currentProcessor } from "../server";
import { Flags } from "./flags";

/** Controls for a memory that is read on request. */
export function Reading({
  memory,
  mayPredict,
  children,
}: {
  readonly memory: Memory;
  /** Whether the key may ask for predictions and forecasts. */
  readonly mayPredict: boolean;
  readonly children: (read: ReadMemory) => ComponentChildren;
}) {
  const read = useMemo(() => new ReadMemory(memory, mayPredict), [memory.path, mayPredict]);
  useEffect(() => () => read.close(), [read]);
  return (
    <>
      <State read={read} />
      <Failure error={read.error.value} />
      {read.status.value === undefined ? <p class="nothing">…</p> : children(read)}
    </>
  );
}

function State({ read }: { readonly read: ReadMemory }) {
  const what = { of: "memory", session: place.value.session } as const;
  const lacking = refusal(what, "observe") || refusal(what, "read");
  const at = read.readAt.value;
  return (
    <>
      <p class="link not-live">
        <span class="dot" aria-hidden="true" /> <span>Not live{at !== undefined && `: as of ${clock(at)}`}</span>
        <button type="button" onClick={() => read.refresh()}>
          Refresh
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={read.repeats.value}
            onChange={({ currentTarget }) => read.repeat(currentTarget.checked)}
          />
          every {POLL_MS / 1000} seconds
        </label>
        <Flags shown={read} />
      </p>
      <Allowed what="follow this memory as it changes" refusal={lacking} />
    </>
  );
}

/** Replaces the strip of surprises, which needs a stream. */
export function SurpriseUnheard() {
  return (
    <Section title="Surprise">
      <p class="nothing">
        Surprises need a key that may follow the memory. The newest event can be{" "}
        <a href={linkTo({ view: "why", processor: currentProcessor.value?.id, path: ["surprise"] })}>
          looked at by itself
        </a>
        .
      </p>
    </Section>
  );
}

/** Replaces a memory that the key does not open. */
export function Closed({ refusal }: { readonly refusal: Refusal }) {
  const sessions = agent.value?.rights?.sessions;
  return (
    <>
      <Allowed what="see this memory" refusal={refusal} />
      {sessions !== undefined && <SessionForm sessions={sessions} />}
    </>
  );
}

/** Opens a session by name: such a key may not list them. */
function SessionForm({ sessions }: { readonly sessions: readonly string[] }) {
  const [first = ""] = sessions;
  const name = useSignal(first.replace(/\*$/, ""));
  const submit = (event: Event) => {
    event.preventDefault();
    if (name.value !== "") goTo({ view: "now", processor: currentProcessor.value?.id, session: name.value });
  };
  return (
    <form class="row session-form" onSubmit={submit}>
      <TextField label={`Open a session: ${listed(sessions)}, where * stands for anything`} value={name} />
      <button type="submit">Open</button>
    </form>
  );
}
