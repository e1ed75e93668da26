/** The servers that benchmarks measure: the deployed bundle, the floor, the kernel. Each is one workerd with a temporary state folder. */

import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIST, ROOT } from "../../scripts/project.mjs";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";
import { startWorkerd } from "../../src/serve/workerd.mjs";
import { writeWorkerdConfig } from "../../src/serve/workerd-config.mjs";

/** The limit of live objects costs each call a little; `npm start` always sets one. */
const SETTINGS = { host: "127.0.0.1", port: 0, isLocal: true, probe: { key: LOCAL_KEY }, liveObjects: 10_000 };
const COMPATIBILITY_DATE = "2026-04-20";

/** Turns the inspector on. Off by default, so that what is timed runs as it does in use. */
const INSPECTED = ["--inspector-addr=127.0.0.1:0"];

/**
 * Starts a server. Returns its address and process id, the port of its inspector if it is `inspected`, its folder, a way to end it, a
 * way to restart it on the same state, inspected or not, and a way to stop it and delete the state.
 */
async function serve(folder, config, inspected = false, variables = {}) {
  const stop = new AbortController();
  const objects = join(folder, "objects");
  mkdirSync(objects, { recursive: true });
  const flags = inspected ? INSPECTED : [];
  const { pid, address, inspector, ended } = await startWorkerd(
    { ...SETTINGS, variables },
    { objects },
    stop.signal,
    config,
    flags,
  );
  const end = () => {
    stop.abort();
    return ended;
  };
  return {
    address,
    pid,
    inspector,
    folder,
    end,
    async restart(again = false) {
      await end();
      return serve(folder, config, again, variables);
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

/** Serves the built bundle. @param inspected whether the inspector listens @param variables of the Worker */
export function serveNoema(inspected = false, variables = {}) {
  return serve(temporaryFolder(), join(DIST, "workerd.capnp"), inspected, variables);
}

/**
 * Serves the built bundle with its inspector, and limits the JavaScript heap: beyond the limit V8 ends workerd. workerd itself sets no
 * limit, so V8 collects garbage as late as the machine's memory allows.
 *
 * @param heapMebibytes the limit, a whole number
 * @param former a server of which it takes over the state; without one, it starts with none
 */
export async function serveNoemaWithin(heapMebibytes, former) {
  await former?.end();
  const folder = former?.folder ?? temporaryFolder();
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

/** Serves a Worker around the built kernel. @param script the Worker's bundle, which imports `./kernel.wasm` */
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
