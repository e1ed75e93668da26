/** The servers that are measured, each a workerd of its own with state in a temporary folder: the deployed bundle, and the floor. */

import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIST, ROOT } from "../../scripts/project.mjs";
import { LOCAL_KEY } from "../../scripts/settings.mjs";
import { startWorkerd } from "../../scripts/workerd.mjs";
import { writeWorkerdConfig } from "../../scripts/workerd-config.mjs";

const SETTINGS = { host: "127.0.0.1", port: 0, keys: undefined, firstKey: LOCAL_KEY };
const COMPATIBILITY_DATE = "2026-04-20";

/** Lets the server be asked about itself. Off by default: what is timed should run as it does in use. */
const INSPECTED = ["--inspector-addr=127.0.0.1:0"];

/**
 * A server: where it is, its inspector's port when it is to be `inspected`, how to end it and start it again on the same state,
 * inspected or not, and how to end it for good.
 */
async function serve(folder, config, inspected = false) {
  const stop = new AbortController();
  const objects = join(folder, "objects");
  mkdirSync(objects, { recursive: true });
  const flags = inspected ? INSPECTED : [];
  const { pid, address, inspector, ended } = await startWorkerd(SETTINGS, { objects }, stop.signal, config, flags);
  const end = () => {
    stop.abort();
    return ended;
  };
  return {
    address,
    pid,
    inspector,
    async restart(again = false) {
      await end();
      return serve(folder, config, again);
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function temporaryFolder() {
  return mkdtempSync(join(tmpdir(), "noema-bench-"));
}

/** Serves the bundle that was built. @param inspected whether its inspector listens */
export function serveNoema(inspected = false) {
  return serve(temporaryFolder(), undefined, inspected);
}

/**
 * Serves the bundle that was built, with its inspector, in isolates whose JavaScript heap may take only so much: past it V8 ends
 * workerd. By itself workerd sets no limit, and V8 collects garbage as late as the machine's memory allows.
 *
 * @param heapMebibytes whole
 */
export function serveNoemaWithin(heapMebibytes) {
  const folder = temporaryFolder();
  const bundle = join(folder, "bundle");
  cpSync(DIST, bundle, { recursive: true });
  const config = join(bundle, "workerd.capnp");
  const flags = `v8Flags = ["--max-heap-size=${heapMebibytes}"],`;
  writeFileSync(config, readFileSync(config, "utf8").replace("Workerd.Config = (", `$&\n  ${flags}`));
  return serve(folder, config, true);
}

/** Serves the floor. */
export function serveFloor() {
  const folder = temporaryFolder();
  copyFileSync(join(ROOT, "test", "bench", "floor", "worker.js"), join(folder, "worker.js"));
  const bindings = [{ name: "FLOOR", class_name: "FloorObject" }];
  writeWorkerdConfig(folder, "worker.js", { compatibility_date: COMPATIBILITY_DATE, durable_objects: { bindings } });
  return serve(folder, join(folder, "workerd.capnp"));
}

/** Serves a Worker around the kernel that was built. @param script its bundle, which imports `./kernel.wasm` */
export function serveKernel(script) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "worker.js"), script);
  copyFileSync(join(ROOT, "build", "kernel.wasm"), join(folder, "kernel.wasm"));
  writeWorkerdConfig(folder, "worker.js", {
    compatibility_date: COMPATIBILITY_DATE,
    durable_objects: { bindings: [] },
  });
  return serve(folder, join(folder, "workerd.capnp"));
}
