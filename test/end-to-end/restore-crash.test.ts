/** A server that is killed at any moment of a restore has the agent as it was before or as it is restored, never parts of both. */

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { backupOf, GENOME, type ServedAgent, send } from "../support/backup/agent-life";
import { Server } from "../support/server/server";

const ROUNDS = 14;
const MODELS = 400;

/** Has both processors learn models of a name. */
async function fill(one: ServedAgent, name: string): Promise<void> {
  for (const id of ["p1", "p2"]) {
    const sequence = Array.from({ length: MODELS }, (_, at) => [
      { strings: [`${name} ${at}`] },
      { strings: ["end"] },
    ]).flat();
    await send(one, [`POST /${id}/clear-all-memory`]);
    await send(one, [`POST /${id}/genes/change`, { data: { max_sequence_length: 2 } }]);
    await send(one, [`POST /${id}/predicting/stop`]);
    await send(one, [`POST /${id}/autolearning/start`]);
    await send(one, [`POST /${id}/sequence-observe`, { data: { sequence } }]);
    await send(one, [`POST /${id}/sessions/device/observe`, { data: { strings: [name] } }]);
  }
}

/** Which name each part of the agent shows. */
async function shown(one: ServedAgent): Promise<string[]> {
  const names: string[] = [];
  for (const id of ["p1", "p2"]) {
    const { text } = await send(one, [`GET /${id}/get_kb/raw`]);
    names.push(...new Set(Array.from(text.matchAll(/\[\["(\w+) \d+"\]/g), ([, name = ""]) => name)));
    names.push((await send(one, [`GET /${id}/sessions/device/working-memory`])).json.message[0][0]);
  }
  return [...new Set(names)];
}

test("kill -9 while restoring", async () => {
  let server = await Server.start();
  try {
    await send({ server, name: "" }, ["POST /genome/hotswap", GENOME]);
    const files: Record<string, string> = {};
    for (const name of ["old", "new"]) {
      await fill({ server, name: "" }, name);
      files[name] = await backupOf({ server, name: "" });
    }
    let current = "new";
    const began = Date.now();
    expect((await send({ server, name: "" }, ["POST /restore", files.old])).status).toBe(200);
    const wholeMs = Date.now() - began;
    expect(await shown({ server, name: "" })).toEqual(["old"]);
    current = "old";
    const results: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const next = current === "old" ? "new" : "old";
      const restoring = send({ server, name: "" }, ["POST /restore", files[next]]).then(
        ({ status }) => `answered ${status}`,
        () => "cut off",
      );
      await sleep((wholeMs * (round + 0.5)) / ROUNDS);
      await server.kill();
      const answer = await restoring;
      server = await Server.start(server.stateDir);
      const after = await shown({ server, name: "" });
      expect([["old"], ["new"]]).toContainEqual(after);
      if (answer === "answered 200") expect(after).toEqual([next]);
      results.push(`${answer}: ${after[0] === next ? "restored" : "as before"}`);
      current = after[0] ?? "";
      // It takes restores again, and it goes on.
      if (round % 5 === 4)
        expect((await send({ server, name: "" }, ["POST /restore", files[current]])).status).toBe(200);
    }
    expect(new Set(results).size).toBeGreaterThan(0);
  } finally {
    await server.discard();
  }
}, 300_000);
