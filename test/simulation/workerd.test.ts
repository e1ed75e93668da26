/**
 * What is simulated is what workerd does: plans without faults, one step after the other, have the same answers from a
 * served workerd, to the byte; and after a kill, what is read of the disks is the same, too.
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { Server } from "../support/server/server";

const load = (file: string) => import(pathToFileURL(resolve("test", file)).href);

/** A step of a plan that sends a request. */
interface Step {
  id: number;
  client: string;
  pause: number;
  call: string;
  body?: unknown;
  key?: string;
  frame?: unknown;
}

interface Answered {
  status: number;
  text: string;
}

const SEEDS = [3, 30];

let all: Record<string, (...values: unknown[]) => unknown> & { Program: { load(): Promise<unknown> } };

beforeAll(async () => {
  const files = [
    "simulation.mjs",
    "plan/generate.mjs",
    "platform/platform.mjs",
    "clients.mjs",
    "genome.mjs",
    "areas.mjs",
    "readings.mjs",
  ];
  const modules = await Promise.all(
    [...files.map((file) => `simulation/${file}`), "torture/model/answers.mjs"].map(load),
  );
  all = Object.assign({}, ...modules);
});

/** The plan of a seed, in which one client does everything, one thing after the other. */
function inOrder(seed: number): { version: number; seed: number; steps: Step[] } {
  const plan = all.planOf?.(seed, { faults: false, area: "agent" }) as { version: number; seed: number; steps: Step[] };
  const steps = plan.steps.filter(({ frame }) => frame === undefined);
  return { ...plan, steps: steps.map((step) => ({ ...step, client: "one", pause: 0 })) };
}

/** The answer of a served workerd, as the model of the torture compares answers. */
async function ask(server: Server, step: Step): Promise<unknown> {
  const [method = ""] = step.call.split(" ");
  const headers = step.key === undefined ? {} : { "idempotency-key": step.key };
  const path = all.pathOf?.(step) as string;
  const { status, text } = await server.send({ method, path, headers, body: step.body });
  return all.comparable?.({ status, text });
}

test("workerd answers as the simulation does, before and after a kill", async () => {
  const program = await all.Program.load();
  for (const seed of SEEDS) {
    const plan = inOrder(seed);
    const { answers, wrong } = (await all.simulate?.(program, plan)) as { answers: Answered[]; wrong: string[] };
    expect(wrong).toEqual([]);
    const simulated = answers.map((answer) => all.comparable?.(answer));
    let server = await Server.start();
    onTestFinished(() => server.discard());
    await server.okay("POST /genome/hotswap", all.genomeOf?.());
    const served: unknown[] = [];
    for (const step of plan.steps) served.push(await ask(server, step));
    await server.kill();
    server = await Server.start(server.stateDir);
    for (const step of all.readings?.() as Step[]) served.push(await ask(server, step));
    expect(served).toEqual(simulated);
  }
});
