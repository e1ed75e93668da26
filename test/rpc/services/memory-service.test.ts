/** Lists of sessions are read in parts, and others are served between them. */

import { expect, test } from "vitest";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { memoryService } from "../../../src/rpc/services/memory-service";
import { type ProcessorHost, serveOn } from "../../../src/rpc/services/serve";
import { messageFromBytes, messageToBytes } from "../../../src/rpc/transport/message-bytes";
import { UnaryServer } from "../../../src/rpc/transport/unary-server";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { Clocked } from "../../support/processor/clocked";

/** How many sessions the store reads at a time. */
const AT_ONCE = 10;

/** A processor of 40 sessions, each fourth of which has expired. */
function clocked(): Clocked {
  const clocked = new Clocked();
  const observe = (name: string) => clocked.in(name).memory.observe(gdfOf({ strings: ["a"] }), []);
  const names = Array.from({ length: 40 }, (_, at) => `s${at + 10}`);
  for (const [at, name] of names.entries()) if (at % 4 === 0) observe(name);
  clocked.processor.genes.change(geneChangesOf({ session_ttl: 10 }));
  clocked.pass(20);
  for (const [at, name] of names.entries()) if (at % 4 !== 0) observe(name);
  clocked.store.mostRows = AT_ONCE;
  return clocked;
}

test.each([
  [undefined, "", 30, 5],
  [1000, "", 30, 5],
  [15, "", 15, 2],
  [5, "", 5, 1],
  [1000, "s29", 15, 3],
  [1, "s48", 1, 1],
  [10, "s49", 0, 1],
])("a limit of %s after %j lists %i sessions, and others are served between parts", async (limit, after, listed, parts) => {
  const { processor } = clocked();
  const happened: string[] = [];
  const run = <Reply>(_: boolean, verb: (one: typeof processor) => Reply) => {
    happened.push("listed");
    return verb(processor);
  };
  const server = new UnaryServer((error) => {
    throw error;
  });
  const host = { run, processor: () => processor } as unknown as ProcessorHost;
  server.service(MemoryService, memoryService(serveOn(host)));
  const other = () => {
    happened.push("other");
    timer = setTimeout(other);
  };
  let timer = setTimeout(other);
  const { input, output } = MemoryService.method.listSessions;
  const request = { after, ...(limit !== undefined && { limit }) };
  const reply = await server.call("/noema.v1.MemoryService/ListSessions", messageToBytes(input, request));
  clearTimeout(timer);
  if (typeof reply === "string") throw new Error(reply);
  const { sessions, stamp } = messageFromBytes(output, reply);
  const all = Array.from({ length: 40 }, (_, at) => `s${at + 10}`).filter((_, at) => at % 4 !== 0);
  expect(sessions.map(({ name }) => name)).toEqual(all.filter((name) => name > after).slice(0, listed));
  expect(sessions).toHaveLength(listed);
  expect(stamp).toMatchObject({ id: "p46b6b076c", time: 0 });
  expect(happened.join(" ")).not.toContain("listed listed");
  expect(happened.filter((what) => what === "listed")).toHaveLength(parts);
});
