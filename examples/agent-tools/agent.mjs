/**
 * An AI agent that asks Noema before it calls a tool. Each job it has finished was a sequence of tool calls, which Noema
 * has learned; a call that comes out of order is reported before it is made. The agent here is played: its jobs are
 * generated. All it asks goes through the Model Context Protocol, with the protocol's official client.
 */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ownProcessor, SERVER } from "../own-processor.mjs";
import { Random } from "../random.mjs";

const PROCESSOR = "agent-tools";

/** How many finished jobs are learned. */
const LEARNED = 60;

/** A call of this many bits or more is not made: it came less than once in a hundred times. */
const UNUSUAL_BITS = 7;

/** The tool calls of a refund, in the order in which they belong. Some jobs need one more look, or a second opinion. */
function refund(random) {
  const calls = ["read_ticket", "find_customer", "find_order"];
  if (random.below(3) === 0) calls.push("read_policy");
  calls.push("check_payment");
  if (random.below(4) === 0) calls.push("ask_supervisor");
  return [...calls, "refund", "write_reply", "close_ticket"];
}

await ownProcessor(PROCESSOR);
const client = new Client({ name: "agent-tools", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
const requestInit = { headers: { "X-API-KEY": SERVER.key } };
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", SERVER.address), { requestInit }));

/** Calls a tool of Noema. Throws what it answers when it refuses. */
async function noema(name, given) {
  const answer = await client.callTool({ name, arguments: { processor: PROCESSOR, ...given } });
  if (answer.isError) throw new Error(answer.content[0].text);
  return answer.structuredContent;
}

const random = new Random(7);
for (let job = 0; job < LEARNED; job++) {
  const calls = refund(random);
  for (const [at, call] of calls.entries()) await noema("observe", { strings: [call], learn: at === calls.length - 1 });
}
console.log(`Learned ${LEARNED} finished jobs.\n`);

/** What the agent plans to do. It wants to pay before it has looked whether anything was paid. */
const PLANNED = ["read_ticket", "find_customer", "refund", "find_order", "check_payment", "refund", "close_ticket"];

const done = [];
for (const call of PLANNED) {
  if (done.length > 0) {
    const [likeliest] = (await noema("what_comes_next", { sequence: done, top: 1 })).steps[0].symbols;
    const { surprise } = await noema("how_unusual", { event: [call], sequence: done });
    const usual = `usual: ${likeliest.symbol}, ${Math.round(100 * likeliest.probability)} %`;
    if (surprise.bits >= UNUSUAL_BITS) {
      console.log(`${call.padEnd(14)} ${surprise.bits.toFixed(1).padStart(5)} bits  NOT CALLED (${usual})`);
      continue;
    }
    console.log(`${call.padEnd(14)} ${surprise.bits.toFixed(1).padStart(5)} bits  called     (${usual})`);
  } else {
    console.log(`${call.padEnd(14)}             called`);
  }
  done.push([call]);
}
await client.close();
