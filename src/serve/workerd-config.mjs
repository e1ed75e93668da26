/**
 * Writes the configuration with which workerd serves the bundle. It holds no secret and no address: keys come from the
 * environment, and flags of `workerd serve` set the socket and the state folder.
 */

import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { Complaint } from "./complaint.mjs";

/** The name of the configuration in the folder of a bundle. */
const CONFIG = "workerd.capnp";

/** The variables that workerd gets from the environment unchanged. */
export const PASSED_ON = [
  "AGENT_KEYS",
  "NOEMA_AGENTS",
  "NOEMA_ALERT_HOSTS",
  "NOEMA_ALLOW_ORIGINS",
  "NOEMA_BURST_CALLS",
  "NOEMA_DELIVERIES",
  "NOEMA_DOMAIN",
  "NOEMA_ENDPOINT_HOSTS",
  "NOEMA_ENDPOINT_KEYS",
  "NOEMA_EXPORT_BYTES",
  "NOEMA_JURISDICTION",
  "NOEMA_KEYS",
  "NOEMA_PARTS",
  "NOEMA_LOCATION_HINT",
  "NOEMA_MATCHING_STEPS",
  "NOEMA_MEMORY_BYTES",
  "NOEMA_MEMORY_SYMBOLS",
  "NOEMA_PATTERN_STEPS",
  "NOEMA_PROCESSOR_WAIT_MS",
  "NOEMA_PUBLIC_URL",
  "NOEMA_SEQUENCE_RECORDS",
  "NOEMA_SERVER_WAIT_MS",
  "NOEMA_SESSIONS",
  "NOEMA_SESSION_BYTES",
  "NOEMA_SLOW_MS",
  "NOEMA_STORAGE_BYTES",
];

/** Text as a Cap'n Proto string literal. */
const quoted = (text) => JSON.stringify(text);

/** Items of a list in the configuration's syntax. */
const list = (items) => `[${items.map((item) => `\n      ${item},`).join("")}\n    ]`;

/** The modules of a bundle in the configuration's syntax, the entry first. */
function modules(folder, entry) {
  const wasm = readdirSync(folder).filter((file) => file.endsWith(".wasm"));
  return list([
    `(name = ${quoted(entry)}, esModule = embed ${quoted(entry)})`,
    ...wasm.map((file) => `(name = ${quoted(`./${file}`)}, wasm = embed ${quoted(file)})`),
  ]);
}

/** The folder of a bundle that has its static assets, as on Cloudflare. */
const ASSETS = "assets";

/** Answers as the binding of static assets does: the files are data that the runtime reads at its start. */
const ASSETS_WORKER = `export default {
  fetch({ url }, env) {
    const { pathname } = new URL(url);
    return Object.hasOwn(env, pathname) ? new Response(env[pathname]) : new Response(null, { status: 404 });
  },
};`;

/** The files in the folder of assets, by their paths on the server; none where there is no such folder. */
function assets(folder) {
  const root = join(folder, ASSETS);
  const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile());
  // Node 20.3 has the folder in `path`; later ones call it `parentPath`.
  return files
    .map((file) =>
      relative(root, join(file.parentPath ?? file.path, file.name))
        .split(sep)
        .join("/"),
    )
    .sort();
}

/**
 * Writes `workerd.capnp` into the folder of a bundle.
 *
 * @param {string} folder the bundle that wrangler wrote, and its assets
 * @param {string} entry the Worker's file in the bundle
 * @param {object} worker the settings in wrangler.toml
 * @param {string} worker.compatibility_date
 * @param {string[]} [worker.compatibility_flags]
 * @param {{ bindings: { name: string, class_name: string }[] }} worker.durable_objects
 */
