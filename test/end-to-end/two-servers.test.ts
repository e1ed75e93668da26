/** Two servers on one state folder: the second is refused, whatever the first one does, and no answered write is lost. */

import { spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { ask } from "../support/server/processor-calls";
import { makeStateDir, ROOT, Server, startRefused, type Wrapper } from "../support/server/server";

const ROUNDS = 3;

/** A process namespace, as a container has: the processes outside it cannot be seen. */
const OWN_PIDS: Wrapper = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
/** The same where only root may make one: it becomes root in a user namespace. */
const OWN_PIDS_AS_USER: Wrapper = ["unshare", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];

const isolated = [OWN_PIDS, OWN_PIDS_AS_USER].find(
  ([program = "", ...args]) => spawnSync(program, [...args, "true"]).status === 0,
);

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const rows = stdout
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number));
  return rows.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
}

/** Which process a process belongs to; `undefined` when it has ended. */
function parentOf(pid: number): number | undefined {
  const { stdout } = spawnSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() === "" ? undefined : Number(stdout);
}

const running: Server[] = [];

async function start(stateDir?: string, checkout?: string): Promise<Server> {
  const server = await Server.start(stateDir, {}, undefined, checkout);
  running.push(server);
  return server;
}

function emptyStateDir(): string {
  const stateDir = makeStateDir();
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  return stateDir;
}

async function refusal(stateDir: string, wrapper?: Wrapper): Promise<string> {
  const { code, output } = await startRefused(stateDir, {}, wrapper);
  expect(code).toBe(1);
  return output;
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.discard();
});

describe("a second server on one state folder is refused", () => {
  test("when both start at the same moment", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const stateDir = emptyStateDir();
      const starts = await Promise.allSettled([start(stateDir, ROOT), start(stateDir, ROOT)]);
      const refused = starts.filter(({ status }) => status === "rejected");
      expect(refused).toHaveLength(1);
      expect(String((refused[0] as PromiseRejectedResult).reason)).toContain(`The state in ${stateDir} is in use by`);
    }
  });

  test("while the first is paused; the first loses nothing", async () => {
    const first = await start();
    await ask(first, "POST observe", { data: { strings: ["before"] } });
    first.signalAll("SIGSTOP");
    try {
      expect(await refusal(first.stateDir)).toContain(`is in use by the server at ${first.address} (process`);
    } finally {
      first.signalAll("SIGCONT");
    }
    await ask(first, "POST observe", { data: { strings: ["after"] } });
    expect(await ask(first, "GET working-memory")).toEqual([["before"], ["after"]]);
  });

  // Not every system has process namespaces.
  test.runIf(isolated)("when it cannot see the first one's processes", async () => {
    const first = await start();
    expect(await refusal(first.stateDir, isolated)).toContain(`is in use by the server at ${first.address} (process`);
  });
});

test("workerd ends with the process that started it, and the next server starts at once, at the same port", async () => {
  const first = await start();
  await ask(first, "POST observe", { data: { strings: ["kept"] } });
  const { workerdPid } = first;
  first.signal("SIGKILL");
  await first.died();
  const second = await Server.start(first.stateDir, { PORT: new URL(first.address).port });
  running.push(second);
  expect(await ask(second, "GET working-memory")).toEqual([["kept"]]);
  // It has ended; the system takes it off its list a little later.
  await expect.poll(() => parentOf(workerdPid)).toBe(undefined);
  await first.ended();
});

test("what ends workerd ends no other process, and ends with workerd", async () => {
  const server = await start();
  const { workerdPid } = server;
  const [leash = 0] = childrenOf(workerdPid);
  expect(leash).toBeGreaterThan(0);
  // The process that started it cannot see that workerd has ended, and is killed then: that number may be another program's by now.
  server.signal("SIGSTOP");
  process.kill(workerdPid, "SIGKILL");
  await expect.poll(() => parentOf(leash)).not.toBe(workerdPid);
  const bystander = spawn("sleep", ["60"]);
  server.signal("SIGKILL");
  await expect.poll(() => parentOf(leash)).toBe(undefined);
  expect(bystander.exitCode ?? bystander.signalCode).toBe(null);
  bystander.kill();
  await server.ended();
});

test("the next server starts after a crash of both processes", async () => {
  const first = await start();
  await ask(first, "POST observe", { data: { strings: ["kept"] } });
  await first.kill();
  const second = await start(first.stateDir);
  expect(await ask(second, "GET working-memory")).toEqual([["kept"]]);
});

describe("where there are no file locks", () => {
  const noLocks = async () => {
    throw new Error("no locks available");
  };

  test("a file keeps other servers out until its owner deletes it, or a person after a crash", async () => {
    const { openStateFolder } = await import(pathToFileURL(resolve("src/serve/state-folder.mjs")).href);
    const stateDir = emptyStateDir();
    const folder = await openStateFolder(stateDir, noLocks);
    expect(folder.lock).toBeUndefined();
    const second = openStateFolder(stateDir, noLocks);
    await expect(second).rejects.toThrow(
      `no file locks here (no locks available), and ${join(stateDir, "in-use")} exists`,
    );
    folder.release();
    (await openStateFolder(stateDir, noLocks)).release();
  });
});
