/**
 * The calls of `noema/client` for the examples of operations, as data: which function is called, and with what. They
 * are made once with functions that only write down what they were given.
 */

import { join } from "node:path";
import { importTypeScript } from "./import-typescript.mjs";

/** The file that has the calls, from the root of the project. */
export const OPERATION_CALLS = "scripts/openapi/operation-calls.ts";

/** Functions that only say where to call. */
const PLACES = ["connect", "processor", "session"];

/** An esbuild plugin that replaces the client's functions by ones that record their calls. */
function recorder(names) {
  const functions = names.map(
    (name) => `export const ${name} = (...args) => globalThis.noemaCalls.push(["${name}", args]);`,
  );
  return {
    name: "recorder",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/src\/client$/ }, ({ path }) => ({ path, namespace: "recorder" }));
      onLoad({ filter: /.*/, namespace: "recorder" }, () => ({ contents: functions.join("\n") }));
    },
  };
}

/**
 * The calls by operation.
 *
 * @returns {Promise<{ [operationId: string]: { name: string, place: "noema" | "p1", args: unknown[] } }>} the client's
 *   function; whether it takes the server or a processor; and its further arguments
 */
export async function clientCalls() {
  const client = await importTypeScript(join("src", "client", "index.ts"));
  const names = Object.keys(client).filter((name) => typeof client[name] === "function");
  const { CALLS, SAME } = await importTypeScript(OPERATION_CALLS, [recorder(names)]);
  const calls = Object.fromEntries(
    await Promise.all(Object.entries(CALLS).map(async ([operation, { make }]) => [operation, await recorded(make)])),
  );
  return { ...calls, ...Object.fromEntries(Object.entries(SAME).map(([same, operation]) => [same, calls[operation]])) };
}

/** The last call that a function makes. */
async function recorded(make) {
  const calls = [];
  const noema = {};
  globalThis.noemaCalls = calls;
  // What is done with the answer fails: there is none.
  const done = Promise.resolve(make(noema)).catch(() => {});
  const [name, [place, ...args]] = calls.findLast(([called]) => !PLACES.includes(called));
  await done;
  return { name, place: place === noema ? "noema" : "p1", args };
}
