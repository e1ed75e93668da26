/** `npm start` watches workerd: it starts workerd again when it ends by itself, and ends it in time when it is told to. */

import { once } from "node:events";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

/** A busy machine may take so long until workerd answers again. */
const RETURN_MS = 30_000;

/** How long a stop may take, by what the documents say. */
const STOP_MS = 10_000;

async function start(env?: Record<string, string>): Promise<Server> {
  const server = await Server.start(undefined, env);
  onTestFinished(async () => {
    await server.kill();
    rmSync(server.stateDir, { recursive: true, force: true });
  });
  return server;
}

/** Asks until it is answered: there is nobody while workerd starts. */
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

/** From now on workerd cannot start on this state. */
function spoil({ stateDir }: Server): void {
  renameSync(join(stateDir, "objects"), join(stateDir, "away"));
  writeFileSync(join(stateDir, "objects"), "not a folder");
}

/** Sends the head of a request and a part of its body, and leaves it at that. */
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
  test("it starts again at the same address with all that was answered, and one line says so", async () => {
    const server = await start();
    await ask(server, "POST observe", { data: { strings: ["kept"] } });
    const { workerdPid } = server;
    process.kill(workerdPid, "SIGKILL");
    expect(await untilAnswered(server, "GET working-memory")).toEqual([["kept"]]);
    expect(server.workerdPid).not.toBe(workerdPid);
    expect(server.output).toBe(
      "workerd ended by itself (SIGKILL). The server starts again in 0.1 s; all that it answered is stored.\n",
    );
  });

  test("it gives up after as many failed starts in a row as are allowed, and says why", async () => {
    const server = await start({ NOEMA_FAILED_STARTS: "2" });
    spoil(server);
    process.kill(server.workerdPid, "SIGKILL");
    expect(await server.ended()).toBe(1);
    expect(server.output).toContain("The server starts again in 0.2 s");
    expect(server.output).toContain("That was the last of 2 failed starts in a row");
  });

  test("a stop between two starts is obeyed", async () => {
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

describe("a stop", () => {
  test("is not held up by half a request, and keeps what was answered", async () => {
    const server = await start();
    await ask(server, "POST observe", { data: { strings: ["kept"] } });
    await sendHalf(server);
    const before = Date.now();
    const code = await Promise.race([server.stop(), new Promise((resolve) => setTimeout(resolve, STOP_MS, "late"))]);
    expect(code).toBe(0);
    expect(Date.now() - before).toBeLessThan(STOP_MS);
    expect(server.output).toBe("Requests were still under way after 8 s; they are cut off.\n");
    const next = await Server.start(server.stateDir);
    onTestFinished(() => next.discard());
    expect(await ask(next, "GET working-memory")).toEqual([["kept"]]);
  });

  test("waits no longer for requests than NOEMA_STOP_SECONDS says", async () => {
    const server = await start({ NOEMA_STOP_SECONDS: "0" });
    await sendHalf(server);
    expect(await server.stop()).toBe(0);
    expect(server.output).toBe("Requests were still under way after 0 s; they are cut off.\n");
  });
});
