/**
 * The real Worker as a program that runs in Node, and in isolates as many as are wanted, one after the other. What
 * the platform gives the Worker it gets from a stand-in, under the name `__platform`.
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { build } from "esbuild";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const KERNEL = resolve(ROOT, "build/kernel.wasm");

/** The globals that the platform decides about. Everything else is the language's, and the same everywhere. */
const GLOBALS = [
  "AbortSignal",
  "Date",
  "Headers",
  "Response",
  "WebSocketPair",
  "WebSocketRequestResponsePair",
  "clearTimeout",
  "console",
  "crypto",
  "fetch",
  "globalThis",
  "setTimeout",
];

/**
 * What the simulator must see of the Worker: which verb runs when, for which call, whether it is taken back, what it asks
 * of the models, what it has alerts tell, and what is queued for clients of MQTT. Each entry is put into the sources when they are loaded; it
 * changes nothing that the Worker does.
 */
const PROBES = [
  {
    file: "src/object/turns/turns.ts",
    find: "    const thread = this.#thread;\n    thread.begin();\n    if (this.#keys.size",
    insert: "    work = __platform.bound(work);\n",
  },
  {
    file: "src/object/stored-processor.ts",
    find: "    const { processor: whole, store, answers, head, splitRules } = this.#build();\n",
    insert:
      "    __platform.verbRuns(this.#parts.objectId, change.writes, session, { verb, begunAt: this.#begunAt });\n",
  },
  // A verb of a split processor may wait, and run while another call is handled, and several times.
  {
    file: "src/object/stored-processor.ts",
    find: "    const change = { writes, isMostlyOneRow };\n",
    insert: "    verb = __platform.asked(verb);\n",
  },
  // What waits for its turn in a split processor has it while another call is handled.
  {
    file: "src/object/stored-processor.ts",
    find: "    const whole = () => this.#inOneTransaction(caller, piece);\n",
    insert: "    piece = __platform.bound(piece);\n",
  },
  {
    file: "src/object/stored-processor.ts",
    find: "    return isGuess ? new PartsNeeded() : error;\n",
    insert:
      '    const isAway = error instanceof Fault && error.kind === "unavailable";\n' +
      "    if (isGuess || isAway || error instanceof PartsNeeded) __platform.takenBack(this.#parts.objectId);\n",
  },
  {
    file: "src/object/stored-processor.ts",
    find: "    this.#activities = [];\n    if (head",
    insert: "    __platform.begins();\n",
  },
  {
    file: "src/object/stored-processor.ts",
    find: "    const own = {\n      store,\n      matcher,\n",
    replace: "    const own = {\n      store,\n      matcher: __platform.heard(matcher, Fault),\n",
  },
  {
    file: "src/object/stored-processor.ts",
    find: "new PoolingForecaster(splitRules ?? kernel.forecastRules)",
    replace: "new PoolingForecaster(__platform.heard(splitRules ?? kernel.forecastRules, Fault))",
  },
  // A twin without parts grades what it loads when the world that it is a twin of does.
  {
    file: "src/object/knowledge-grading.ts",
    find: "(processor) => processor.knowledge.gradePart()",
    replace: "__platform.grades((processor) => processor.knowledge.gradePart())",
  },
  {
    file: "src/object/knowledge-grading.ts",
    find: "    return this.#stored.isInService && (this.#stored.isUngraded",
    insert: "    if (__platform.gradesAsTold()) return false;\n",
  },
  {
    file: "src/object/stored-processor.ts",
    find: "      ...(kept !== undefined && { kept }),\n",
    insert: "      ...(__platform.gradesAsTold(id) && { gradesLater: true }),\n",
  },
  {
    file: "src/object/processor-object.ts",
    find: "  override async alarm(): Promise<void> {\n",
    insert: "  gradePart(verb) {\n    return this.#stored.run(true, verb);\n  }\n\n",
  },
  {
    file: "src/object/restore/processor-restore.ts",
    find: "    this.#staging.seal(restoreId, agent);",
    insert: "    __platform.sealed();\n",
  },
  {
    file: "src/store/alerts/alert-queue-table.ts",
    find: "    const text = JSON.stringify(told);\n",
    insert: "    __platform.notice({ alert, told, session, interval });\n",
  },
  {
    file: "src/store/alerts/alert-queue-table.ts",
    find: "    const fresh = renew(this.#database, alert, notices);\n",
    insert:
      "    for (const { told, session, interval } of notices) __platform.notice({ alert, told, session, interval });\n",
  },
  {
    file: "src/object/mqtt/hearing.ts",
    find: "    outbox.add({ ...message, qos: qos === 2 ? 2 : 1, subscriptionIds });\n",
    insert: "    __platform.queued({ client: session.clientId, qos, ...message, payload: message.payload.bytes });\n",
  },
];

