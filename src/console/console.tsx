/** The console: asks for a key, then shows the view that the URL names. */

import { Now } from "./now/now";
import { Header } from "./parts/header";
import { KeyForm } from "./parts/key-form";
import { place } from "./place";
import { agent, currentMemory } from "./server";

export function Console() {
  const opened = agent.value;
  if (opened === undefined) {
    return (
      <main id="view">
        <KeyForm />
      </main>
    );
  }
  const memory = currentMemory.value;
  return (
    <>
      <Header agent={opened} />
      <main id="view" tabIndex={-1}>
        <h1 class="hidden">What is in mind</h1>
        {memory === undefined ? (
          <p role="alert">This agent has no processor "{place.value.processor}".</p>
        ) : (
          <Now key={memory.path} memory={memory} />
        )}
      </main>
    </>
  );
}
