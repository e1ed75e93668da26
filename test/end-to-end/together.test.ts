/** Observes of many connections to one processor: each takes effect once, alone, and they are stored together. */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Server } from "../support/server/server";

const PROCESSOR = "/p46b6b076c";
const CONNECTIONS = 16;
const BURSTS = 20;

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(server.address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true }).on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** The JSON of the answer to a record. */
function observe(socket: Socket, record: object): Promise<{ status: string; interval: number }> {
  const body = JSON.stringify({ data: record });
  const fields = ["host: localhost", "x-api-key: ABCD-1234", `content-length: ${Buffer.byteLength(body)}`];
  socket.write([`POST ${PROCESSOR}/observe HTTP/1.1`, ...fields, "", body].join("\r\n"));
  return new Promise((resolve, reject) => {
    let text = "";
    const ended = () => reject(new Error(`the connection ended: ${text}`));
    const take = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n") + 4;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
      if (end < 4 || text.length < end + length) return;
      socket.off("data", take).off("close", ended);
      resolve(JSON.parse(text.slice(end, end + length)));
    };
    socket.on("data", take).once("close", ended);
  });
}

/** How often the runtime has written to files and connections, as Linux counts it. */
function writes(): number {
  return Number(/^syscw: (\d+)/m.exec(readFileSync(`/proc/${server.workerdPid}/io`, "utf8"))?.[1]);
}

async function observed(): Promise<string[][]> {
  return (await server.okay(`GET ${PROCESSOR}/working-memory`)).message;
}

test("a refused record among them changes nothing for the others", async () => {
  await server.okay(`POST ${PROCESSOR}/clear-all-memory`);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, open));
  // No encoder is set, so the processor itself refuses a number.
  const isRefused = (at: number) => at % 4 === 1;
  const recordOf = (at: number) => ({ strings: [`s${at}`], numbers: isRefused(at) ? { heat: 1 } : {} });
  const answers = await Promise.all(sockets.map((socket, at) => observe(socket, recordOf(at))));
  expect(answers.map(({ status }) => status)).toEqual(sockets.map((_, at) => (isRefused(at) ? "failed" : "okay")));
  const taken = answers.flatMap(({ interval }, at) => (isRefused(at) ? [] : [{ interval, at }]));
  taken.sort((one, other) => one.interval - other.interval);
  expect(taken.map(({ interval }) => interval)).toEqual(taken.map((_, index) => index + 1));
  expect(await observed()).toEqual(taken.map(({ at }) => [`s${at}`]));
});

test.runIf(process.platform === "linux")(
  "they take fewer commits than as many one by one, and outlive a kill",
  async () => {
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, open));
    /** Records in an empty memory. @returns how often the runtime wrote meanwhile */
    const writesFor = async (observeBurst: (burst: number) => Promise<unknown>) => {
      await server.okay(`POST ${PROCESSOR}/clear-all-memory`);
      const before = writes();
      for (let burst = 0; burst < BURSTS; burst++) await observeBurst(burst);
      return writes() - before;
    };
    const record = (burst: number, at: number) => ({ strings: [`${burst} ${at}`] });
    const alone = await writesFor(async (burst) => {
      for (const [at, socket] of sockets.entries()) await observe(socket, record(burst, at));
    });
    const together = await writesFor((burst) =>
      Promise.all(sockets.map((socket, at) => observe(socket, record(burst, at)))),
    );
    expect(together).toBeLessThan(0.8 * alone);
    const memory = await observed();
    expect(memory).toHaveLength(CONNECTIONS * BURSTS);
    await server.kill();
    server = await Server.start(server.stateDir);
    expect(await observed()).toEqual(memory);
  },
);
