/**
 * Six projects: `node`, `alone` and `rooms` run in plain Node what does not need Cloudflare, and `workers` and `clocks`
 * run inside workerd what does. `everywhere` runs tests of the processor and the kernel inside workerd, which `rooms`
 * runs too, because their numbers and texts must be the same everywhere.
 */

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that run both in plain Node and inside workerd: an engine may compute or read text otherwise. */
const EVERYWHERE = tests("processor", "kernel", "assembly", "text");

/**
 * Those of them that run in plain Node only: they compare a processor with another one, or with what it was, and no engine can tell these
 * apart. Their numbers and texts are those of the others. Inside workerd the verbs are called by the tests of src/object and of a served bundle.
 */
const IN_NODE_ONLY = [
  ...tests("processor/verbs"),
  // Yes or no, by counts of whole numbers.
  "test/assembly/growing.test.ts",
  "test/processor/random-life.test.ts",
  "test/processor/knowledge/model-bytes.test.ts",
];

/** Tests like those of ROOMS in rooms that have others, too: they start nothing, and replace and watch nothing that is there once. */
const OF_OTHER_ROOMS = [
  "test/console/!(console*).test.ts",
  "test/docs/{address,cost,genes,limits,openapi,reference,search}.test.ts",
  "test/object/{holdings,schedule,silence-watch}.test.ts",
  "test/object/alerts/alert-forms.test.ts",
  "test/object/genome/{change,genome}.test.ts",
  "test/object/mqtt/{event-watch,hearing,publication-service}.test.ts",
  ...tests("object/parts", "object/turns", "store"),
];

/**
 * Tests of one room each, which start no server. The files that one process runs share what they load: loading it for each would take nearly
 * as long as the tests. So they must leave nothing changed: no
 * module that is replaced, no fake clock, no variable of the environment.
 */
const ROOMS = [...EVERYWHERE, ...OF_OTHER_ROOMS, ...tests("cli", "client", "gateway", "mqtt", "rpc")];

/**
 * Tests in plain Node that replace something of their process: its clock, its console, its warnings. Each has a process of its own. All others
 * share one and what they load, because to start one takes about a second of processor time; most of them only talk to servers.
 */
const ALONE = [
  "test/docs/rpcs.test.ts",
  "test/end-to-end/{mqtt,readme,supervision,variables}.test.ts",
  ...tests("object", "simulation"),
];

/**
 * Tests of what an isolate holds, or writes, as a whole: what other files have left in it could count. The files of
 * `workers` share workerd, because to start one and to load the Worker in it takes 5 s, for each file more than nearly
 * all of its tests; these come first in theirs.
 */
const FIRST_IN_WORKERD = [
  "test/docs/cost.workers.test.ts",
  "test/object/written-rows.workers.test.ts",
  "test/object/usage.workers.test.ts",
  "test/object/object-alarm.workers.test.ts",
];

/**
 * Tests that stop the timers of an isolate. Each has a workerd of its own: an object that another file has left awake
 * would set its timers there, too, and they would go off inside of the test's object, which workerd refuses.
 */
const CLOCKS = [
  "test/object/alerts/alert-clock.workers.test.ts",
  "test/object/alerts/alert-deliveries.workers.test.ts",
];

function tests(...folders: readonly string[]): string[] {
  return folders.map((folder) => `test/${folder}/**/*.test.ts`);
}

/**
 * Far more than nearly any test needs, so that a busy machine fails none: a hook may have to build the bundle and start a server. The few
 * longer tests set their own limits.
 */
const LIMITS = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // What `expect.poll` waits for comes at once on a machine that has nothing else to do.
  expect: { poll: { timeout: 30_000 } },
};

/** The same where each look takes processor time of a page or a server: half as many looks. */
const LIMITS_OF_SERVERS = { ...LIMITS, expect: { poll: { ...LIMITS.expect.poll, interval: 100 } } };

/** For projects that compare very many large answers with an oracle's. */
const QUICK_EQUALITY = ["test/support/quick-equality.ts"];

