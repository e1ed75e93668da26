/**
 * What an earlier release stored opens: every reading answers as that release did, also after a crash, and its processors observe, learn
 * and predict on. test/fixtures holds the states. Takes 45 s: every test serves a state anew, and the states name their ports, so that one
 * test at a time has them.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { operations } from "../../src/gateway/operations/table";
import { TestWebhook } from "../support/alerts/webhook";
import { differences, read } from "../support/earlier-state/answers";
import { unpack } from "../support/earlier-state/archive";
import { CHAINED, FAR_HOST, KITCHEN, WAITING, WITH_RETIRED } from "../support/earlier-state/history";
import { MACHINE, WEBHOOK_HOST, WEBHOOK_PORT } from "../support/earlier-state/machine";
import { takePorts } from "../support/earlier-state/ports";
import { AGENT_READINGS, PROCESSOR_READINGS } from "../support/earlier-state/readings";
import { ANSWERS, type Answers, ARCHIVE, ENDINGS } from "../support/earlier-state/record";
import { genomeText, primitive } from "../support/object/genomes";
import { makeStateDir, Server } from "../support/server/server";

const FIXTURES = "test/fixtures";
const STATES = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const LONG_MS = 300_000;
/** The relay tries again after up to a minute. */
const DELIVERY_MS = 90_000;
/** Maximum duration of another run of these tests on this machine. */
const OTHER_RUN_MS = 600_000;