/** Bounds that are too far away for a plan, or with which it would take too long. */
const NEARER = [
  {
    file: "src/store/tables/discarded-tables.ts",
    find: "const MAX_PIECE_BYTES = 4_194_304;",
    replace: "const MAX_PIECE_BYTES = 600;",
  },
  {
    file: "src/processor/prediction/estimator/gradings.ts",
    find: "const GRADED_AT_ONCE = 16;",
    replace: "const GRADED_AT_ONCE = 128;",
  },
  {
    file: "src/processor/verbs/knowledge/knowledge-merge.ts",
    find: "const PART_RECORDS = 256;",
    replace: "const PART_RECORDS = 1;",
  },
  {
    file: "src/processor/verbs/knowledge/knowledge-merge.ts",
    find: "const READ_AT_ONCE = 16;",
    replace: "const READ_AT_ONCE = 1;",
  },
  {
    file: "src/object/turns/turns.ts",
    find: "const MAX_PIECES = 8;",
    replace: "const MAX_PIECES = 1;",
  },
  {
    file: "src/mqtt/session/inbox.ts",
    find: "export const MIN_COUNTING_RUN = MAX_UNDER_WAY + 1;",
    replace: "export const MIN_COUNTING_RUN = 3;",
  },
  {
    file: "src/rpc/transport/pipe.ts",
    find: "export const CALLS_UNTIL_PIPE = 16;",
    replace: "export const CALLS_UNTIL_PIPE = 0;",
  },
  {
    file: "src/rpc/transport/pipe.ts",
    find: "export const PAUSE_MS = 50;",
    replace: "export const PAUSE_MS = 5_000;",
  },
];

/**
 * What an isolate has of its own, made anew by `isolate`. To run the whole program again would make the same, but each
 * run begins slowly.
 */
const ISOLATE_STATE = [
  {
    file: "src/object/isolate.ts",
    find: "export const kernels = new IsolateKernels(kernelModule);",
    replace:
      "export let kernels = new IsolateKernels(kernelModule);\n" +
      "__platform.isolate.push(() => {\n  kernels = new IsolateKernels(kernelModule);\n" +
      "  thread = new Thread(() => Date.now(), () => matching.steps);\n});",
  },
  { file: "src/object/isolate.ts", find: "export const thread = new", replace: "export let thread = new" },
  {
    file: "src/gateway/arrivals.ts",
    find: "export const arrivals = new Arrivals();",
    replace: "export let arrivals = new Arrivals();\n__platform.isolate.push(() => { arrivals = new Arrivals(); });",
  },
  {
    file: "src/object/outbox.ts",
    find: "let unbroken = 0;",
    replace: "let unbroken = 0;\n__platform.isolate.push(() => { unbroken = 0; });",
  },
  {
    file: "src/object/stored-processor.ts",
    find: "let snapshotBudget: SnapshotBudget | undefined;",
    replace:
      "let snapshotBudget: SnapshotBudget | undefined;\n" +
      "__platform.isolate.push(() => { snapshotBudget = undefined; });",
  },
  {
    file: "src/object/counts/counts.ts",
    find: "export const streamCounts = {",
    insert: "__platform.isolate.push(() => { streamCounts.open.clear(); streamCounts.isStopping = false; });\n",
  },
];

