/** Answers genome/hotswap: passes the genome to the agent exactly as in the body. */

import {
  AgentService,
  type GenomeChange,
  GenomeChangeSchema,
  type ProcessorPlace,
  ProcessorPlaceSchema,
} from "../../gen/noema/v1/agent_service_pb";
import { isJsonObject } from "../../text/located";
import { dataOf, flagIn, refuseUnknown, wrong } from "../decode/value";
import { epochSeconds } from "../encode/envelope";
import { objectOf } from "../encode/from-contract";
import type { Body } from "../json/body";
import { list, number, text, texts } from "../json/writer";
import type { RequestContext } from "../request-context";

/** The first segment of a path for the agent itself rather than a processor. */
const AGENT = "agent";

/**
 * Answers genome/hotswap, with a processor or the word `agent` in the path, or without either. The body is a genome, or
 * `{data: genome}`. With `purge=true` in the query, the data of processors that leave is deleted. With `dry_run=true`,
 * nothing changes, and the answer says what would.
 *
 * @throws Refusal 404 when the path names a processor that the agent does not have; 400 for another value of `purge` or
 *   `dry_run`
 * @throws ConnectError `InvalidArgument` when the agent does not accept the genome
 */
export async function hotswap(context: RequestContext): Promise<string> {
  const { agent, params, query } = context;
  const body = await context.body();
  const genome = genomeIn(body);
  refuseUnknown(body);
  const purge = flagIn(query, "purge");
  const dryRun = flagIn(query, "dry_run");
  const id = params.id ?? AGENT;
  if (id !== AGENT) await agent.find(id);
  if (dryRun) {
    const { change } = await agent.ask(AgentService.method.previewHotswap, { genomeJson: genome, purge });
    if (change === undefined) throw new Error("an agent left out what a hotswap would do");
    return envelope(id, objectOf(GenomeChangeSchema, change), "");
  }
  const { change } = await agent.hotswap(genome, purge);
  return envelope(id, '"hotswapped-genome"', change === undefined ? "" : consequences(change));
}

/** @param message JSON text @param further members after the message, each followed by a comma */
function envelope(id: string, message: string, further: string): string {
  return (
    `{"id":${text(id)},"interval":0,"message":${message},${further}"status":"okay",` +
    `"time_stamp":${number(epochSeconds())}}`
  );
}

/**
 * The processors that a hotswap has placed, deleted or taken out of service. Omitted if there are none, as the official
 * client expects.
 */
function consequences({ placed, purged, retired }: GenomeChange): string {
  const placedMember = placed.length === 0 ? "" : `"placed":${places(placed)},`;
  const deleted = purged.length === 0 ? "" : `"purged":${texts(purged)},`;
  return placedMember + (retired.length === 0 ? deleted : `${deleted}"retired":${texts(retired)},`);
}

/** Where processors will live. */
function places(placed: readonly ProcessorPlace[]): string {
  return list(placed.map((place) => objectOf(ProcessorPlaceSchema, place)));
}

/** The genome in a body, as the sender wrote it. The agent checks it. */
function genomeIn(body: Body): string {
  const isWrapped =
    isJsonObject(body.value) && Object.hasOwn(body.value, "data") && !Object.hasOwn(body.value, "elements");
  const { value, way, path } = isWrapped ? dataOf(body, []) : body.root();
  const accepted = "a genome {agent, elements: {nodes: [...]}}";
  if (!isJsonObject(value)) throw wrong(path, accepted, value);
  if (!isJsonObject(value.elements))
    throw wrong(
      path === "" ? "elements" : `${path}.elements`,
      `an object {nodes: [...]}, as in ${accepted}`,
      value.elements,
    );
  return body.raw(way);
}
