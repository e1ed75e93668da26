/**
 * The simulator at work: a few seeds with everything that can go wrong, the faults that are planted for it, and what it
 * refuses. The endless form is `npm run simulate`. Takes 50 s: each planted fault is looked for in plans of its own.
 */

import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

const load = (file: string) => import(pathToFileURL(resolve("test/simulation", file)).href);

/** What became of a plan. */
interface Simulated {
  wrong: string[];
  counts: { faults: number };
  trace?: string[];
}

/** What a run of the simulator does. */
interface Settings {
  area?: string;
  first: number;
  jobs: number;
  most: number;
  ms: number;
  without: string[];
}

/** What this file uses of the simulator, which is plain JavaScript. */
interface Simulator {
  simulate(program: unknown, plan: unknown, options?: { isTraced: boolean }): Promise<Simulated>;
  planOf(seed: number, options: { area: string }): { seed: number; steps: unknown[] };
  checkedPlan(plan: unknown): unknown;
  settingsOf(argv: string[], mayHaveThreads?: boolean): Settings;
  argumentsFor(settings: unknown): string[];
  seedFrom(text: unknown): number;
  shrunk(plan: unknown, fails: (plan: unknown) => Promise<boolean>): Promise<{ steps: unknown[] }>;
  PLANTED: { name: string; area: string; seed?: number; plan?: unknown }[];
  optimizeLater(): void;
  FOUND: Record<string, unknown>;
  PLANNED: Record<string, unknown>;
  program: { plant(name: string | undefined): void };
}

/** From here on there are short plans of several areas, one after the other. */
const SHORT_SEEDS = 3526;

let simulator: Simulator;

beforeAll(async () => {
  const files = [
    "engine.mjs",
    "simulation.mjs",
    "plan/generate.mjs",
    "plan/checked.mjs",
    "settings.mjs",
    "kernel/random.mjs",
    "shrink.mjs",
    "planted.mjs",
    "found.mjs",
    "planned.mjs",
  ];
  const modules = await Promise.all([...files, "platform/platform.mjs"].map(load));
  const all = Object.assign({}, ...modules);
  all.optimizeLater();
  // Loaded once, with all faults that can be planted; none of them works until it is chosen.
  simulator = { ...all, program: await all.Program.load(all.PLANTED_CHANGES) };
});

/** Whether a plan falls: what does not end has fallen, too. */
async function falls(plan: unknown): Promise<boolean> {
  const { program, simulate } = simulator;
  try {
    return (await simulate(program, plan)).wrong.length > 0;
  } catch {
    return true;
  }
}

/** What is wrong with the plan of a seed. */
async function wrongWith(seed: number, area: string): Promise<string[]> {
  const { simulate, planOf, program } = simulator;
  return (await simulate(program, planOf(seed, { area }))).wrong;
}

