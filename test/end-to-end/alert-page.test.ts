/** The receiver of docs/alerts.md takes what a server delivers, once, and nothing that is forged. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { SECRET } from "../support/alerts/webhook";
import { blocks } from "../support/docs/blocks";
import { freePort } from "../support/server/free-port";
import { PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const PAGE = "docs/alerts.md";

let receiver: ChildProcess | undefined;

afterEach(async () => {
  if (receiver === undefined) return;
  const ended = once(receiver, "exit");
  receiver.kill();
  await ended;
});

/** Starts the program of the page. @returns its address, and what it prints */
async function startReceiver(secret: string): Promise<{ address: string; printed: () => string }> {
  const [program = "", ...others] = blocks(PAGE, "js");
  expect(others).toEqual([]);
  expect(program).toContain("listen(9000)");
  // Inside the project, so that it finds the package.
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync(join("build", "receiver-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const port = await freePort();
  const file = join(folder, "receiver.mjs");
  writeFileSync(file, program.replace("listen(9000)", `listen(${port})`));
  const env = { ...process.env, NOEMA_ALERT_SECRET: secret };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  receiver = child;
  let out = "";
  child.stdout.on("data", (piece) => {
    out += piece;
  });
  const address = `http://127.0.0.1:${port}/`;
  const answers = () =>
    fetch(address, { method: "POST" }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(answers, { timeout: 30_000 }).toBe(401);
  return { address, printed: () => out };
}

test("the receiver of the page takes deliveries of a server, each once", async () => {
  const { address, printed } = await startReceiver(SECRET);
  const server = await Server.start(undefined, { NOEMA_ALERT_HOSTS: new URL(address).host });
  onTestFinished(() => server.discard());
  const data = { when: { learned: true }, url: address, secret: SECRET };
  await server.okay(`PUT ${PROCESSOR}/alerts/a`, { data });
  await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: ["a", "b"] } });
  const { message: model } = await server.okay(`POST ${PROCESSOR}/learn`);
  await expect.poll(printed, { timeout: 30_000 }).toContain(model);
  expect(printed()).toMatch(/^noema\.learned \{/);
  await expect
    .poll(async () => (await server.okay(`GET ${PROCESSOR}/alerts/a`)).message.last_delivery)
    .toMatchObject({ outcome: "delivered", status: 204 });
});

test("the receiver of the page answers a repetition without printing it again, and refuses what is forged", async () => {
  const { address, printed } = await startReceiver(SECRET);
  const body = JSON.stringify({ data: { alert: "a" }, timestamp: "2026-11-22T00:00:00.000Z", type: "noema.test" });
  const send = async (secret: string, id: string, sent = body) => {
    const now = new Date();
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, now, body),
    };
    return (await fetch(address, { method: "POST", headers, body: sent })).status;
  };
  expect([await send(SECRET, "msg_1"), await send(SECRET, "msg_1"), await send(SECRET, "msg_2")]).toEqual([
    204, 204, 204,
  ]);
  expect(await send(`whsec_${"A".repeat(32)}`, "msg_3")).toBe(401);
  expect(await send(SECRET, "msg_4", body.replace('"a"', '"b"'))).toBe(401);
  await expect.poll(() => printed().match(/noema\.test/g)).toHaveLength(2);
});