/** Makes the import of a `.wasm` file a compiled `WebAssembly.Module`, as it is in workerd. */
function compiledWasm(): Plugin {
  return {
    name: "compiled-wasm",
    enforce: "pre",
    load(id) {
      const path = id.split("?")[0] ?? id;
      if (!path.endsWith(".wasm")) return null;
      return [
        'import { readFileSync } from "node:fs";',
        `export default new WebAssembly.Module(readFileSync(${JSON.stringify(path)}));`,
      ].join("\n");
    },
  };
}

/** Runs tests inside workerd, as wrangler.toml says. */
function inWorkerd(): Plugin {
  return cloudflareTest({
    wrangler: { configPath: "./wrangler.toml" },
    // Local mode accepts the local key; a deployment never sets it.
    miniflare: { bindings: { NOEMA_LOCAL: "true" }, cf: false },
  });
}

/** More than processors, because many tests mostly wait: for a server, a browser or a timer. */
const WORKERS = availableParallelism() + 4;

/** What the head of a long file says: see test/README.md. */
const TAKES = /\bTakes\s+(?:\*\s+)?(\d+) s:/;

/** How long a file says that it takes, in seconds; 0 when it says nothing. */
function secondsOf({ moduleId }: TestSpecification): number {
  const [head = ""] = readFileSync(moduleId, "utf8").split("*/", 1);
  return Number(TAKES.exec(head)?.[1] ?? 0);
}

function newWorkerdFirst(files: readonly TestSpecification[]): TestSpecification[] {
  const isFirst = ({ moduleId }: TestSpecification) => FIRST_IN_WORKERD.some((file) => moduleId.endsWith(file));
  const others = files.filter((file) => !isFirst(file));
  const before = others.findIndex(({ project }) => project.name === "workers");
  return others.toSpliced(before < 0 ? others.length : before, 0, ...files.filter(isFirst));
}

/**
 * Long files begin first, so that the run does not wait at its end for one that began late. Those of each project follow
 * each other, and a process, or workerd, runs those of its project until there are no more: what comes first in a
 * project begins in a new one.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = newWorkerdFirst(await super.sort(files));
    const seconds = new Map(sorted.map((file) => [file, secondsOf(file)]));
    return sorted.sort((a, b) => Number(seconds.get(b)) - Number(seconds.get(a)));
  }
}

export default defineConfig({
  test: {
    // A failure names what it found also where it is a list of sentences: .ci/run prints nothing but the message.
    chaiConfig: { truncateThreshold: 400 },
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [compiledWasm()],
        test: {
          ...LIMITS_OF_SERVERS,
          name: "node",
          environment: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.workers.test.ts", ...ROOMS, ...ALONE],
          isolate: false,
        },
      },
      {
        plugins: [compiledWasm()],
        test: {
          ...LIMITS_OF_SERVERS,
          name: "alone",
          environment: "node",
          include: ALONE,
          exclude: ["test/**/*.workers.test.ts", ...ROOMS],
        },
      },
      {
        plugins: [compiledWasm()],
        test: {
          ...LIMITS,
          name: "rooms",
          environment: "node",
          include: ROOMS,
          exclude: ["test/**/*.workers.test.ts"],
          setupFiles: QUICK_EQUALITY,
          isolate: false,
        },
      },
      {
        plugins: [inWorkerd()],
        test: {
          ...LIMITS,
          name: "workers",
          include: ["test/**/*.workers.test.ts"],
          exclude: CLOCKS,
          setupFiles: ["test/support/object/shared-workerd.ts"],
          isolate: false,
        },
      },
      {
        plugins: [inWorkerd()],
        test: { ...LIMITS, name: "clocks", include: CLOCKS },
      },
      {
        plugins: [inWorkerd()],
        // Here too the files share what they load.
        test: {
          ...LIMITS,
          name: "everywhere",
          include: EVERYWHERE,
          exclude: IN_NODE_ONLY,
          setupFiles: QUICK_EQUALITY,
          isolate: false,
        },
      },
    ],
  },
});
