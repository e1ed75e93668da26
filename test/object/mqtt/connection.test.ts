/** One connection without a server: what it does when its work cannot be done now, and how it counts silence. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { REASON } from "../../../src/mqtt/packets/packet";
import { Refused, type Taken } from "../../../src/mqtt/port";
import { digestOf, Inbox } from "../../../src/mqtt/session/inbox";
import { type Attachment, Connection, type ConnectionHost } from "../../../src/object/mqtt/connection";
import { InputTurns } from "../../../src/object/mqtt/input-turns";
import { Session, SessionBudgets } from "../../../src/object/mqtt/session";
import { packet, publish } from "../../support/mqtt/packets.mjs";

beforeEach(() => {
  // Timers run: a connection gives others turns by them.
  vi.useFakeTimers({ now: 1_000_000, toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A connection of a client that was accepted, and what it sends. @param take what becomes of messages */
function connected(version: 4 | 5, take: () => Promise<Taken>) {
  const sent: string[] = [];
  const about: Attachment = {
    agent: "a",
    host: "h",
    openedAt: Date.now(),
    seenAt: Date.now(),
    aliases: [],
    subscriptions: [],
  };
  const socket = {
    send: (bytes: Uint8Array) => sent.push(Buffer.from(bytes).toString("hex")),
    close: (code: number) => sent.push(`closed ${code}`),
    serializeAttachment: vi.fn(),
  };
  const over = vi.fn();
  const publication = { processorId: "p", session: "", work: {}, bytes: 1 };
  const host = {
    prepare: async () => publication,
    publish: take,
    holderOf: async () => ({ keyRef: "k" }),
    over,
    holding: () => {},
    turns: new InputTurns(),
  } as unknown as ConnectionHost;
  const connection = new Connection(socket as unknown as WebSocket, about, host);
  const client = {
    version,
    keyRef: "k",
    clientId: "c",
    keepAliveS: 1,
    receiveMaximum: 10,
    maximumPacketSize: null,
    wantsReasons: false,
    expiryS: 0,
    isResumed: false,
  };
  const its = { agent: "a", keyRef: "k", clientId: "c", source: "", expiryS: 0, subscriptions: [], processors: [] };
  connection.accepted(
    client,
    new Session("s", its, { tables: {} as never, queues: {} as never, budgets: new SessionBudgets() }),
  );
  const say = async (...packets: Buffer[]) => {
    const bytes = Buffer.concat(packets);
    connection.take(new Uint8Array(bytes).buffer);
    await connection.settled();
  };
  return { connection, say, sent, over, socket };
}

test.each([
  [5, ["e0028900", "closed 1013"]],
  [4, ["closed 1013"]],
] as const)("with protocol level %d, what may be done later is not acknowledged: the connection ends", async (version, expected) => {
  const later = new Refused(REASON.serverBusy, "try again", false);
  const { say, sent, over } = connected(version, async () => ({ outcomes: [], later }));
  await say(publish(version, "t", "a", 1, 1), publish(version, "t", "b", 2, 2), packet(0xc0));
  expect(sent).toEqual(expected);
  expect(over).toHaveBeenCalledTimes(1);
});

test("what was done before that is acknowledged", async () => {
  const later = new Refused(REASON.serverBusy, "try again", false);
  const { say, sent } = connected(5, async () => ({ outcomes: [undefined], later }));
  await say(publish(5, "t", "a", 2, 1), publish(5, "t", "b", 1, 2));
  expect(sent).toEqual(["50020001", "e0028900", "closed 1013"]);
});

test("of more messages of QoS 0 than may wait the newest are dropped, and others end the connection", async () => {
  const take = vi.fn(async () => ({ outcomes: Array.from({ length: 64 }, () => undefined) }));
  const { say, sent } = connected(5, take);
  await say(...Array.from({ length: 1100 }, () => publish(5, "t", "a")));
  expect([take.mock.calls.length, sent]).toEqual([1024 / 64, []]);
  await say(...Array.from({ length: 1030 }, () => packet(0xc0)));
  expect(sent.slice(-2)).toEqual(["e0029700", "closed 1002"]);
});

test("the client hears of the first fault, whatever follows it", async () => {
  const { connection, sent } = connected(5, async () => ({ outcomes: [] }));
  for (let number = 0; number < 1030; number++) connection.take(new Uint8Array(packet(0xc0)).buffer);
  await connection.settled();
  expect(sent.slice(-2)).toEqual(["e0029700", "closed 1002"]);
});

test("a client that does not read loses its connection", async () => {
  const { say, sent, socket } = connected(5, async () => ({ outcomes: [] }));
  Object.assign(socket, { bufferedAmount: 1_048_577 });
  await say(packet(0xc0), packet(0xc0));
  expect(sent).toEqual(["d000", "closed 1013"]);
});

test("silence is counted from the last packet, which is not kept with the socket for each packet", async () => {
  const { connection, say, socket } = connected(5, async () => ({ outcomes: [] }));
  const before = socket.serializeAttachment.mock.calls.length;
  for (const ms of [400, 400, 400]) {
    vi.advanceTimersByTime(ms);
    await say(packet(0xc0));
    expect(connection.seenAt).toBe(Date.now());
  }
  expect(socket.serializeAttachment.mock.calls.length - before).toBe(1);
});

describe("what the platform keeps of a clean session while the object is not in memory", () => {
  const taken = async () => ({ outcomes: [undefined] });
  const packetIdentifier = (id: number) => Buffer.from([id >> 8, id & 0xff]);

  test("of an acknowledged message of QoS 1 it is nothing, so its identifier may be used again", async () => {
    const { say, sent, connection, socket } = connected(5, taken);
    const before = socket.serializeAttachment.mock.calls.length;
    await say(publish(5, "t", "a", 1, 1));
    expect(sent).toEqual(["40020001"]);
    expect(new Inbox(connection.about.inbox).arrive(1, 1, false, () => digestOf("t", Buffer.from("a")))).toBe("new");
    expect(socket.serializeAttachment.mock.calls.length - before).toBe(0);
  });

  test("a message of QoS 2 is done until its PUBREL, and then unknown", async () => {
    const { say, connection } = connected(5, taken);
    const arrival = () => new Inbox(connection.about.inbox).arrive(1, 2, true, () => 0);
    await say(publish(5, "t", "a", 2, 1));
    expect(arrival()).toBe("done");
    await say(packet(0x62, packetIdentifier(1)));
    expect(arrival()).toBe("new");
  });
});
