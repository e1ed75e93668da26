/** The rows of issued keys. The gateway generates the secret and keeps nothing of it; the agent keeps its hash. */

import { KeyService } from "../../gen/noema/v1/key_service_pb";
import { excerpt } from "../../text/excerpt";
import type { Agent } from "../agents/agent";
import { decodeKeyId, decodeKeyRights } from "../decode/key";
import { noteAll, refuseUnknown } from "../decode/value";
import { agentEnvelope } from "../encode/envelope";
import { keys, newKey } from "../encode/key";
import { hashOf, keyText, newSecret } from "../keys/new-key";
import { rolesFor } from "../keys/role";
import { Refusal } from "../refusal";
import type { RequestContext } from "../request-context";
import type { Operation } from "./operation";

const { createKey, getKeys, deleteKey } = KeyService.method;

async function answerCreate(context: RequestContext): Promise<string> {
  const { agent, rights: asking } = context;
  const body = await context.body();
  const rights = decodeKeyRights(body);
  refuseUnknown(body);
  await checkProcessors(rights.processors ?? [], agent);
  const secret = newSecret();
  const key = await agent.createKey({ rights, secretSha256: hashOf(secret), askedWith: asking.keyId });
  return agentEnvelope(newKey(key, keyText({ id: key.id, secret })));
}

async function answerList(context: RequestContext): Promise<string> {
  const body = await context.body();
  noteAll(body);
  refuseUnknown(body);
  return agentEnvelope(keys((await context.agent.askKeys()).keys));
}

async function answerDelete(context: RequestContext): Promise<string> {
  const body = await context.body();
  const id = decodeKeyId(body, context);
  refuseUnknown(body);
  await context.agent.deleteKey({ id, askedWith: context.rights.keyId });
  return agentEnvelope('"key-deleted"');
}

/** @throws Refusal 400 for a processor that the agent does not have: a key for it would open nothing */
async function checkProcessors(processors: readonly string[], agent: Agent): Promise<void> {
  if (processors.length === 0) return;
  const { byIdOrName } = (await agent.genome()).topology;
  for (const [at, named] of processors.entries()) {
    const id = byIdOrName.get(named)?.id;
    if (id === named) continue;
    const instead = id === undefined ? "the agent has no such processor" : `its id is ${excerpt(id)}`;
    throw new Refusal(400, `data.processors[${at}] must be the id of a processor, got ${excerpt(named)}; ${instead}`);
  }
}

/** The keys that an agent has issued. They come before the rows of processors: `keys` in a path is not a processor. */
export const keyOperations: readonly Operation[] = [
  {
    methods: ["POST"],
    path: "/keys",
    roles: rolesFor(createKey),
    rpcs: [createKey],
    isOwn: true,
    answer: answerCreate,
    summary: "Issues a key with some rights. Its text is shown once and never again.",
  },
  {
    methods: ["GET"],
    path: "/keys",
    roles: rolesFor(getKeys),
    rpcs: [getKeys],
    isOwn: true,
    answer: answerList,
    summary: "Lists the issued keys in the order in which they were made, without their secrets.",
  },
  {
    methods: ["DELETE"],
    path: "/keys/:key",
    roles: rolesFor(deleteKey),
    rpcs: [deleteKey],
    isOwn: true,
    answer: answerDelete,
    summary: "Deletes an issued key: after 30 s at most, it is refused everywhere.",
  },
];
