/** `npm start` watches workerd: it restarts workerd when it ends by itself, and stops it in time after a signal. */

import { once } from "node:events";
import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { watchClock } from "../../src/serve/clock.mjs";
import { watchForHang } from "../../src/serve/hang.mjs";
import { machineBytes, residentBytes, watchMemory } from "../../src/serve/memory.mjs";
import { crashWhileObserving, type Observed } from "../support/server/crash";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server, type Wrapper } from "../support/server/server";

/** The longest time that workerd may need to answer again, on a busy machine. */
const RETURN_MS = 30_000;

/** The longest time that a stop may take, as the documents promise. */
const STOP_MS = 10_000;

/** Finds after a second that workerd hangs. It leaves out the arguments after it. */
const IMPATIENT: Wrapper = [process.execPath, "test/support/server/serve-impatient.mjs"];

async function start(env?: Record<string, string>, wrapper?: Wrapper): Promise<Server> {
  const server = await Server.start(undefined, env, wrapper);
  onTestFinished(async () => {
    await server.kill();
    rmSync(server.stateDir, { recursive: true, force: true });
  });
  return server;
}

/** Repeats a call until it is answered: there is no answer while workerd starts. */
async function untilAnswered(server: Server, call: string): Promise<unknown> {
  const deadline = Date.now() + RETURN_MS;
  for (;;) {
    try {
      return await ask(server, call);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Spoils the state, so that workerd cannot start on it. */
function spoil({ stateDir }: Server): void {
  renameSync(join(stateDir, "objects"), join(stateDir, "away"));
  writeFileSync(join(stateDir, "objects"), "not a folder");
}

/** Sends the head of a request and a part of its body, and nothing more. */
async function sendHalf({ address }: Server): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const head = ["POST /p46b6b076c/observe HTTP/1.1", "host: localhost", "x-api-key: ABCD-1234", "content-length: 100"];
  socket.write(`${head.join("\r\n")}\r\n\r\n{"data":`);
  return socket;
}

describe("when workerd ends by itself", () => {
  test("it starts again at the same address with every answered write, and one line says so", async () => {
    const server = await start();
    await ask(server, "POST observe", { data: { strings: ["kept"] } });
    const { workerdPid } = server;
    process.kill(workerdPid, "SIGKILL");
    expect(await untilAnswered(server, "GET working-memory")).toEqual([["kept"]]);
    // The server notes the process once it has answered the server's own ping, which may be after ours.
    await expect.poll(() => server.workerdPid, { timeout: RETURN_MS }).not.toBe(workerdPid);
    expect(server.output).toBe(
      "workerd ended by itself (SIGKILL). The server starts again in 0.1 s; all that it answered is stored.\n",
    );
  });

  test("the server gives up after the allowed number of failed starts in a row, and says why", async () => {
    const server = await start({ NOEMA_FAILED_STARTS: "2" });
    spoil(server);
    process.kill(server.workerdPid, "SIGKILL");
    expect(await server.ended()).toBe(1);
    expect(server.output).toContain("The server starts again in 0.2 s");
    expect(server.output).toContain("That was the last of 2 failed starts in a row");
  });

  test("a signal between two starts stops the server", async () => {
    const server = await start({ NOEMA_FAILED_STARTS: "1000" });
    spoil(server);
    process.kill(server.workerdPid, "SIGKILL");
    const deadline = Date.now() + RETURN_MS;
    while (!server.output.includes("again in 0.8 s") && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await server.stop()).toBe(0);
  });
});

test("when the clock is set back, workerd starts again, because its objects would wait for as long", async () => {
  const server = await start({ NOEMA_AGENTS: "second" }, IMPATIENT);
  await ask(server, "POST observe", { data: { strings: ["kept"] } });
  const { workerdPid } = server;
  server.signal("SIGUSR2");
  await expect.poll(() => server.workerdPid).not.toBe(workerdPid);
  expect(await untilAnswered(server, "GET working-memory")).toEqual([["kept"]]);
  expect(server.output).toMatch(/^The clock was set back by 86400 s\. The server starts again in 0\.1 s; .*\n$/);
  await untilProcessorsAreCalled(server, 2);
});

/** A sleeping processor may wait for an alarm that a wrong clock has set. @param agents how many the server has */
async function untilProcessorsAreCalled(server: Server, agents = 1): Promise<void> {
  const metrics = async () => (await server.send({ method: "GET", path: "/metrics" })).text;
  await expect.poll(metrics).toContain(`noema_requests_total{operation="GET /processors",status="200"} ${agents}`);
}

test("a start calls the processors when their alarms were set at a time that is yet to come", async () => {
  const before = await start();
  await ask(before, "POST observe", { data: { strings: ["kept"] } });
  await before.stop();
  const objects = join(before.stateDir, "objects");
  const tomorrow = Date.now() / 1000 + 86_400;
  utimesSync(join(objects, "noema-ProcessorObject", "metadata.sqlite"), tomorrow, tomorrow);
  writeFileSync(join(objects, "room-of-a-check"), "");
  const server = await Server.start(before.stateDir);
  onTestFinished(() => server.discard());
  await untilProcessorsAreCalled(server);
});

describe("the watch of the clock", () => {
  afterEach(() => void vi.useRealTimers());

  test("finds steps back of 5 s, and neither less nor steps ahead", async () => {
    vi.useFakeTimers({ now: 1_000_000_000 });
    const found: number[] = [];
    onTestFinished(watchClock((stepMs) => found.push(stepMs)));
    const set = async (stepMs: number) => {
      vi.setSystemTime(Date.now() + stepMs);
      await vi.advanceTimersByTimeAsync(1000);
    };
    await set(86_400_000);
    await set(-4999);
    expect(found).toEqual([]);
    await set(-5000);
    await set(-86_400_000);
    expect(found).toEqual([5000, 86_400_000]);
  });
});

describe("when workerd answers nothing any more", () => {
  test("it is killed and starts again at the same address, and one line says so", async () => {
    const server = await start({}, IMPATIENT);
    await ask(server, "POST observe", { data: { strings: ["kept"] } });
    const { workerdPid } = server;
    process.kill(workerdPid, "SIGSTOP");
    await expect.poll(() => server.workerdPid).not.toBe(workerdPid);
    expect(() => process.kill(workerdPid, 0)).toThrow("ESRCH");
    expect(await untilAnswered(server, "GET working-memory")).toEqual([["kept"]]);
    expect(server.output).toMatch(
      /^workerd answered nothing for \d+ s and was killed\. The server starts again in 0\.1 s; .*\n$/,
    );
  });

  describe("the watch", () => {
    /** The times at which workerd was found to hang, in milliseconds. */
    let found: number[];
    let isAnswered: boolean;

    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"], now: 0 });
      found = [];
      isAnswered = true;
      // An ask that gets no answer stays open.
      const ask = () => (isAnswered ? Promise.resolve(true) : new Promise<boolean>(() => {}));
      const end = watchForHang(ask, () => found.push(performance.now()));
      onTestFinished(end);
    });

    afterEach(() => void vi.useRealTimers());

    test("finds a silence of 60 s after the last answer, and not a pause of 55 s", async () => {
      await vi.advanceTimersByTimeAsync(30_000);
      isAnswered = false;
      await vi.advanceTimersByTimeAsync(55_000);
      isAnswered = true;
      await vi.advanceTimersByTimeAsync(3000);
      isAnswered = false;
      await vi.advanceTimersByTimeAsync(57_000);
      expect(found).toEqual([]);
      await vi.advanceTimersByTimeAsync(3000);
      expect(found).toEqual([147_000]);
    });

    test("does not count the time in which the watching process itself was suspended", async () => {
      isAnswered = false;
      await vi.advanceTimersByTimeAsync(57_000);
      const resumed = performance.now() + 3_600_000;
      vi.spyOn(performance, "now").mockImplementation(() => resumed);
      await vi.advanceTimersByTimeAsync(3000);
      expect(found).toEqual([]);
    });
  });
});

