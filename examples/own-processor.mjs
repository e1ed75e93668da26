/**
 * Gives an example a processor of its own, so that it neither mixes with what you have learned nor deletes it. Environment:
 * NOEMA_ADDRESS (http://127.0.0.1:8787) and NOEMA_API_KEY (the local key).
 */

import { clearAllMemory, connect, getConnection, hotswapGenome, NoemaError, processor } from "noema/client";

/** Where the server is, and a key that it accepts. */
export const SERVER = {
  address: process.env.NOEMA_ADDRESS || "http://127.0.0.1:8787",
  key: process.env.NOEMA_API_KEY || "ABCD-1234",
};

/**
 * Adds a processor to the agent's genome, unless it is there, and lets it forget what an earlier run has learned. Where the server refuses
 * that, or does not answer, the program ends with one sentence.
 *
 * @param {string} id its identifier and name
 * @returns {Promise<import("noema/client").Processor>}
 */
export async function ownProcessor(id) {
  try {
    return await prepare(connect(SERVER), id);
  } catch (error) {
    if (!(error instanceof NoemaError)) throw error;
    const advice = error.status === 0 ? ' Run "npm start" in another terminal first.' : "";
    console.error(`The server at ${SERVER.address} does not serve this example: ${error.message}.${advice}`);
    return process.exit(1);
  }
}

async function prepare(noema, id) {
  // No retries: if the server is not running, say so at once.
  const { genome } = await getConnection(noema, { retries: 0 });
  const { nodes } = genome.elements;
  if (!nodes.some(({ data }) => data.id === id)) {
    nodes.push({ data: { type: "primitive", id, name: id } });
    await hotswapGenome(noema, genome);
  }
  const own = processor(noema, id);
  await clearAllMemory(own);
  return own;
}
