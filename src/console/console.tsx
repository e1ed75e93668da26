/** The console: asks for a key, then shows the view that the URL names. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { AgentView } from "./agent/agent";
import { Knowledge } from "./knowledge/knowledge";
import { Now } from "./now/now";
import { Operate } from "./operate/operate";
import { Header } from "./parts/header";
import { KeyForm } from "./parts/key-form";
import { place, type View } from "./place";
import { type Agent, agent, currentMemory, currentProcessor } from "./server";
import { Why } from "./why/why";

const TITLES: { readonly [view in View]: string } = {
  now: "Now",
  knowledge: "Knowledge",
  agent: "Agent",
  operate: "Operate",
  why: "Why",
};

export function Console() {
  const opened = agent.value;
  const { view } = place.value;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(view);
  useLayoutEffect(() => {
    document.title = `${TITLES[view]} · Noema`;
    // Who goes to another view reads on at its top. Nothing is taken from who only opens the page.
    if (shown.current !== view) main.current?.focus();
    shown.current = view;
  }, [view]);
  if (opened === undefined) {
    return (
      <main id="view">
        <KeyForm />
      </main>
    );
  }
  return (
    <>
      <Header agent={opened} />
      <main id="view" tabIndex={-1} ref={main}>
        <h1 class="hidden">{TITLES[view]}</h1>
        <ViewOf view={view} agent={opened} />
      </main>
    </>
  );
}

/** A view begins anew when it is about another processor or session. */
function ViewOf({ view, agent }: { readonly view: View; readonly agent: Agent }) {
  if (view === "agent") return <AgentView agent={agent} />;
  if (view === "operate") return <Operate agent={agent} />;
  const known = currentProcessor.value;
  const memory = currentMemory.value;
  if (known === undefined || memory === undefined)
    return <p role="alert">This agent has no processor "{place.value.processor}".</p>;
  if (view === "knowledge") return <Knowledge key={known.id} processor={known.processor} />;
  if (view === "why") return <Why key={memory.path} memory={memory} />;
  return <Now key={memory.path} memory={memory} processor={known.processor} />;
}