/** The bytes of a WebSocket's binary message of 31 MiB without its last MiB. */
const UNFINISHED = (() => {
  const message = Buffer.alloc(14 + 30 * 1_048_576);
  message.set([0x82, 0x80 | 127]);
  message.writeBigUInt64BE(31n * 1_048_576n, 2);
  return message;
})();

/** Opens a connection for MQTT, which needs no key yet, and sends an unfinished message. */
async function sendUnfinished({ address }: Server): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).on("error", () => {});
  onTestFinished(() => void socket.destroy());
  const head = ["GET /mqtt HTTP/1.1", "host: localhost", "connection: Upgrade", "upgrade: websocket"];
  const key = "AAAAAAAAAAAAAAAAAAAAAA==";
  socket.write(
    [...head, "sec-websocket-version: 13", `sec-websocket-key: ${key}`, "sec-websocket-protocol: mqtt", "", ""].join(
      "\r\n",
    ),
  );
  const [answer] = await once(socket, "data");
  expect(String(answer)).toContain("101 Switching Protocols");
  socket.write(UNFINISHED);
}

describe("when workerd takes more memory than NOEMA_PROCESS_BYTES", () => {
  test("it is killed and starts again at the same address, and one line says so", async () => {
    const server = await start({ NOEMA_PROCESS_BYTES: "268435456" });
    await ask(server, "POST observe", { data: { strings: ["kept"] } });
    const { workerdPid } = server;
    // Far less than 256 MiB together with what workerd takes itself, then more.
    await sendUnfinished(server);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(server.workerdPid).toBe(workerdPid);
    await Promise.all(Array.from({ length: 10 }, () => sendUnfinished(server)));
    await expect.poll(() => server.workerdPid).not.toBe(workerdPid);
    expect(await untilAnswered(server, "GET working-memory")).toEqual([["kept"]]);
    expect(server.output).toMatch(
      /^workerd took \d+ MiB of memory, more than 256 MiB, and was killed\. The server starts again in 0\.1 s; .*\n$/,
    );
  });

  test("the watch finds the first excess, once, and survives a memory that is unknown", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const memory = [10, undefined, 100, 101, 102];
    const found: number[] = [];
    const read = () => Promise.resolve(memory.shift());
    onTestFinished(watchMemory(read, 100, (bytes) => found.push(bytes)));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(found).toEqual([101]);
    expect(memory).toEqual([102]);
  });

  test("the memory of this process and of this machine is known", async () => {
    const bytes = await residentBytes(process.pid);
    expect(bytes).toBeGreaterThan(10_000_000);
    expect(bytes).toBeLessThan(machineBytes());
    expect(await residentBytes(2 ** 30)).toBeUndefined();
  });
});