export function writeWorkerdConfig(folder, entry, worker) {
  const objects = worker.durable_objects.bindings;
  // The unique key names a namespace's folder on disk. With another key, every processor would be new.
  const namespaces = objects.map(
    ({ class_name: name }) => `(className = ${quoted(name)}, uniqueKey = ${quoted(`noema-${name}`)}, enableSql = true)`,
  );
  const bindings = [
    ...objects.map(
      ({ name, class_name: className }) => `(name = ${quoted(name)}, durableObjectNamespace = ${quoted(className)})`,
    ),
    `(name = "ASSETS", service = "assets")`,
    // Shows whether the disk is full, since the runtime does not say why a database cannot be opened.
    `(name = "DISK", service = "objects")`,
    // Plain http is allowed only to this machine, through a service that reaches nothing else.
    `(name = "LOOPBACK", service = "loopback")`,
    // A variable that is not set is null in the Worker.
    ...["API_KEYS", "NOEMA_LOCAL", "NOEMA_LIVE_OBJECTS", "NOEMA_START_ID", ...PASSED_ON].map(
      (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(name)})`,
    ),
  ];
  const files = assets(folder).map(
    (path) => `(name = ${quoted(`/${path}`)}, data = embed ${quoted(`${ASSETS}/${path}`)})`,
  );
  const text = `using Workerd = import "/workerd/workerd.capnp";

# workerd serve workerd.capnp --socket-addr=http=127.0.0.1:8787 --directory-path=objects=/a/folder/that/exists
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "assets", worker = .assets),
    (name = "objects", disk = (writable = true)),
    (name = "loopback", network = (allow = ["local"])),
    # Names are looked up here, so none leads to a private address, whatever it is checked against before.
    (name = "internet", network = (allow = ["public"], deny = ["private"], tlsOptions = (trustBrowserCas = true))),
  ],
  # Without the style, workerd takes /../ out of paths, and %2e%2e stays.
  sockets = [(name = "http", http = (style = proxy), service = "main")],
);

const worker :Workerd.Worker = (
    compatibilityDate = ${quoted(worker.compatibility_date)},
    compatibilityFlags = ${list((worker.compatibility_flags ?? []).map(quoted))},
    modules = ${modules(folder, entry)},
    durableObjectNamespaces = ${list(namespaces)},
    durableObjectStorage = (localDisk = "objects"),
    bindings = ${list(bindings)},
);

# The files are read when the server starts, so that they fit its Worker also while another version is installed.
const assets :Workerd.Worker = (
    compatibilityDate = ${quoted(worker.compatibility_date)},
    modules = [(name = "assets.js", esModule = ${quoted(ASSETS_WORKER)})],
    bindings = ${list(files)},
);
`;
  writeFileSync(join(folder, CONFIG), text);
}

/** The modules in a configuration that {@link writeWorkerdConfig} has written. */
const MODULES = /(?<=\n {4}modules = )\[\n.*?\n {4}\](?=,\n)/s;

/** The beginning of the paths of files of assets in such a configuration. */
const EMBEDDED = `embed "${ASSETS}/`;

/**
 * Writes `workerd.capnp` for a user's bundle that wraps Noema: the same as for Noema's own, with other modules and
 * Noema's own assets.
 *
 * @param {string} folder wrangler's output: one file of JavaScript, and what it imports
 * @param {string} own the folder of Noema's own bundle, with its configuration
 * @throws Complaint when there is no such bundle in the folder, or nothing can be written there
 */
export function adaptWorkerdConfig(folder, own) {
  try {
    const entries = readdirSync(folder).filter((file) => file.endsWith(".js"));
    if (entries.length !== 1) throw new Error(`it holds ${entries.length} files of JavaScript, not one`);
    const text = readFileSync(join(own, CONFIG), "utf8");
    // The Worker gets absolute URLs in its requests, as on Cloudflare.
    const adapted = text.replace(MODULES, () => modules(folder, entries[0])).replace("style = proxy", "style = host");
    const path = relative(realpathSync(folder), realpathSync(own)).split(sep).join("/");
    const embedded = `embed ${quoted(`${path}/${ASSETS}/`).slice(0, -1)}`;
    writeFileSync(
      join(folder, CONFIG),
      adapted.replaceAll(EMBEDDED, () => embedded),
    );
  } catch (error) {
    throw new Complaint(
      `${folder} is not a bundle that can be served (${error.message}): ` +
        `make it with wrangler deploy --dry-run --outdir ${folder}.`,
    );
  }
}
