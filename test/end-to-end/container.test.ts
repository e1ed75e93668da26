/**
 * The image of deploy/Dockerfile builds, starts and says that it is well, with the engine that is at hand: Docker, Podman or Buildah. Where there is
 * none, or its base image is not there and cannot be fetched, the test is left out and says why. Takes 150 s: npm runs twice in the build.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../support/server/free-port";

const IMAGE = `noema-test-${process.pid}`;
const KEY = "contained-key";

/** How long an engine may look for the base image, and how long it may build, in milliseconds. */
const FETCHING_MS = 60_000;
const BUILDING_MS = 900_000;

/** How long the server in the container may take until it answers. */
const BEGINNING = { timeout: 120_000, interval: 500 };

/** What an engine is told. */
interface Engine {
  readonly program: string;
  /** Succeeds where the engine can build. */
  readonly probe: readonly string[];
  /** Comes before the Dockerfile and the name of the image. */
  readonly build: readonly string[];
  /** Makes a container of the image, where that is a step of its own; prints its name. */
  readonly make: readonly string[];
  /** Runs the server in it, on a port of this machine. */
  run(container: string, port: number): readonly string[];
  /** What takes container and image away. */
  remove(container: string): readonly (readonly string[])[];
}

const environment = (port: number) => ["--env", `API_KEYS=${KEY}`, "--env", `PORT=${port}`];

/** Docker and Podman take the same words. */
function ownEngine(program: string): Engine {
  return {
    program,
    probe: ["info"],
    build: ["build"],
    make: [],
    run: (_, port) => ["run", "--rm", "--name", IMAGE, "--network", "host", ...environment(port), IMAGE],
    remove: () => [
      ["rm", "--force", IMAGE],
      ["rmi", "--force", IMAGE],
    ],
  };
}

/** Buildah starts no health checks and no CMD: it is told what to run. It works without a daemon and without namespaces. */
const buildah: Engine = {
  program: "buildah",
  probe: ["version"],
  build: ["build", "--isolation", "chroot", "--format", "docker"],
  make: ["from", IMAGE],
  run: (container, port) => ["run", "--isolation", "chroot", ...environment(port), container, "--", ...command("CMD")],
  remove: (container) => [
    ["rm", container],
    ["rmi", "--force", IMAGE],
  ],
};

const ENGINES = [ownEngine("docker"), ownEngine("podman"), buildah];

const file = readFileSync("deploy/Dockerfile", "utf8");

/** The last words of an instruction that is a list. @param instruction `CMD`; that of the health check is the first */
function command(instruction: string): string[] {
  const list = file.slice(file.lastIndexOf(`${instruction} [`)).match(/\[.*?\]/)?.[0] ?? "[]";
  return JSON.parse(list);
}

const succeeds = (program: string, args: readonly string[], timeout: number) =>
  spawnSync(program, args, { stdio: "ignore", timeout }).status === 0;

/** The engine with the base image; why there is none, as text. */
function find(): Engine | string {
  const base = file.match(/^FROM (\S+)$/m)?.[1] ?? "";
  const engine = ENGINES.find(({ program, probe }) => succeeds(program, probe, 10_000));
  if (engine === undefined) return "no engine for containers is at hand";
  const isThere = [
    ["inspect", "--type", "image", base],
    ["pull", base],
  ].some((args) => {
    return succeeds(engine.program, args, FETCHING_MS);
  });
  return isThere ? engine : `${engine.program} has no image ${base}, and cannot fetch it`;
}

const found = find();
if (typeof found === "string") process.stderr.write(`the test of deploy/Dockerfile is left out: ${found}\n`);

let context: string;
let container = IMAGE;
let server: ChildProcess | undefined;

beforeAll(() => {
  context = mkdtempSync(join(tmpdir(), "noema-image-"));
});

afterAll(() => {
  server?.kill("SIGTERM");
  if (typeof found !== "string") {
    for (const args of found.remove(container)) spawnSync(found.program, args, { stdio: "ignore" });
  }
  rmSync(context, { recursive: true, force: true });
});

test.skipIf(typeof found === "string")(
  "the image serves",
  async () => {
    const { program, build, make, run } = found as Engine;
    // Only what git has: what a fresh checkout does not have may not be needed.
    execFileSync("sh", [
      "-c",
      'git ls-files -z | tar --null --files-from=- --create | tar --extract --directory="$0"',
      context,
    ]);
    const built = spawnSync(
      program,
      [...build, "--file", join(context, "deploy/Dockerfile"), "--tag", IMAGE, context],
      {
        encoding: "utf8",
        timeout: BUILDING_MS,
      },
    );
    expect(built.status, `${built.stdout}\n${built.stderr}`.slice(-4_000)).toBe(0);
    if (make.length > 0) container = execFileSync(program, [...make], { encoding: "utf8" }).trim();
    const port = await freePort();
    server = spawn(program, [...run(container, port)], { stdio: "ignore" });
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-api-key": KEY } });
    await vi.waitFor(async () => expect((await ask("/health")).status).toBe(200), BEGINNING);
    expect(await (await ask("/connect")).json()).toMatchObject({ status: "okay" });
  },
  BUILDING_MS + FETCHING_MS + BEGINNING.timeout,
);
