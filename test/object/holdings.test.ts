/** What a server holds for clients of streams is bounded: of each stream, and of all streams of an object together. */

import { expect, test } from "vitest";
import { Holdings } from "../../src/object/holdings";
import { type Attachment, Link } from "../../src/object/streams/link";
import { Unread } from "../../src/object/unread";

const MIB = 1_048_576;

const ABOUT: Attachment = {
  session: "",
  source: undefined,
  last: 0,
  subscription: undefined,
  eventsLeft: 0,
  rights: undefined,
  keyId: undefined,
};

/** A socket whose client reads only when a test says so. */
class Socket {
  bufferedAmount = 0;
  readonly sent: string[] = [];
  closed: { code: number; reason: string } | undefined;

  send(text: string): void {
    this.sent.push(text);
    this.bufferedAmount += text.length;
  }

  close(code: number, reason: string): void {
    this.closed = { code, reason };
  }
}

/** Links of one object. */
function linked(count: number) {
  const links: Link[] = [];
  const holdings = new Holdings(() => links);
  const sockets = Array.from({ length: count }, () => new Socket());
  for (const socket of sockets) links.push(new Link(socket as unknown as WebSocket, ABOUT, holdings));
  return { links: links as [Link, ...Link[]], sockets: sockets as [Socket, ...Socket[]] };
}

test("a stream is full when 4 MiB of answers wait for other processors, and takes frames again when they are sent", async () => {
  const {
    links: [link],
    sockets: [socket],
  } = linked(1);
  let deliver = () => {};
  const delivered = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  const sent = [link.answer("a".repeat(4 * MIB - 1), delivered)];
  expect([link.isFull, link.holding()]).toEqual([false, 4 * MIB - 1]);
  sent.push(link.answer("b"));
  expect([link.isFull, link.holding()]).toEqual([true, 4 * MIB]);
  // A client that reads at once.
  Object.defineProperty(socket, "bufferedAmount", { get: () => 0, set: () => {} });
  deliver();
  await Promise.all(sent);
  expect(socket.sent.map(({ length }) => length)).toEqual([4 * MIB - 1, 1]);
  expect([link.isFull, link.holding()]).toEqual([false, 0]);
});

test("a closed stream holds nothing, whatever its answers wait for", () => {
  const {
    links: [link],
    sockets: [socket],
  } = linked(1);
  void link.answer("a".repeat(MIB), new Promise(() => {}));
  expect(link.holding()).toBe(MIB);
  link.close(1001, "");
  expect([link.holding(), socket.sent]).toEqual([0, []]);
});

test("of 1,000 streams whose clients do not read, those for which most is held are closed with 1013, and no others", () => {
  const { links, sockets } = linked(1000);
  for (let at = 0; at < 1000; at++) links[at]?.send("x".repeat(at < 40 ? 500_000 : 1000));
  const closed = sockets.flatMap(({ closed: end }, at) => (end === undefined ? [] : [{ at, ...end }]));
  expect(closed.length).toBeGreaterThan(0);
  expect(closed.every(({ at }) => at < 40)).toBe(true);
  expect(closed[0]).toMatchObject({ code: 1013, reason: expect.stringContaining("holds more than 16 MiB") });
  const held = links.reduce((sum, link) => sum + link.holding(), 0);
  expect(held).toBeLessThanOrEqual(16 * MIB);
  expect(held).toBeGreaterThan(14 * MIB);
});

test("clients that have read meanwhile keep their streams", () => {
  const { links, sockets } = linked(100);
  for (let round = 0; round < 100; round++) {
    for (const link of links) link.send("x".repeat(100_000));
    // The server is not told.
    for (const socket of sockets) socket.bufferedAmount = 0;
  }
  expect(sockets.filter(({ closed }) => closed !== undefined)).toEqual([]);
});

test("where the runtime does not report what was not read, a connection ends after 32 MiB that were sent", () => {
  const unread = new Unread({} as WebSocket);
  const isTooMuch = Array.from({ length: 33 }, () => unread.sent(MIB));
  expect([isTooMuch.indexOf(true), unread.bytes]).toEqual([32, 0]);
});
