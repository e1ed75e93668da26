/**
 * The genome as a graph, with the number of events on each edge and the fullness of each processor; and the same data
 * as tables.
 */

import { useMemo } from "preact/hooks";
import { getLinks, getProcessors } from "../../../client";
import { Allowed } from "../../parts/allowed";
import { useAnswer } from "../../parts/answer";
import { Failure } from "../../parts/failure";
import { clock } from "../../parts/figures";
import { Section } from "../../parts/section";
import { refusal } from "../../rights";
import type { Agent } from "../../server";
import { GenomeDrawing } from "./genome-drawing";
import { genomeGraph } from "./genome-graph";
import { MAX_DRAWN } from "./graph-layout";
import { LinksTable, ProcessorsTable } from "./overview-tables";

/** Poll interval of the links. Short, because each answer reads next to no rows. */
const LINKS_MS = 2_000;

/**
 * Poll interval of the sizes. Long, because it counts the rows of processors that are not in
 * memory, and reads are billed.
 */
const USAGE_MS = 60_000;

/** With more processors than this, sizes are read once, and again on request. */
const MAX_POLLED = 100;

export function Overview({ agent }: { readonly agent: Agent }) {
  const { noema, genome } = agent;
  const graph = useMemo(() => genomeGraph(genome), [genome]);
  const hasLinks = graph.manipulatives.length > 0;
  const unknown = refusal({ of: "agent" }, "read");
  const mayAsk = unknown === "";
  const links = useAnswer(
    async (signal) => (hasLinks && mayAsk ? getLinks(noema, { signal }) : []),
    [noema, genome],
    hasLinks && mayAsk ? LINKS_MS : undefined,
  );
  const asksAgain = graph.processors.length <= MAX_POLLED;
  const usage = useAnswer(
    async (signal) => (mayAsk ? getProcessors(noema, { signal }) : undefined),
    [noema, genome],
    asksAgain && mayAsk ? USAGE_MS : undefined,
  );
  const told = links.value ?? [];
  const nodes = graph.processors.length + graph.manipulatives.length;
  return (
    <>
      <Section
        title={`The genome of ${agent.name}`}
        actions={
          mayAsk && (
            <button type="button" onClick={() => void Promise.all([links.again(), usage.again()])}>
              Refresh
            </button>
          )
        }
      >
        <Allowed what="see sizes and events" refusal={unknown} />
        <Failure error={usage.error ?? links.error} />
        {nodes > MAX_DRAWN ? (
          <p class="nothing">
            {nodes} nodes are too many to draw: at most {MAX_DRAWN} are. The tables below have them all.
          </p>
        ) : (
          <GenomeDrawing graph={graph} told={told} usage={usage.value ?? []} />
        )}
        <p class="facts">
          {hasLinks && mayAsk && "Events are read every 2 s while this page is visible. "}
          {mayAsk &&
            usage.at !== undefined &&
            `Sizes as of ${clock(usage.at)}, ${asksAgain ? "read every minute" : "read once"}.`}
        </p>
      </Section>
      <Section title="Processors">
        <ProcessorsTable graph={graph} usage={usage.value ?? []} />
      </Section>
      {hasLinks && (
        <Section title="Events between processors">
          <LinksTable graph={graph} told={told} />
        </Section>
      )}
    </>
  );
}