/** A state of an earlier release, unpacked, and its server's settings and answers. Deleted when the test is over. */
function open(state: string, ending: string): Answers & { stateDir: string } {
  const folder = mkdtempSync(join(tmpdir(), "noema-earlier-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  unpack(join(FIXTURES, state, ARCHIVE), folder);
  const answers: Answers = JSON.parse(readFileSync(join(FIXTURES, state, ANSWERS), "utf8"));
  return { ...answers, stateDir: join(folder, ending) };
}

async function start(stateDir: string, environment: Record<string, string>): Promise<Server> {
  const server = await Server.start(stateDir, environment);
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

/** Teaches a processor a sequence and has it predict that. */
async function learnAndPredict(server: Server, processor: string, headers: Record<string, string> = {}): Promise<void> {
  const call = (operation: string, body?: unknown) => server.okay(`POST /${processor}/${operation}`, body, { headers });
  for (const mode of ["sleeping/stop", "predicting/start", "clear-target-class", "working-memory/clear"]) {
    await call(mode);
  }
  for (const symbol of ["tomorrow", "still", "works"]) await call("observe", { data: { strings: [symbol] } });
  const { message: model } = await call("learn");
  expect(model).toMatch(/^MODEL\|[0-9a-f]{40}$/);
  const { message: observed } = await call("observe", { data: { strings: ["tomorrow"] } });
  expect(observed).toMatchObject({ prediction_made: true, status: "observed" });
  const { message: predictions } = await call("predictions");
  expect(predictions).toMatchObject([{ name: model.slice(6), future: [["still"], ["works"]], frequency: 1 }]);
}

/** The far processor comes up, hears what has waited for it and what is new, and nothing twice. */
async function hearWhatWaited(server: Server): Promise<void> {
  const [, port = ""] = FAR_HOST.split(":");
  const far = await Server.start(makeStateDir(), { PORT: port, API_KEYS: "secret" });
  onTestFinished(() => far.discard());
  await far.okay("POST /genome/hotswap", genomeText(primitive("far")), { key: "secret" });
  await server.okay("POST /p7/observe", { data: { strings: ["known", "new"] } });
  const heard = async () => {
    const events: string[][] = (await server.okay("GET /far/working-memory")).message;
    return events.map((symbols) => symbols.map((symbol) => symbol.split("|extras|")[1]));
  };
  const told = [...WAITING, "new"].map((symbol) => [symbol]);
  await expect.poll(heard, { timeout: DELIVERY_MS, interval: 200 }).toEqual(told);
}

/** Begins to listen where a state's alerts go. Returns what waits until a webhook was told what waited, and that it was told nothing false. */
async function listen(environment: Record<string, string>): Promise<() => Promise<void>> {
  if (environment.NOEMA_ALERT_HOSTS !== WEBHOOK_HOST) return () => Promise.resolve();
  const webhook = await TestWebhook.start(WEBHOOK_PORT);
  onTestFinished(() => webhook.stop());
  return async () => {
    const [{ body } = { body: undefined }] = await webhook.came("okay", 1, DELIVERY_MS);
    expect(body).toMatchObject({
      data: { alert: expect.any(String), id: MACHINE },
      type: expect.stringMatching(/^noema\./),
    });
    expect(webhook.forgeries).toBe(0);
  };
}

let releasePorts: () => Promise<void>;
beforeAll(async () => {
  releasePorts = await takePorts();
}, OTHER_RUN_MS);
afterAll(() => releasePorts());

test("there is a state of an earlier release", () => {
  expect(STATES).toContain("state-8-later");
});

/** What operators read. It says nothing that only an earlier release stored, or has a test of its own. */
const OPERATORS: ReadonlySet<string> = new Set([
  "/backup",
  "/links",
  "/metrics",
  "/mqtt/routes/:route",
  "/processors",
  "/requests/recent",
]);

test("the readings are all that the interface has", () => {
  const gets = operations
    .filter(({ methods, summary }) => methods.includes("GET") && !summary.startsWith("Fails: "))
    .filter(({ path }) => !OPERATORS.has(path))
    .map(({ path }) => `GET ${path}`);
  const readings = [...AGENT_READINGS, ...PROCESSOR_READINGS.map((reading) => reading.replace("GET ", "GET /:id/"))];
  expect(readings.toSorted()).toEqual(gets.toSorted());
});

describe.each(STATES)("%s", (state) => {
  describe.each(ENDINGS)("of a server that was %s", (ending) => {
    test("answers as before, observes, learns and predicts", { timeout: LONG_MS }, async () => {
      const { stateDir, environment, answers, continued } = open(state, ending);
      const alertsArrive = await listen(environment);
      const server = await start(stateDir, environment);
      expect(answers.length).toBeGreaterThan(200);
      expect(await differences(server, answers)).toEqual([]);
      expect(continued.length).toBeGreaterThan(50);
      expect(await differences(server, continued)).toEqual([]);
      for (const processor of CHAINED) await learnAndPredict(server, processor);
      await learnAndPredict(server, "P1", { host: KITCHEN });
      await hearWhatWaited(server);
      await alertsArrive();
    });

    test("answers as before after a kill shortly after the start", { timeout: LONG_MS }, async () => {
      const { stateDir, environment, answers } = open(state, ending);
      const first = await start(stateDir, environment);
      const asked = Promise.allSettled(answers.map((reading) => read(first, reading)));
      // Some are refused, because all come at once.
      await expect.poll(async () => (await first.send({ method: "GET", path: "/p1/status" })).status).toBe(200);
      await first.kill();
      await asked;
      const server = await start(stateDir, environment);
      expect(await differences(server, answers)).toEqual([]);
      await learnAndPredict(server, "p4");
    });

    test("keeps the processors that its genome no longer has, and takes a load", { timeout: LONG_MS }, async () => {
      const { stateDir, environment } = open(state, ending);
      const server = await start(stateDir, environment);
      await server.okay("POST /genome/hotswap", genomeText(...WITH_RETIRED));
      const { message: status } = await server.okay("GET /p5/status");
      expect(status).toMatchObject({ models_kb: "{KB| objects: 1}" });
      expect((await server.okay("GET /p5/gene/recall_threshold")).message).toBe("0.700000");
      const { text } = await server.send({ method: "GET", path: "/p5/get_kb/raw" });
      // A load that was begun and never ended lies in p3.
      expect((await server.okay("POST /p3/load_kb", text)).message).toBe("success");
      expect((await server.send({ method: "GET", path: "/p3/get_kb/raw" })).text).toBe(text);
    });
  });
});
