/** The servers that are measured, each a workerd of its own with state in a temporary folder: the deployed bundle, and the floor. */

import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/project.mjs";
import { LOCAL_KEY } from "../../scripts/settings.mjs";
import { startWorkerd } from "../../scripts/workerd.mjs";
import { writeWorkerdConfig } from "../../scripts/workerd-config.mjs";

const SETTINGS = { host: "127.0.0.1", port: 0, keys: undefined, firstKey: LOCAL_KEY };
const COMPATIBILITY_DATE = "2026-04-20";

/** A server: where it is, how to end it and start it again on the same state, and how to end it for good. */
async function serve(folder, config) {
  const stop = new AbortController();
  const objects = join(folder, "objects");
  mkdirSync(objects, { recursive: true });
  const { pid, address, ended } = await startWorkerd(SETTINGS, objects, stop.signal, config);
  const end = () => {
    stop.abort();
    return ended;
  };
  return {
    address,
    pid,
    async restart() {
      await end();
      return serve(folder, config);
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

/** Serves the bundle that was built. */
export function serveNoema() {
  return serve(temporaryFolder());
}

/** Serves the floor. */
export function serveFloor() {
  const folder = temporaryFolder();
  copyFileSync(join(ROOT, "test", "bench", "floor", "worker.js"), join(folder, "worker.js"));
  const bindings = [{ name: "FLOOR", class_name: "FloorObject" }];
  writeWorkerdConfig(folder, "worker.js", { compatibility_date: COMPATIBILITY_DATE, durable_objects: { bindings } });
  return serve(folder, join(folder, "workerd.capnp"));
}
