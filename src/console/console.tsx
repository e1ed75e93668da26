/** The console: asks for a key, then shows the view that the URL names. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { askAhead, listRefusal } from "./home/first-devices";
import { useEscapeHome } from "./parts/back-home";
import { useFileDrop } from "./parts/file-drop";
import { SignIn } from "./parts/key-form";
import { later } from "./parts/later";
import { PlaceChoice } from "./parts/place-choice";
import { Rail } from "./parts/rail";
import { useEncoders } from "./parts/ranges";
import { isAgentView, linkTo, place, type View } from "./place";
import { FindButton } from "./search/find-button";
import { type Agent, agent, currentMemory, currentProcessor, type KnownProcessor } from "./server";

const AgentView = later(async () => (await import("./agent/agent")).AgentView);
const Home = later(async () => (await import("./home/home")).Home);
const Incidents = later(async () => (await import("./incidents/incidents")).Incidents);
const Knowledge = later(async () => (await import("./knowledge/knowledge")).Knowledge);
const Now = later(async () => (await import("./now/now")).Now);
const Operate = later(async () => (await import("./operate/operate")).Operate);
const Why = later(async () => (await import("./why/why")).Why);

/** The code of the requested view loads while the user types the key or the key is checked. */
const LOADERS: { readonly [view in View]: { readonly preload: () => void } } = {
  home: Home,
  now: Now,
  knowledge: Knowledge,
  incidents: Incidents,
  agent: AgentView,
  operate: Operate,
  why: Why,
};
LOADERS[place.value.view].preload();

// Home's first lines are asked for before the view is made.
let openedBefore: Agent | undefined;
agent.subscribe((opened) => {
  const isNew = openedBefore === undefined && opened !== undefined;
  if (isNew && place.peek().view === "home" && listRefusal(opened) === "") askAhead(opened.noema);
  openedBefore = opened;
});

const TITLES: { readonly [view in View]: string } = {
  home: "Home",
  now: "Device",
  knowledge: "Knowledge",
  incidents: "Incidents",
  agent: "Agent",
  operate: "Operate",
  why: "Why",
};

export function Console() {
  const opened = agent.value;
  const { view } = place.value;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(view);
  useEncoders(currentProcessor.value?.processor, view);
  useEscapeHome();
  const title = titleOf(view);
  useFileDrop();
  useLayoutEffect(() => {
    document.title = `${title} · Noema`;
  }, [title]);
  useLayoutEffect(() => {
    // Move the focus to the top when the view changes, but not when the page has just been opened.
    if (shown.current !== view) {
      main.current?.focus();
      scrollTo({ top: 0 });
    }
    shown.current = view;
  }, [view]);
  if (opened === undefined) {
    return (
      <main id="view">
        <SignIn />
      </main>
    );
  }
  return (
    <>
      <Rail agent={opened} />
      <main id="view" tabIndex={-1} ref={main}>
        <div class="top">
          <h1>{title}</h1>
          {!isAgentView(view) && <PlaceChoice agent={opened} />}
          <FindButton agent={opened} />
        </div>
        <ViewOf view={view} agent={opened} />
      </main>
    </>
  );
}

/** The heading of a view: for a memory, its own name. */
function titleOf(view: View): string {
  if (view !== "now") return TITLES[view];
  return place.value.session ?? currentProcessor.value?.name ?? TITLES[view];
}

/** The key remounts a view when its processor or session changes. */
function ViewOf({ view, agent }: { readonly view: View; readonly agent: Agent }) {
  if (view === "home") return <Home agent={agent} />;
  if (view === "incidents") return <Incidents agent={agent} />;
  if (view === "agent") return <AgentView agent={agent} />;
  if (view === "operate") return <Operate agent={agent} />;
  const known = currentProcessor.value;
  const memory = currentMemory.value;
  if (known === undefined) return <NoProcessor agent={agent} />;
  if (memory === undefined) return <NoSession processor={known} />;
  if (view === "knowledge") return <Knowledge key={known.id} processor={known.processor} />;
  if (view === "why") return <Why key={memory.path} memory={memory} />;
  return <Now key={memory.path} memory={memory} processor={known.processor} />;
}

/** For an address whose session name is not valid. */
function NoSession({ processor: { id, name } }: { readonly processor: KnownProcessor }) {
  return (
    <>
      <p role="alert">
        {JSON.stringify(place.value.session)} is no session: a name has 1 to 128 bytes, no control characters, and is
        not "." or "..".
      </p>
      <p>
        <a href={linkTo({ view: "now", processor: id, session: undefined })}>The memory of {name}</a>
      </p>
    </>
  );
}

/** For an address whose processor does not exist, or no longer does. */
function NoProcessor({ agent: { name, processors } }: { readonly agent: Agent }) {
  const { processor, view } = place.value;
  const most = 20;
  return (
    <>
      <p role="alert">
        {name} has no processor{processor !== undefined && ` "${processor}"`}.
      </p>
      {processors.length > 0 && (
        <ul aria-label="Existing processors">
          {processors.slice(0, most).map(({ id, name }) => (
            <li key={id}>
              <a href={linkTo({ view: view === "why" ? "now" : view, processor: id, session: undefined })}>{name}</a>
            </li>
          ))}
          {processors.length > most && (
            <li>
              {processors.length - most} more in <a href={linkTo({ view: "agent", path: [], query: {} })}>Agent</a>
            </li>
          )}
        </ul>
      )}
    </>
  );
}
