/** The agent: its genome as a graph, its genome as text, and what its processors are set to. */

import { SubNavigation } from "../parts/sub-navigation";
import { place } from "../place";
import type { Agent, KnownProcessor } from "../server";
import { Alerts } from "./alerts";
import { Encoders } from "./encoders";
import { Genes } from "./genes/genes";
import { GenomeEditor } from "./genome-editor";
import { Overview } from "./graph/overview";
import { ProcessorChoice } from "./processor-choice";

/** The parts of the view: what stands in the fragment, and how it is called. */
const PARTS = [
  ["graph", "Graph"],
  ["genome", "Genome"],
  ["genes", "Genes"],
  ["encoders", "Encoders"],
  ["alerts", "Alerts"],
] as const;

export function AgentView({ agent }: { readonly agent: Agent }) {
  const [part = "graph", wanted] = place.value.path;
  return (
    <>
      <SubNavigation
        label="Parts of the agent"
        items={PARTS.map(([name, text]) => ({
          text,
          to: { view: "agent", path: isOfProcessor(name) && wanted !== undefined ? [name, wanted] : [name], query: {} },
          isCurrent: part === name,
        }))}
      />
      {part === "graph" && <Overview agent={agent} />}
      {part === "genome" && <GenomeEditor agent={agent} />}
      {isOfProcessor(part) && <OfProcessor part={part} agent={agent} wanted={wanted ?? place.value.processor} />}
    </>
  );
}

function isOfProcessor(part: string): part is "genes" | "encoders" | "alerts" {
  return part === "genes" || part === "encoders" || part === "alerts";
}

/** A part that is about one processor: the one that the fragment names, else the one where somebody was before, else the first. */
function OfProcessor({
  part,
  agent: { processors },
  wanted,
}: {
  readonly part: "genes" | "encoders" | "alerts";
  readonly agent: Agent;
  readonly wanted: string | undefined;
}) {
  const known =
    wanted === undefined ? processors[0] : processors.find(({ id, name }) => id === wanted || name === wanted);
  if (known === undefined) return <p role="alert">This agent has no processor{wanted && ` "${wanted}"`}.</p>;
  return (
    <>
      <ProcessorChoice part={part} processors={processors} known={known} />
      <Settings key={known.id} part={part} known={known} />
    </>
  );
}

function Settings({ part, known }: { readonly part: "genes" | "encoders" | "alerts"; readonly known: KnownProcessor }) {
  if (part === "genes") return <Genes known={known} />;
  return part === "encoders" ? <Encoders known={known} /> : <Alerts known={known} />;
}
