/**
 * Kills the server in the middle of a removal of symbols, which is many transactions, and repeats the call under its idempotency key: it goes
 * on where it was, and answers as if nothing had happened.
 */

import { expect, onTestFinished, test } from "vitest";
import { modelName } from "../../src/processor/knowledge/names";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

/** 16 parts, and an answer that is not too large to keep. */
const MODELS = 8_000;

const REMOVE = `DELETE ${PROCESSOR}/symbols/remove`;
const BODY = { data: ["gone"] };
const KEY = { headers: { "idempotency-key": "the-removal" } };

/** Starts a server that knows the models. */
async function start(): Promise<Server> {
  const server = await Server.start();
  const models = Array.from({ length: MODELS }, (_, at) => {
    const sequence = [["gone", `s${at}`], ["end"]];
    return { kind: "model", name: modelName(sequence), sequence };
  });
  await server.okay(`POST ${PROCESSOR}/load_kb`, models);
  return server;
}

async function left(server: Server): Promise<number> {
  const { model_list: models } = (await ask(server, "POST get-models-with-symbols", BODY)) as { model_list: string[] };
  return models.length;
}

test("a removal that was killed goes on under its key", async () => {
  const whole = await start();
  onTestFinished(() => whole.discard());
  const wanted = await whole.okay(REMOVE, BODY, KEY);
  expect(Object.keys(wanted.message.models)).toHaveLength(MODELS);

  let server = await start();
  onTestFinished(() => server.discard());
  const lost = server.call(REMOVE, BODY, KEY).then(
    () => "answered",
    () => "lost",
  );
  while ((await left(server)) === MODELS);
  await server.kill();
  expect(await lost).toBe("lost");
  server = await Server.start(server.stateDir);
  const before = await left(server);
  expect([before > 0, before < MODELS]).toEqual([true, true]);

  const first = await server.call(REMOVE, BODY, KEY);
  expect([first.status, first.json.message]).toEqual([200, wanted.message]);
  expect(await left(server)).toBe(0);
  const again = await server.call(REMOVE, BODY, KEY);
  expect([again.text, again.headers["idempotency-replayed"]]).toEqual([first.text, "true"]);
  expect(await ask(server, "GET get_kb")).toEqual(await ask(whole, "GET get_kb"));
});
