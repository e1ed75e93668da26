/**
 * Answers connect: the agent's genome with live genes, and whether all processors with possibly different genes could
 * be reached; on request, also the rights of the key.
 */

import type { Gene } from "../../gen/noema/v1/gene_pb";
import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import type { Agent } from "../agents/agent";
import type { Primitive } from "../agents/topology";
import { flagIn } from "../decode/value";
import { rightsOfKey } from "../encode/key";
import { text } from "../json/writer";
import { refusalOf } from "../refusal";
import type { RequestContext } from "../request-context";
import { liveGenome } from "./live-genome";

/** Number of processors asked concurrently. */
const ASKED_AT_ONCE = 32;

/** The query parameter that adds the rights of the key to the answer. */
export const RIGHTS = "rights";

/**
 * Answers connect, with a processor in the path or without.
 *
 * @throws Refusal 404 when the path names a processor that the agent does not have, 400 when `rights`
 *   is neither true nor false
 */
export async function connect(context: RequestContext): Promise<string> {
  const { agent, params } = context;
  const showsRights = flagIn(context.query, RIGHTS);
  await context.body();
  const { json, topology, tuned } = await agent.genome();
  if (params.id !== undefined) await agent.find(params.id);
  const asked = toBeAsked(topology.primitives, new Set(tuned));
  const genes = await liveGenes(agent, asked);
  const connection = genes.size === asked.length ? "okay" : "failed";
  return (
    `{"agent_name":${text(agent.name)},"connection":"${connection}","genie":${text(topology.agent)},` +
    `"genome":${liveGenome(json, genes)},` +
    `${showsRights ? `"rights":${rightsOfKey(context.rights)},` : ""}"status":"okay"}`
  );
}

/**
 * The processors whose genes may differ from the genome: those that the agent names, and all on other servers, which
 * the agent cannot know. The others need not be queried.
 */
function toBeAsked(primitives: readonly Primitive[], tuned: ReadonlySet<string>): Primitive[] {
  return primitives.filter(({ id, endpoint }) => endpoint !== "" || tuned.has(id));
}

async function liveGenes(agent: Agent, primitives: readonly Primitive[]): Promise<Map<string, readonly Gene[]>> {
  const genes = new Map<string, readonly Gene[]>();
  for (let start = 0; start < primitives.length; start += ASKED_AT_ONCE) {
    await Promise.all(
      primitives.slice(start, start + ASKED_AT_ONCE).map(async ({ id }) => {
        const answer = await genesOf(agent, id);
        if (answer !== undefined) genes.set(id, answer);
      }),
    );
  }
  return genes;
}

/** The genes of a processor; `undefined` if it does not answer. */
async function genesOf(agent: Agent, id: string): Promise<readonly Gene[] | undefined> {
  try {
    // A gene of Noema that has its default again is in no list, but a node may still set it to something else.
    return (await agent.call(id, GeneService.method.getGenes, { complete: true })).genes;
  } catch (reason) {
    // The genome is worth reading even if one of its processors is down, but a defect must show.
    if (refusalOf(reason).http === 500) throw reason;
    return undefined;
  }
}
