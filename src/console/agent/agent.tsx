/** The agent: its genome as a graph, its genome as text, what its processors are set to, and its backup. */

import { Backup } from "../files/backup";
import { Allowed } from "../parts/allowed";
import { Section } from "../parts/section";
import { SubNavigation } from "../parts/sub-navigation";
import { place } from "../place";
import { refusal } from "../rights";
import { type Agent, type KnownProcessor, reread } from "../server";
import { Alerts } from "./alerts";
import { Encoders } from "./encoders";
import { Genes } from "./genes/genes";
import { GenomePart } from "./genome-editor";
import { Overview } from "./graph/overview";
import { ProcessorChoice } from "./processor-choice";

/** The parts of the view: name in the fragment and title. */
const PARTS = [
  ["graph", "Graph"],
  ["genome", "Genome"],
  ["genes", "Genes"],
  ["encoders", "Encoders"],
  ["alerts", "Alerts"],
  ["backup", "Backup"],
] as const;

export function AgentView({ agent }: { readonly agent: Agent }) {
  const [asked, wanted] = place.value.path;
  const [part] = PARTS.find(([name]) => name === asked) ?? PARTS[0];
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
      {part === "genome" && <GenomePart agent={agent} />}
      {part === "backup" && <BackupPart agent={agent} />}
      {isOfProcessor(part) && <OfProcessor part={part} agent={agent} wanted={wanted ?? place.value.processor} />}
    </>
  );
}

/** Backs up the whole agent. */
function BackupPart({ agent }: { readonly agent: Agent }) {
  return (
    <Section title={`Backup of ${agent.name}`}>
      <Allowed what="back up or restore" refusal={refusal({ of: "agent" }, "admin")}>
        <p class="facts">
          The whole agent: its genome, and each processor as of one moment with knowledge, genes, encoders, alerts with
          their secrets, memory and sessions. Keys are not in it. A restore replaces all of it, or nothing.
        </p>
        <Backup noema={agent.noema} name={agent.name} onRestored={reread} />
      </Allowed>
    </Section>
  );
}

function isOfProcessor(part: string): part is "genes" | "encoders" | "alerts" {
  return part === "genes" || part === "encoders" || part === "alerts";
}

/**
 * A part about one processor: the one in the fragment, else the one last viewed, else the first.
 */
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

/** What each part of a processor lets the user do, as the end of a sentence. */
const PART_PHRASES = { genes: "see genes", encoders: "see encoders", alerts: "see or change alerts" } as const;

function Settings({ part, known }: { readonly part: "genes" | "encoders" | "alerts"; readonly known: KnownProcessor }) {
  const what = { of: "processor", processor: known.id } as const;
  return (
    <Allowed
      what={PART_PHRASES[part]}
      refusal={part === "alerts" ? refusal(what, "manage") : refusal(what, "read", "manage")}
    >
      {part === "genes" && <Genes known={known} />}
      {part === "encoders" && <Encoders known={known} />}
      {part === "alerts" && <Alerts known={known} />}
    </Allowed>
  );
}
