/**
 * Writes the configuration with which workerd itself serves the bundle. It holds no secret and no address: keys come from the
 * environment, and the socket and the folder of the state are set by flags of `workerd serve`.
 */

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the Worker reads from the environment besides the keys that are accepted when nothing is configured. */
export const PASSED_ON = ["AGENT_KEYS", "NOEMA_AGENTS", "NOEMA_ENDPOINT_HOSTS", "NOEMA_ENDPOINT_KEYS"];

/** Text as a Cap'n Proto string literal. */
const quoted = (text) => JSON.stringify(text);

/** The modules of a bundle, the entry first, as workerd's configuration names them. */
function modules(folder, entry) {
  const wasm = readdirSync(folder).filter((file) => file.endsWith(".wasm"));
  return [
    `(name = ${quoted(entry)}, esModule = embed ${quoted(entry)})`,
    ...wasm.map((file) => `(name = ${quoted(`./${file}`)}, wasm = embed ${quoted(file)})`),
  ];
}

/**
 * Writes `workerd.capnp` into the folder of a bundle.
 *
 * @param {string} folder where wrangler has put the bundle
 * @param {string} entry the file of the bundle that is the Worker
 * @param {{ compatibility_date: string, durable_objects: { bindings: { name: string, class_name: string }[] } }} worker
 *   what wrangler.toml says
 */
export function writeWorkerdConfig(folder, entry, worker) {
  const objects = worker.durable_objects.bindings;
  // A unique key names a namespace's folder on disk: with another key, every processor would be new.
  const namespaces = objects.map(
    ({ class_name: name }) => `(className = ${quoted(name)}, uniqueKey = ${quoted(`noema-${name}`)}, enableSql = true)`,
  );
  const bindings = [
    ...objects.map(
      ({ name, class_name: className }) => `(name = ${quoted(name)}, durableObjectNamespace = ${quoted(className)})`,
    ),
    // Not set in the environment means null in the Worker.
    // http is allowed to this machine only, and only by a service that leads nowhere else.
    `(name = "LOOPBACK", service = "loopback")`,
    ...["API_KEYS", "NOEMA_LOCAL", "NOEMA_LIVE_OBJECTS", ...PASSED_ON].map(
      (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(name)})`,
    ),
  ];
  const list = (items) => `[${items.map((item) => `\n      ${item},`).join("")}\n    ]`;
  const text = `using Workerd = import "/workerd/workerd.capnp";

# workerd serve workerd.capnp --socket-addr=http=127.0.0.1:8787 --directory-path=objects=/a/folder/that/exists
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "objects", disk = (writable = true)),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);

const worker :Workerd.Worker = (
    compatibilityDate = ${quoted(worker.compatibility_date)},
    modules = ${list(modules(folder, entry))},
    durableObjectNamespaces = ${list(namespaces)},
    durableObjectStorage = (localDisk = "objects"),
    bindings = ${list(bindings)},
);
`;
  writeFileSync(join(folder, "workerd.capnp"), text);
}