/** What the simulator reads the messages of calls with, and the Worker. */
const ENTRY = `
  export { default, AgentObject, ProcessorObject } from "./src/worker.ts";
  export { messageFromCarried } from "./src/rpc/transport/message-bytes";
  export { ObserveRequestSchema } from "./src/gen/noema/v1/memory_service_pb";
  export { ProvisionRequestSchema, RetireRequestSchema } from "./src/gen/noema/v1/provisioning_service_pb";
`;

const PLATFORM_MODULE = `export const DurableObject = __platform.DurableObject;`;
const PAGES_MODULE = `export const [pages, missingPage] = [{}, undefined];`;
const KERNEL_MODULE = `export default __platform.kernel;`;

/** A source with a change. @throws Error when what is to be changed is not there exactly once */
function changed(text, file, { find, insert, replace = insert + find }) {
  if (text.split(find).length !== 2) {
    throw new Error(
      `${file} does not have these words exactly once, at which the simulator changes it: ${find.trim()}`,
    );
  }
  return text.replace(find, () => replace);
}

/** Answers the imports that Node cannot, and changes sources. */
function standIns(changes) {
  const left = new Set(changes);
  const virtual = { platform: PLATFORM_MODULE, pages: PAGES_MODULE, kernel: KERNEL_MODULE };
  return {
    name: "stand-ins",
    setup({ onEnd, onResolve, onLoad }) {
      // What is not loaded is not changed, and nothing else would say so.
      onEnd(() => {
        const [change] = left;
        if (change !== undefined) throw new Error(`no source ${change.file} is loaded, which the simulator changes`);
      });
      const to = (path) => () => ({ path, namespace: "stand-in" });
      onResolve({ filter: /^cloudflare:workers$/ }, to("platform"));
      onResolve({ filter: /\/build\/pages$/ }, to("pages"));
      onResolve({ filter: /\/build\/kernel\.wasm$/ }, to("kernel"));
      onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path }) => ({ contents: virtual[path], loader: "js" }));
      onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const file = relative(ROOT, path);
        const own = changes.filter((change) => change.file === file);
        for (const change of own) left.delete(change);
        if (own.length === 0) return undefined;
        const contents = own.reduce((text, change) => changed(text, file, change), readFileSync(path, "utf8"));
        return { contents, loader: "ts" };
      });
    },
  };
}

/**
 * Bundles the Worker.
 *
 * @param {{ file: string, find: string, replace: string }[]} changes of sources, such as a fault that is planted
 * @returns {Promise<string>} the program, for {@link workerOf}
 * @throws Error when a change does not fit the sources
 */
export async function bundled(changes = []) {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: ROOT, sourcefile: "simulated-worker.ts", loader: "ts" },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "worker",
    target: "es2022",
    logLevel: "error",
    define: Object.fromEntries([
      ...GLOBALS.map((name) => [name, `__platform.${name}`]),
      ["Math.random", "__platform.random"],
    ]),
    plugins: [standIns([...PROBES, ...NEARER, ...ISOLATE_STATE, ...changes])],
  });
  return outputFiles[0].text;
}

/**
 * Loads a program.
 *
 * @param {string} text see {@link bundled}
 * @returns a function that runs it once: `(platform) => exports`; then `platform.isolate` has what makes an isolate
 * @throws Error when the kernel was not built
 */
export function workerOf(text) {
  if (!existsSync(KERNEL)) throw new Error("build/kernel.wasm is missing: run npm run kernel");
  const script = new Script(`(function (__platform) { ${text}\nreturn worker; })`, { filename: "simulated-worker.js" });
  const kernel = new WebAssembly.Module(readFileSync(KERNEL));
  return (platform) => script.runInThisContext()(Object.assign(platform, { kernel, isolate: [] }));
}