describe("the Worker as it is", () => {
  test.each([
    ["agent", 2],
    ["agent", 3],
    ["agent", 6],
    ["watching", 3],
    ["watching", 14],
    ["keeping", 5],
    ["keeping", 10],
    ["mqtt", 13],
    ["mqtt", 48],
    ["mqtt", 74],
    ["mqtt", 670],
    ["parts", 8],
    ["parts", 94],
    ["parts", 116],
    // A merge that waits until the call before it has asked its parts.
    ["parts", 800029],
  ])("holds in the plan of %s, seed %i", async (area, seed) => {
    expect(await wrongWith(seed, area)).toEqual([]);
  });

  test("holds in what was found and is mended, and in what finds planted faults", async () => {
    const { FOUND, PLANNED, program, simulate } = simulator;
    for (const [name, plan] of Object.entries({ ...FOUND, ...PLANNED })) {
      expect({ name, wrong: (await simulate(program, plan)).wrong }).toEqual({ name, wrong: [] });
    }
  });

  test("does the same in any time zone and language", async () => {
    const options = ["--seed", String(SHORT_SEEDS), "--seeds", "4", "--digest"];
    const digests = (env: Record<string, string>) =>
      promisify(execFile)(process.execPath, ["test/simulation/run.mjs", ...options], {
        env: { ...process.env, ...env },
      });
    const [here, there] = await Promise.all([
      digests({ TZ: "UTC", LANG: "C", LC_ALL: "C" }),
      digests({ TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" }),
    ]);
    const lines = (text: string) => text.split("\n").filter((line) => line.startsWith("seed "));
    expect(lines(there.stdout)).toEqual(lines(here.stdout));
    expect(lines(here.stdout)).toHaveLength(4);
  });

  test("does the same whenever a seed is played", async () => {
    const { simulate, planOf, program } = simulator;
    const play = () => simulate(program, planOf(3, { area: "agent" }), { isTraced: true });
    const [first, second] = [await play(), await play()];
    expect(second.trace).toEqual(first.trace);
    expect(first.counts.faults).toBeGreaterThan(0);
  });
});

describe("how many plans are played", () => {
  const settings = (...argv: string[]) => simulator.settingsOf(argv);

  test("one for a seed, and as many as are wanted, some at a time", () => {
    expect(settings("--seed", "7")).toMatchObject({ first: 7, most: 1, jobs: 1 });
    expect(settings("--seeds", "9", "--jobs", "2")).toMatchObject({ most: 9, jobs: 2 });
    expect(settings("--seeds", "2", "--jobs", "8")).toMatchObject({ most: 2, jobs: 2 });
    expect(settings("--seed", "7", "--for", "60")).toMatchObject({ most: Number.POSITIVE_INFINITY, ms: 60_000 });
  });

  test.each([
    [["--jobs", "2"]],
    [["--seed", "7", "--seeds", "9", "--jobs", "2"]],
    [["--for", "60", "--area", "keys", "--without", "evict"]],
  ])("each thread of a run plays for as long as the run: %j", (argv) => {
    const run = settings(...argv);
    const thread = simulator.settingsOf(simulator.argumentsFor(run), false);
    const { area, first, most, ms, without } = run;
    expect([thread.area, thread.first, thread.most, thread.without, thread.jobs]).toEqual([
      area,
      first,
      most,
      without,
      1,
    ]);
    expect(thread.ms).toBe(Number.isFinite(ms) ? ms : 1e12);
  });
});

describe("a planted fault", () => {
  /**
   * One of these seeds finds it, as a rule the first; a change of the Worker moves the moments at which faults happen.
   * `npm run simulate -- --plant all` tells better ones.
   */
  const SEEDS = 40;

  test.each(["agent", "watching", "keeping", "keys", "mqtt", "parts"])("is found, each of those of %s", async (of) => {
    const { PLANTED, planOf, program } = simulator;
    const unfound: string[] = [];
    const planted = PLANTED.filter(({ area }) => area === of);
    for (const { name, area, seed = 1, plan } of planted) {
      program.plant(name);
      let isFound = plan !== undefined && (await falls(plan));
      for (let at = 0; plan === undefined && at < SEEDS && !isFound; at++)
        isFound = await falls(planOf(seed + at, { area }));
      if (!isFound) unfound.push(name);
    }
    program.plant(undefined);
    expect(unfound).toEqual([]);
    expect(planted.length).toBeGreaterThanOrEqual(4);
  });

  test("is shrunk to a few steps, which fail again", async () => {
    const { PLANTED, planOf, program, shrunk, simulate } = simulator;
    const { seed = 0 } = PLANTED.find(({ name }) => name === "transaction-rolled-back") ?? {};
    program.plant("transaction-rolled-back");
    const plan = planOf(seed, { area: "agent" });
    const fails = async (some: unknown) => (await simulate(program, some)).wrong.length > 0;
    const least = await shrunk(plan, fails);
    expect(await fails(least)).toBe(true);
    program.plant(undefined);
    expect(await fails(least)).toBe(false);
    expect(least.steps.length).toBeLessThan(5);
  });
});

describe("what is refused by name", () => {
  test.each(["", "x", "-1", "1.5", "4294967296", "1e3", -1, 0.5])("a seed that is none: %j", (seed) => {
    const words = `a seed is a whole number from 0 to 4294967295, got ${JSON.stringify(seed)}`;
    expect(() => simulator.seedFrom(seed)).toThrow(words);
  });

  test("a plan of another version, and no plan", () => {
    const plan = { ...simulator.planOf(1, { area: "agent" }), version: 0 };
    expect(() => simulator.checkedPlan(plan)).toThrow(
      "this simulator plays plans of version 8, got 0; a plan of a former release is played by that release",
    );
    expect(() => simulator.checkedPlan([])).toThrow("this simulator plays plans of version 8, got undefined");
    expect(() => simulator.checkedPlan(7)).toThrow("a plan is a JSON object, got 7");
  });

  test("an area that there is not", () => {
    const plan = { ...simulator.planOf(1, { area: "agent" }), area: "sea" };
    const words = 'there are no plans of "sea"; there are plans of agent, watching, keeping, keys, mqtt, parts';
    expect(() => simulator.checkedPlan(plan)).toThrow(words);
  });

  test("numbers of parts that there cannot be", () => {
    const plan = simulator.planOf(1, { area: "parts" });
    for (const parts of [undefined, [3], [1, 3], [2, 2.5]]) {
      expect(() => simulator.checkedPlan({ ...plan, parts })).toThrow(
        `a plan of parts has two numbers of parts, each 2 or more, got ${JSON.stringify(parts)}`,
      );
    }
  });

  test("parts where no processor has any", () => {
    const plan = { ...simulator.planOf(1, { area: "agent" }), parts: [2] };
    expect(() => simulator.checkedPlan(plan)).toThrow("a plan of agent has no parts, got [2]");
    const kept = { ...simulator.planOf(1, { area: "keeping" }), parts: [2, 2] };
    expect(() => simulator.checkedPlan(kept)).toThrow(
      "a plan of keeping has no numbers of parts, or a list of one, each 2 or more, got [2,2]",
    );
  });

  test("a processor that tells another where none has parts", () => {
    const told = "a plan of parts has isTelling, true where p2 tells p5 what it predicts, or absent";
    for (const [area, isTelling] of [
      ["agent", true],
      ["parts", "yes"],
    ] as const) {
      const plan = { ...simulator.planOf(1, { area }), isTelling };
      const words = `${told}; and no other plan has it: got ${JSON.stringify(isTelling)} in a plan of ${area}`;
      expect(() => simulator.checkedPlan(plan)).toThrow(words);
    }
  });

  test("a restore into a number of parts that there cannot be", () => {
    const plan = simulator.planOf(1, { area: "keeping" });
    const step = { client: "changer", change: "restore", faults: [] };
    for (const parts of [0, 2.5, "3", null]) {
      expect(() => simulator.checkedPlan({ ...plan, steps: [{ ...step, parts }] })).toThrow(
        `a step that restores has parts, a number of 1 or more, got ${JSON.stringify(parts)} in step 0`,
      );
    }
  });

  test("a step that is none, and one of another area", () => {
    const plan = simulator.planOf(1, { area: "agent" });
    const words = (step: unknown) => expect(() => simulator.checkedPlan({ ...plan, steps: [step] }));
    words(null).toThrow("a step of a plan is an object with a client, got null as step 0");
    words({ client: "a", faults: 7 }).toThrow("a step of a plan has a list of faults, got 7 in step 0");
    words({ client: "a", faults: [], does: "ping" }).toThrow(
      "a step of agent has call or frame, and step 0 has none of these",
    );
    const away = { fault: "part-away", part: 0, of: "p1", ms: 50 };
    words({ client: "a", faults: [away] }).toThrow(
      'the fault "part-away" cannot occur in a plan of agent: no processor of it has parts',
    );
    words({ client: "a", faults: [{ fault: "set-clock", after: 0, ms: 50 }] }).toThrow(
      'the fault "set-clock" cannot occur in a plan of agent: only plans of watching, keeping have it',
    );
    words({ client: "a", faults: [{ fault: "late-call", after: 0 }] }).toThrow(
      'the fault "late-call" cannot occur in a plan of agent: only plans of mqtt have it',
    );
    words({ client: "a", faults: [], call: "GET time", processor: "p4", session: "" }).toThrow(
      'a plan of agent has the processors p1, p2, p3, got "p4" in step 0',
    );
    words({ client: "a", faults: [], call: "GET time", processor: "p1" }).toThrow(
      'a step has a session, "" for the processor\'s own memory, got undefined in step 0',
    );
  });

  test.each([
    [{ of: "p1", part: 3 }, "a part of p1, from 0 to 2, got 3"],
    [{ of: "p3", part: 0 }, 'a processor with parts, one of p1, p2, got "p3"'],
    [{ of: "p9", part: 0 }, 'a processor of its plan, one of p1, p2, p3, got "p9"'],
  ])("a fault of a part that the plan does not have: %j", (about, words) => {
    const step = { client: "a", processor: "p1", session: "", call: "POST predictions" };
    const faults = [{ fault: "part-silent", ms: 50, ...about }];
    const plan = { ...simulator.planOf(1, { area: "parts" }), parts: [3, 2], steps: [{ ...step, faults }] };
    expect(() => simulator.checkedPlan(plan)).toThrow(`the fault "part-silent" of step 0 is of ${words}`);
  });

  test("a part that only a restore makes is one of the plan", () => {
    const plan = simulator.planOf(1, { area: "keeping" });
    const faults = [{ fault: "part-away", ms: 50, of: "p1", part: 6 }];
    const steps = (parts: number) => [{ client: "changer", change: "restore", parts, faults }];
    expect(() => simulator.checkedPlan({ ...plan, parts: [2], steps: steps(7) })).not.toThrow();
    expect(() => simulator.checkedPlan({ ...plan, parts: [2], steps: steps(3) })).toThrow(
      'the fault "part-away" of step 0 is of a part of p1, from 0 to 2, got 6',
    );
  });

  test.each([
    [["--seed", "x"], 'a seed is a whole number from 0 to 4294967295, got "x"'],
    [["--seed", "-1"], 'a seed is a whole number from 0 to 4294967295, got "-1"'],
    [["--for", "-5"], '--for is a number above 0, got "-5"'],
    [["--seeds", "1.5"], '--seeds is a whole number of 1 or more, got "1.5"'],
    [["--for", "0"], '--for is a number above 0, got "0"'],
    [["--jobs", "2", "--digest"], '--jobs is a whole number, and 1 with --digest, --plan, --plant or --trace, got "2"'],
    [["--without", "earthquake"], 'the fault "earthquake" cannot occur here; those that can are lose-request,'],
    [["--area", "keys", "--without", "set-clock"], 'the fault "set-clock" cannot occur in a plan of keys: only plans'],
    [["--plan", "plan.json", "--seed", "7"], "--plan and --seed do not go together"],
    [["--plant", "all", "--area", "keys"], "--plant and --area do not go together"],
    [["--sea"], "Unknown option '--sea'"],
  ])("arguments that cannot be: %j", (argv, words) => {
    expect(() => simulator.settingsOf(argv)).toThrow(words);
  });

  test.each([
    [{ fault: "full-disk" }, "after, how many points are passed before it, 0 or more, got undefined"],
    [{ fault: "slow", after: -1, ms: 3 }, "after, how many points are passed before it, 0 or more, got -1"],
    [{ fault: "slow", after: 0, ms: "3" }, 'ms, a number of milliseconds, 0 or more, got "3"'],
    [{ fault: "processor-away", after: 0, ms: 3 }, "of, the identifier of a processor, got undefined"],
  ])("a fault without what it needs: %j", (fault, words) => {
    const plan = { ...simulator.planOf(1, { area: "agent" }), steps: [{ client: "keyed", faults: [fault] }] };
    expect(() => simulator.checkedPlan(plan)).toThrow(`the fault "${fault.fault}" of step 0 has ${words}`);
  });

  test("a fault that cannot occur here", () => {
    const plan = {
      ...simulator.planOf(1, { area: "agent" }),
      steps: [{ id: 0, client: "keyed", faults: [{ fault: "earthquake", after: 0 }] }],
    };
    expect(() => simulator.checkedPlan(plan)).toThrow(
      'the fault "earthquake" cannot occur here; those that can are lose-request, lose-answer,',
    );
  });
});
