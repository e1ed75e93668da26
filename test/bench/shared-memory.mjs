/**
 * Measures the memory of an isolate that many processors share: two large ones asked in turn, then many small ones touched as fast as can
 * be, then all of them. Fails when the isolate needs more than it has, or when a processor answers something else than at first.
 */

import { callAt } from "./client.mjs";
import { IsolateMemory } from "./isolate-memory.mjs";
import { cell } from "./knowledge-memory.mjs";
import { loadKnowledge } from "./knowledge-transfer.mjs";
import { genomeOf, manyProcessors } from "./many-processors.mjs";
import { serveNoema, serveNoemaWithin } from "./served.mjs";
import { printTable, timed } from "./table.mjs";

const MEBIBYTE = 2 ** 20;
/** What an isolate has, and what its linear memory and its buffers may take of it. The heap gets the rest. */
const ISOLATE_BYTES = 128e6;
const LINEAR_BYTES = 96 * MEBIBYTE;
const BUFFER_BYTES = 6e6;
const HEAP_MEBIBYTES = Math.floor((ISOLATE_BYTES - LINEAR_BYTES - BUFFER_BYTES) / MEBIBYTE);
const SEED = 1;
/** Each of the two is asked so often. */
const TURNS = 4;
/** Requests under way. */
const WIDTH = 16;
/** Every small processor is touched so often. */
const ROUNDS = 2;
const SMALL_MODELS = 2;
const SMALL_SYMBOLS = 20;
const MEMORY_SYMBOLS = 100;

/** How Node says that a connection was closed. A server that has ended refuses the next one. */
const CLOSED = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/** Does an action for each processor, some at a time. */
async function forAll(ids, action) {
  let next = 0;
  const worker = async () => {
    while (next < ids.length) {
      const at = next++;
      await action(ids[at], at);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}

/** Asks for predictions. Asks again when the server has closed the connection, which it does while it works longer than 5 s. */
async function predictionsOf(address, id) {
  for (;;) {
    try {
      return predictionsIn(await callAt(address, `${id}/predictions`));
    } catch (error) {
      if (!CLOSED.has(error.cause?.code)) throw error;
    }
  }
}

function predictionsIn(answer) {
  return JSON.stringify(JSON.parse(answer).message);
}

/** Lets a small processor learn some models of its own, and observe what they begin with. */
async function teachSmall(address, id) {
  for (let model = 0; model < SMALL_MODELS; model++) {
    const event = (name) => ({
      strings: Array.from({ length: SMALL_SYMBOLS }, (_, at) => `${id} ${model} ${name} ${at}`),
    });
    const data = { sequence: [event("first"), event("then"), event("last")] };
    await callAt(address, `${id}/sequence-observe`, JSON.stringify({ data }));
    await callAt(address, `${id}/learn`);
  }
  await callAt(address, `${id}/observe`, JSON.stringify({ data: { strings: [`${id} 0 first 0`] } }));
}

/** Two knowledge bases, each with an event to predict from. */
function largeStores({ Generator, knowledgeText, symbolName, ...workloads }, models) {
  const generator = new Generator(workloads.A, SEED);
  return Array.from({ length: 2 }, () => ({
    text: knowledgeText(generator, models),
    strings: Array.from(generator.memory(), symbolName),
  }));
}

/** Loads two large processors and teaches the small ones; returns what each predicts. */
async function prepare({ address }, stores, ids) {
  const [first, second, ...small] = ids;
  const expected = new Map();
  await callAt(address, "genome/hotswap", genomeOf(ids.length, MEMORY_SYMBOLS));
  for (const [at, { text, strings }] of stores.entries()) {
    const id = [first, second][at];
    await loadKnowledge(address, text, id);
    await callAt(address, `${id}/observe`, JSON.stringify({ data: { strings } }));
  }
  await forAll(small, (id) => teachSmall(address, id));
  await forAll(ids, async (id) => {
    expected.set(id, await predictionsOf(address, id));
  });
  return expected;
}

/** The phases: what is asked in each, by name. */
function phasesOf(address, ids, expected) {
  const ask = async (id) => {
    const answer = await predictionsOf(address, id);
    if (answer !== expected.get(id)) throw new Error(`the processor ${id} predicts something else than at first`);
  };
  const [first, second, ...small] = ids;
  const two = async () => {
    for (let turn = 0; turn < TURNS; turn++) for (const id of [first, second]) await ask(id);
  };
  const many = async () => {
    for (let round = 0; round < ROUNDS; round++) await forAll(small, ask);
  };
  return { "two in turn": two, "many small": many, "all at once": () => Promise.all([two(), many()]) };
}

/** A row per phase. Throws when more memory was in use than an isolate has. */
async function measurePhases(noema, limit, ids, expected) {
  const memory = await IsolateMemory.open(noema);
  const rows = [];
  for (const [name, phase] of Object.entries(phasesOf(noema.address, ids, expected))) {
    const { result: ms, peak } = await memory.during(() => timed(phase));
    const rest = await memory.live();
    rows.push([limit, name, ms.toFixed(0), ...[peak, rest].map(cell)]);
    // Without a limit, V8 lets garbage pile up.
    const most = limit === "none" ? rest : peak;
    if (most.sum > ISOLATE_BYTES) throw new Error(`${name}: ${most.sum} bytes are more than an isolate has`);
    if (peak.linear > LINEAR_BYTES) throw new Error(`${name}: linear memory has grown to ${peak.linear} bytes`);
  }
  memory.close();
  return rows;
}

/**
 * Measures with and without a limit on the heap.
 *
 * @param tools the workloads and the writer of knowledge bases
 * @param size how many models each of the two large processors has, and how many small processors there are
 */
export async function measureShared(tools, { models, small }) {
  const ids = manyProcessors(small + 2);
  // Before the server starts: it closes a connection that waits for 5 s.
  const stores = largeStores(tools, models);
  let noema = await serveNoema();
  try {
    const expected = await prepare(noema, stores, ids);
    noema = await noema.restart(true);
    const rows = await measurePhases(noema, "none", ids, expected);
    noema = await serveNoemaWithin(HEAP_MEBIBYTES, noema);
    rows.push(...(await measurePhases(noema, `${HEAP_MEBIBYTES} MiB`, ids, expected)));
    return { models, small, rows };
  } finally {
    await noema.stop();
  }
}

/** Prints the rows. */
export function printShared({ models, small, rows }) {
  const title = `two processors of ${models} models of A and ${small} small ones in one isolate: peak memory in MB (linear + heap + buffers)`;
  printTable(title, ["heap limit", "phase", "ms", "peak", "at rest"], rows);
}
