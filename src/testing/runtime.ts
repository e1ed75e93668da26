/** Runs the built bundle in the user's Miniflare, an optional peer dependency of the package. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Miniflare } from "miniflare";

/**
 * Inserted by the build: the bundle's compatibility date and flags, and the version of Miniflare that it was tested
 * with.
 */
declare const NOEMA_COMPATIBILITY_DATE: string;
declare const NOEMA_COMPATIBILITY_FLAGS: readonly string[];
declare const NOEMA_MINIFLARE: string;

/** The folder of the bundle, above that of this module. */
const BUNDLE = fileURLToPath(new URL("..", import.meta.url));

/** The name of the Worker inside Miniflare. */
const NAME = "noema";

/** `Eviction` of evictable-worker.ts, as this process calls it. */
interface Eviction {
  evict(processor?: string): Promise<void>;
}

/** How to run the bundle. */
export interface RuntimeSettings {
  /** The folder of the objects' databases. */
  readonly storage: string;
  /** The port on 127.0.0.1; 0 takes any free one. */
  readonly port: number;
  /** The Worker's variables. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A runtime: Miniflare and its workerd. */
export interface Runtime {
  /** Its address, without a slash at the end. */
  readonly address: string;
  /** Sends a request into it, without the network. */
  readonly fetch: Miniflare["dispatchFetch"];
  /** Evicts one processor's object, named `<agent>/<identifier>`, or all objects of all agents. */
  evict(processor?: string): Promise<void>;
  /** Ends it. */
  stop(): Promise<void>;
}

/** The user's Miniflare. @throws Error when there is none, with the command that installs one */
async function miniflare(): Promise<typeof import("miniflare")> {
  try {
    return await import("miniflare");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(
      `noema/testing runs in Miniflare, which is not installed: npm install --save-dev miniflare@${NOEMA_MINIFLARE}`,
      { cause: error },
    );
  }
}

/**
 * The modules of the bundle, the one with the evictable classes first. The paths are as the modules import each other.
 */
function modules() {
  const read = (file: string) => readFileSync(join(BUNDLE, file));
  const wasm = readdirSync(BUNDLE).filter((file) => file.endsWith(".wasm"));
  return [
    { type: "ESModule" as const, path: "/testing/evictable-worker.js", contents: read("testing/evictable-worker.js") },
    { type: "ESModule" as const, path: "/worker.js", contents: read("worker.js") },
    ...wasm.map((file) => ({ type: "CompiledWasm" as const, path: `/${file}`, contents: read(file) })),
  ];
}

/** Starts Miniflare with the bundle. @throws Error when Miniflare is not installed, or cannot start */
export async function startRuntime({ storage, port, variables }: RuntimeSettings): Promise<Runtime> {
  const { Miniflare } = await miniflare();
  const runtime = new Miniflare({
    name: NAME,
    host: "127.0.0.1",
    port,
    // No network access to fetch metadata.
    cf: false,
    telemetry: { enabled: false },
    modulesRoot: "/",
    modules: modules(),
    compatibilityDate: NOEMA_COMPATIBILITY_DATE,
    compatibilityFlags: [...NOEMA_COMPATIBILITY_FLAGS],
    bindings: { ...variables },
    durableObjects: {
      AGENTS: { className: "AgentObject", useSQLite: true },
      PROCESSORS: { className: "ProcessorObject", useSQLite: true },
    },
    durableObjectsPersist: storage,
    serviceBindings: {
      EVICTION: { name: NAME, entrypoint: "Eviction" },
      ASSETS: { disk: { path: join(BUNDLE, "assets"), writable: false } },
      // As workerd.capnp has it: http works for this machine only.
      LOOPBACK: { network: { allow: ["local"] } },
    },
  });
  try {
    const address = (await runtime.ready).href.replace(/\/$/, "");
    const { EVICTION } = await runtime.getBindings<{ EVICTION: Eviction }>();
    return {
      address,
      fetch: runtime.dispatchFetch,
      evict: (processor) => EVICTION.evict(processor),
      stop: () => runtime.dispose(),
    };
  } catch (error) {
    await runtime.dispose().catch(() => {});
    throw error;
  }
}
