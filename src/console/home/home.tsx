/** Home: the agent's devices, those that need attention first. Polls for changes. */

import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { listDevices, type Schemas } from "../../client";
import { Allowed } from "../parts/allowed";
import { useAnswer } from "../parts/answer";
import { rememberHome } from "../parts/back-home";
import { Failure } from "../parts/failure";
import { clock, whole } from "../parts/figures";
import { Coming } from "../parts/later";
import { moveTo, place } from "../place";
import { MAX_DEVICES } from "../sent-early";
import type { Agent } from "../server";
import { detailsOf } from "./device-details";
import { DeviceList } from "./device-list";
import { countsOf, filtered, type ShownDevice, type State, shownOf } from "./devices";
import { devicesAhead, firstDevices, listRefusal } from "./first-devices";
import { FirstSteps } from "./first-steps";
import { fullMemories } from "./full-memories";

/** Pause between an answer and the next query, in milliseconds; longer for a list of several megabytes. */
const POLL_MS = 10_000;
const POLL_MANY_MS = 60_000;
const MANY_DEVICES = 1000;

const STATES: readonly { readonly state: State; readonly text: string }[] = [
  { state: "odd", text: "need a look" },
  { state: "fine", text: "fine" },
  { state: "silent", text: "silent" },
  { state: "full", text: "nearly full" },
];

/** The last answer, so that the list appears at once when the user returns to it. */
const known = new WeakMap<Agent["noema"], readonly Schemas.Device[]>();

export function Home({ agent }: { readonly agent: Agent }) {
  return (
    <Allowed what="list devices" refusal={listRefusal(agent)}>
      <Devices agent={agent} />
    </Allowed>
  );
}

function Devices({ agent }: { readonly agent: Agent }) {
  const isMany = (known.get(agent.noema)?.length ?? 0) > MANY_DEVICES;
  const asked = useAnswer(
    async (signal) => {
      // The first time, those that need attention are shown while the others are loading.
      const answer = known.has(agent.noema)
        ? await listDevices(agent.noema, { limit: MAX_DEVICES }, { signal })
        : await devicesAhead(agent);
      known.set(agent.noema, answer);
      return answer;
    },
    [agent],
    isMany ? POLL_MANY_MS : POLL_MS,
  );
  const answer = asked.value ?? known.get(agent.noema) ?? firstDevices(agent);
  const isListed = asked.value !== undefined || known.has(agent.noema);
  useFull(agent, isListed);
  const full = detailsOf(agent).full.value;
  const devices = useMemo(() => answer && shownOf(answer, agent, full), [answer, agent, full]);
  return (
    <div class="home">
      <Failure error={asked.error} onRetry={() => void asked.again()} />
      {asked.error !== undefined && asked.at !== undefined && (
        <p class="facts">What follows is as of {clock(asked.at)}.</p>
      )}
      {devices === undefined && asked.error === undefined && <Coming />}
      {devices?.length === 0 && <FirstSteps agent={agent} />}
      {devices !== undefined && devices.length > 0 && <Listed agent={agent} devices={devices} isWhole={isListed} />}
    </div>
  );
}

/** Finds the full ones among all devices, once the list is there, and again from time to time. */
function useFull(agent: Agent, isListed: boolean): void {
  useAnswer(
    async (signal) => {
      const used = new Set(known.get(agent.noema)?.map(({ processor }) => processor));
      if (used.size === 0) return;
      const full = await fullMemories(
        agent.processors.filter(({ id }) => used.has(id)),
        detailsOf(agent).full.value,
        signal,
      );
      signal.throwIfAborted();
      detailsOf(agent).setFull(full);
    },
    [agent, isListed],
    POLL_MANY_MS,
  );
}

interface OfListed {
  readonly agent: Agent;
  readonly devices: readonly ShownDevice[];
  /** Whether these are all devices: those that need attention are shown before. */
  readonly isWhole: boolean;
}

function Listed({ agent, devices, isWhole }: OfListed) {
  const { name = "", state = "" } = place.value.query;
  const counts = useMemo(() => countsOf(devices), [devices]);
  const shown = useMemo(() => filtered(devices, name, state), [devices, name, state]);
  useEffect(() => rememberHome({ name: place.value.query.name, state: place.value.query.state }), [name, state]);
  useSlash();
  return (
    <>
      <div class="row home-bar">
        <fieldset class="counts">
          <legend class="hidden">Show</legend>
          {STATES.filter(({ state: one }) => one !== "full" || counts.full > 0).map(({ state: one, text }) => (
            <button
              key={one}
              type="button"
              class={`state-count ${one}`}
              aria-pressed={state === one}
              onClick={() => moveTo({ query: { ...place.value.query, state: state === one ? undefined : one } })}
            >
              <span class="sign" aria-hidden="true" /> <b>{whole(counts[one])}</b> {text}
            </button>
          ))}
        </fieldset>
        <input
          type="search"
          id="device-filter"
          aria-label="Filter by name"
          placeholder="Filter by name  ( / )"
          value={name}
          onInput={({ currentTarget: { value } }) =>
            moveTo({ query: { ...place.value.query, name: value === "" ? undefined : value } })
          }
        />
      </div>
      {devices.length === MAX_DEVICES && (
        <p class="facts">The first {whole(MAX_DEVICES)} are listed; search finds a device of these by name.</p>
      )}
      <p class="device-row heads" aria-hidden="true">
        <span />
        <span>Device</span>
        <span>State</span>
        <span>Surprise</span>
        <span>What</span>
        <span class="seen">Last seen</span>
        <span class="open">Incidents</span>
      </p>
      {shown.length === 0 ? (
        <p class="nothing">
          No device of these is shown.{" "}
          <button type="button" onClick={() => moveTo({ query: {} })}>
            Show all {whole(devices.length)}
          </button>
        </p>
      ) : (
        <DeviceList agent={agent} devices={shown} isWhole={isWhole} />
      )}
    </>
  );
}

/** The key / moves the focus to the filter, and Escape moves it back to the list. */
function useSlash(): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const field = document.getElementById("device-filter");
      const { target } = event;
      if (event.key === "Escape" && target === field) document.querySelector<HTMLElement>(".device-list a")?.focus();
      const isTyping = target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
      if (event.key !== "/" || isTyping) return;
      event.preventDefault();
      field?.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
