/** Answers genome/hotswap: passes the genome to the agent as it stands in the body. */

import { isJsonObject } from "../../text/located";
import { dataOf, describe, wrong } from "../decode/value";
import { epochSeconds } from "../encode/envelope";
import type { Body } from "../json/body";
import { number, text } from "../json/writer";
import { Refusal } from "../refusal";
import type { RequestContext } from "../request-context";

/** The first segment of a path that means the agent itself and none of its processors. */
const AGENT = "agent";

/**
 * Answers genome/hotswap, with a processor or the word `agent` in the path, or without either. The body is a genome, or
 * `{data: genome}`. With `purge=true` in the query, the data of the processors that go is deleted.
 *
 * @throws Refusal 404 when the path names a processor that the agent does not have; 400 for another value of `purge`
 * @throws ConnectError `InvalidArgument` when the agent does not accept the genome
 */
export async function hotswap(context: RequestContext): Promise<string> {
  const { agent, params, query } = context;
  const genome = genomeIn(await context.body());
  const purge = isPurge(query.purge);
  const id = params.id ?? AGENT;
  if (id !== AGENT) await agent.find(id);
  await agent.hotswap(genome, purge);
  return (
    `{"id":${text(id)},"interval":0,"message":"hotswapped-genome","status":"okay",` +
    `"time_stamp":${number(epochSeconds())}}`
  );
}

/** The genome in a body, as the sender wrote it. The agent decides whether it is right. */
function genomeIn(body: Body): string {
  const isWrapped =
    isJsonObject(body.value) && Object.hasOwn(body.value, "data") && !Object.hasOwn(body.value, "elements");
  const { value, way, path } = isWrapped ? dataOf(body) : body.root();
  if (!isJsonObject(value) || !isJsonObject(value.elements))
    throw wrong(path, "a genome {agent, elements: {nodes: [...]}}", value);
  return body.raw(way);
}

function isPurge(value: string | string[] | undefined): boolean {
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw new Refusal(400, `the query's purge must be true or false, got ${describe(value)}`);
}