describe("a stop", () => {
  test("does not wait forever for half a request, and keeps every answered write", async () => {
    // 8 s are the default: with less, a busy machine has more time left for the rest of a stop.
    const server = await start({ NOEMA_STOP_SECONDS: "2" });
    await ask(server, "POST observe", { data: { strings: ["kept"] } });
    await sendHalf(server);
    const before = Date.now();
    const code = await Promise.race([server.stop(), new Promise((resolve) => setTimeout(resolve, STOP_MS, "late"))]);
    expect(code).toBe(0);
    expect(Date.now() - before).toBeLessThan(STOP_MS);
    expect(server.output).toBe("Requests were still under way after 2 s; they are cut off.\n");
    const next = await Server.start(server.stateDir);
    onTestFinished(() => next.discard());
    expect(await ask(next, "GET working-memory")).toEqual([["kept"]]);
  });

  test("keeps every answered write when devices observe meanwhile", async () => {
    const observed: Observed = { sent: new Set(), answered: new Set() };
    const server = await start({ NOEMA_STOP_SECONDS: "1" });
    await sendHalf(server);
    const next = await crashWhileObserving({
      server,
      call: `POST ${PROCESSOR}/observe`,
      dataOf: (symbol) => ({ strings: [symbol] }),
      prefix: "stop",
      observed,
      end: (stopping) => stopping.stop(),
    });
    onTestFinished(() => next.discard());
    const events = (await ask(next, "GET working-memory")) as string[][];
    const remembered = new Set(events.map(([symbol = ""]) => symbol));
    expect([...observed.answered].filter((symbol) => !remembered.has(symbol))).toEqual([]);
  });

  test("waits for requests as long as NOEMA_STOP_SECONDS says, and no longer", async () => {
    const server = await start({ NOEMA_STOP_SECONDS: "0" });
    await sendHalf(server);
    expect(await server.stop()).toBe(0);
    expect(server.output).toBe("Requests were still under way after 0 s; they are cut off.\n");
  });
});
