/**
 * What is simulated is what workerd does: plans without faults, one step after the other, have the same answers from a
 * served workerd, to the byte, also if it is killed in the middle of a step that is sent again with its key; and after
 * a kill, what is read of the disks is the same, too.
 */

import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
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
  path?: string;
  phase?: string;
  change?: string;
}

/** A plan. */
interface Plan {
  steps: Step[];
  parts?: number[];
}

interface Answered {
  status: number;
  text: string;
}

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
    "check/twin.mjs",
    "plan/keeping.mjs",
    "plan/parts.mjs",
  ];
  const modules = await Promise.all(
    [...files.map((file) => `simulation/${file}`), "torture/model/answers.mjs"].map(load),
  );
  all = Object.assign({}, ...modules);
});

/** An alert of silence, which comes after some time: workerd's is real. */
const OF_SILENCE = / alerts\/(?:still|mute)$/;

/** The plan of a seed, in which one client does everything, one thing after the other. */
function inOrder(seed: number, area: string): Plan {
  const plan = all.planOf?.(seed, { faults: false, area }) as Plan;
  const steps = plan.steps.filter(({ call, frame }) => frame === undefined && !OF_SILENCE.test(call));
  return { ...plan, steps: steps.map((step) => ({ ...step, client: "one", pause: 0 })) };
}

/** What an answer says of the moment when it was given, or a call arrived. */
const TIMELY = /"(?:time_stamp|last_observed)":\d+/g;

const timeless = ({ status, text }: Answered) => all.told?.({ status, text: text.replace(TIMELY, "") });

/** Answers of both as they are compared: as the model of the torture does, or without their times. */
const COMPARED: Record<string, (answer: Answered) => unknown> = {
  agent: (answer) => all.comparable?.(answer),
  watching: timeless,
  parts: timeless,
};

async function ask(server: Server, step: Step, area: string): Promise<unknown> {
  const [method = ""] = step.call.split(" ");
  const headers = step.key === undefined ? {} : { "idempotency-key": step.key };
  const path = step.path ?? (all.pathOf?.(step) as string);
  return COMPARED[area]?.(await server.send({ method, path, headers, body: step.body }));
}

/** The last number: after which share of a plan workerd is killed while it serves a step. */
const SAMPLES = [
  ["agent", 3, () => all.GENOME, "readings", 0.5],
  // The step is one that clears everything, and others learn again.
  ["agent", 31, () => all.GENOME, "readings", 0.44],
  ["watching", 2, () => all.WATCHED, "watchedReadings", 0.6],
  ["parts", 80, ({ parts }: Plan) => all.splitIn?.(parts), "splitReadings", 0.45],
] as const;

/** For this long a step is served before workerd is killed, in milliseconds: more than most take. */
const SERVED_MS = 3;

/** The step from which on one with a key comes first: it is repeatable. */
function repeatableFrom(steps: readonly Step[], share: number): Step | undefined {
  return steps.slice(Math.floor(share * steps.length)).find(({ key }) => key !== undefined);
}

test.each(
  SAMPLES,
)("workerd answers as the simulation does, before and after a kill: %s, seed %i", async (...sample) => {
  const [area, seed, agentOf, readings, share] = sample;
  const program = await all.Program.load();
  const plan = inOrder(seed, area);
  const { answers, wrong } = (await all.simulate?.(program, plan)) as { answers: Answered[]; wrong: string[] };
  expect(wrong).toEqual([]);
  const simulated = answers.map((answer) => COMPARED[area]?.(answer));
  const env = { NOEMA_ALERT_HOSTS: "hooks.example" };
  let server = await Server.start(undefined, env);
  onTestFinished(() => server.discard());
  await server.okay("POST /genome/hotswap", all.genomeOf?.(agentOf(plan)));
  const served: unknown[] = [];
  const restart = async () => {
    await server.kill();
    server = await Server.start(server.stateDir, env);
  };
  const interrupted = repeatableFrom(plan.steps, share);
  expect(interrupted).toBeDefined();
  for (const step of plan.steps) {
    if (step === interrupted) {
      const lost = ask(server, step, area).catch(() => undefined);
      await setTimeout(SERVED_MS);
      await restart();
      await lost;
    }
    served.push(await ask(server, step, area));
  }
  await restart();
  for (const step of all[readings]?.() as Step[]) served.push(await ask(server, step, area));
  expect(served).toEqual(simulated);
});

/** A plan that restores a backup into a processor of parts, without those who write or read meanwhile. */
function restoring(seed: number): Plan {
  const plan = inOrder(seed, "keeping");
  const steps = plan.steps.filter(({ change, phase }) => phase !== "change" || change === "restore");
  return { ...plan, steps: steps.map((step) => (step.change === undefined ? step : { ...step, client: "changer" })) };
}

/** How often a restore is sent again, and how long after the last time, in milliseconds. */
const MAX_RESTORES = 100;
const PAUSE_MS = 100;

test("workerd restores as the simulation does, with parts, alerts and a kill in the middle", async () => {
  const program = await all.Program.load();
  const { parts, steps, ...about } = restoring(43);
  const simulation = await all.simulate?.(program, { ...about, parts, steps });
  const { answers, wrong } = simulation as { answers: Answered[]; wrong: string[] };
  expect(wrong).toEqual([]);
  const env = { NOEMA_ALERT_HOSTS: "hooks.example" };
  let server = await Server.start(undefined, env);
  onTestFinished(() => server.discard());
  await server.okay("POST /genome/hotswap", all.genomeOf?.(all.genomeIn?.(0, parts)));
  const play = async (some: readonly Step[]) => {
    const served: unknown[] = [];
    for (const step of some) served.push(await ask(server, step, "watching"));
    return served;
  };
  const readings = all.keptReadings?.() as Step[];
  const ofPhase = (phase: string) => steps.filter((step) => step.phase === phase);
  await play(ofPhase("first"));
  const backup = await server.send({ method: "GET", path: "/backup" });
  await play(ofPhase("second"));
  const send = () => server.send({ method: "POST", path: "/restore", body: backup.text });
  const lost = send().catch(() => undefined);
  await setTimeout(SERVED_MS);
  await server.kill();
  server = await Server.start(server.stateDir, env);
  await lost;
  let { status } = await send();
  for (let attempt = 1; status !== 200 && attempt < MAX_RESTORES; attempt++) {
    await setTimeout(PAUSE_MS);
    ({ status } = await send());
  }
  expect(status).toBe(200);
  const served = [await play(readings), await play(ofPhase("last")), await play(readings)];
  // At the end the simulation has read all of it four times: of the backup, before the restore, after it, and last.
  const simulated = answers.map((answer) => timeless(answer));
  const ended = simulated.slice(steps.length);
  const last = simulated.filter((_, at) => steps[at]?.phase === "last");
  const [afterwards, later] = [2, 3].map((at) => ended.slice(at * readings.length, (at + 1) * readings.length));
  expect(served).toEqual([afterwards, last, later]);
});
