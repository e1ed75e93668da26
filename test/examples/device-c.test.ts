/** The device in C of examples/: what it reports counts once, while links cut it off, the server is killed, and its own power fails. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compilerMissing } from "../support/examples/c-compiler";
import { numbersIn } from "../support/examples/example-run";
import { FlakyProxy } from "../support/flaky-links/flaky-proxy";
import { Random } from "../support/random";
import { waitForOutput } from "../support/server/child-output";
import { Server } from "../support/server/server";

const missing = compilerMissing();
if (missing !== undefined) console.error(`The tests of the device in C are left out: ${missing}.`);

const NAME = "boiler-1";
const HOURS_A_DAY = 24;
/** How often the device's power fails, and how often the server is killed. */
const POWER_CUTS = 12;
const KILLS = 2;

describe.runIf(missing === undefined)("the device in C", () => {
  const folder = mkdtempSync(join(tmpdir(), "noema-device-"));
  const file = join(folder, "state");
  let server: Server;

  beforeAll(async () => {
    execFileSync("make", ["-C", "examples/device-c", `BUILD=${folder}`], { stdio: ["ignore", "ignore", "inherit"] });
    server = await Server.start();
  });

  afterAll(async () => {
    await server.discard();
    rmSync(folder, { recursive: true, force: true });
  });

  function startDevice(address: string, hours: number, key = "ABCD-1234"): ChildProcess {
    const { hostname, port } = new URL(address);
    return spawn(join(folder, "device"), [hostname, port, NAME, file, String(hours)], {
      env: { NOEMA_API_KEY: key },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Lets the device report this many hours, and returns its exit code and what it printed. */
  async function runDevice(address: string, hours: number, key?: string) {
    const ended = await waitForOutput(startDevice(address, hours, key), /(?!)/);
    return ended as Extract<typeof ended, { code: unknown }>;
  }

  /** The number of the record that the device sent last. */
  const lastNumber = () => Number(readFileSync(file, "utf8").split(" ")[0]);

  /** How many records of the device the server has counted. */
  const countedHours = async () => Number((await server.okay(`GET /P1/sessions/${NAME}/time`)).message);

  /** Checks that each hour since the first has counted once, in its order, and each day was learned once. */
  async function expectEachHourOnce(first: number) {
    const last = lastNumber();
    expect(await countedHours()).toBe(last - first + 1);
    const { message } = await server.okay("GET /P1/get_kb");
    const models: { sequence: string[][]; frequency: number }[] = Object.values(message.models_kb);
    expect(models.reduce((sum, { frequency }) => sum + frequency, 0)).toBe((last - first + 1) / HOURS_A_DAY);
    const hours = Array.from({ length: HOURS_A_DAY }, (_, hour) => `hour=${hour}`);
    for (const { sequence } of models) expect(sequence.map(([, hour]) => hour)).toEqual(hours);
  }

  test("reports over one connection, and learns what a day is like", async () => {
    const { code, output } = await runDevice(server.address, 8 * HOURS_A_DAY);
    expect(code, output).toBe(0);
    const [hours, requests, connections, last] = numbersIn(
      output,
      /^Reported (\d+) generated hours\. Requests: (\d+), connections: (\d+), last number: (\d+)\.$/m,
    );
    expect([hours, requests, connections, last]).toEqual([192, 192 + 8 + 8 * 23, 1, lastNumber()]);
    const [expected = 0, asked] = numbersIn(output, /^Day 8: (\d+) of (\d+) hours were as expected so far\.$/m);
    expect(asked).toBe(8 * 23);
    // The first day, nothing is known; a window that is open now and then cannot be foreseen.
    expect(expected).toBeGreaterThan(120);
    await expectEachHourOnce(lastNumber() - 191);
  });

  test("counts once, whatever is cut, killed or without power", { timeout: 300_000 }, async () => {
    const first = lastNumber() - 191;
    const random = new Random(11);
    const proxy = await FlakyProxy.start(server.address, random);
    for (let cut = 1; cut <= POWER_CUTS; cut++) {
      const before = lastNumber();
      const device = startDevice(proxy.address, 100_000);
      const ended = once(device, "exit");
      await sleep(300 + random.below(900));
      if (cut % Math.ceil(POWER_CUTS / KILLS) === 0) {
        await server.kill();
        await sleep(200);
        server = await Server.start(server.stateDir);
        proxy.upstream = server.address;
      }
      while (lastNumber() < before + 3) await sleep(20);
      device.kill("SIGKILL");
      await ended;
      // It stores a record before it sends it. Otherwise its next record would take a number that the server has seen.
      expect(await countedHours()).toBeLessThanOrEqual(lastNumber() - first + 1);
    }
    await proxy.close();
    for (const fate of ["request lost", "answer lost", "answer cut", "sent twice", "late"] as const) {
      expect(proxy.counts.get(fate) ?? 0, fate).toBeGreaterThan(0);
    }
    // The rest of the day over a good link: it begins with the record that was under way.
    // When that is the last of its day, another day follows: the device reports at least an hour.
    const rest = HOURS_A_DAY - 1 - (lastNumber() % HOURS_A_DAY) || HOURS_A_DAY;
    expect((await runDevice(server.address, rest)).code).toBe(0);
    await expectEachHourOnce(first);
  });

  test("ends where the server refuses it, and where its file holds something else", async () => {
    const refused = await runDevice(server.address, 1, "a-secret");
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("does not hold an accepted API key");
    expect(refused.output).not.toContain("a-secret");
    writeFileSync(file, "nonsense\n");
    const { code, output } = await runDevice(server.address, 1);
    expect([code, output]).toEqual([1, `${file}: holds no number and record\n`]);
  });
});
