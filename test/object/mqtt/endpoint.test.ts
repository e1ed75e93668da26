/** What the MQTT endpoint holds for its clients: bounded together, and strangers apart from those who have a key. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type MqttPort, Refused, type Taken } from "../../../src/mqtt/port";
import type { Attachment } from "../../../src/object/mqtt/connection";
import { Endpoint, MAX_CONNECTIONS_OF_A_KEY, MAX_SESSIONS_OF_A_KEY } from "../../../src/object/mqtt/endpoint";
import type { MqttTables } from "../../../src/store/mqtt/mqtt-tables";
import { eventually } from "../../support/eventually";
import { connect, type Hello, packet, publish, subscribe, text, two } from "../../support/mqtt/packets.mjs";

const MIB = 1_048_576;

/** A socket whose client reads only when a test says so. */
class Socket {
  bufferedAmount: number | undefined = 0;
  binaryType = "";
  sentBytes = 0;
  closed: number | undefined;
  /** The last packet. */
  last: Uint8Array = new Uint8Array();
  /** How often an attachment was written, and how many characters the platform takes. */
  attached = 0;
  mostAttached = Number.POSITIVE_INFINITY;
  #attachment: unknown;

  constructor(attachment: Attachment) {
    this.#attachment = attachment;
  }

  send(bytes: Uint8Array): void {
    this.sentBytes += bytes.length;
    this.last = bytes;
    if (this.bufferedAmount !== undefined) this.bufferedAmount += bytes.length;
  }

  close(code: number): void {
    this.closed ??= code;
  }

  serializeAttachment(attachment: unknown): void {
    this.attached++;
    if (JSON.stringify(attachment).length > this.mostAttached) throw new Error("too large");
    this.#attachment = attachment;
  }

  deserializeAttachment(): unknown {
    return this.#attachment;
  }
}

/** The endpoint of an agent, with a processor that never answers. */
class World {
  readonly sockets: Socket[] = [];
  readonly endpoint: Endpoint;
  /** How often the platform was asked for all its sockets. */
  looks = 0;
  /** What the alarm was asked for, epoch milliseconds. */
  readonly rings: number[] = [];
  /** How often it was asked of which processors filters are. */
  questions = 0;
  /** What processors were told that is to be heard, whether they can be, and of which it is stored that they were not. */
  readonly watches: string[] = [];
  isOutOfReach = false;
  /** The revisions with which they were told, and the one that is in force. */
  readonly watchRevisions: number[] = [];
  revision = 0;
  /** The keys that are not valid any more, and what happens while they are looked up. */
  readonly removed = new Set<string>();
  lookUp: () => unknown = () => undefined;
  readonly untold = new Set<string>();

  constructor() {
    const port = {
      admit: async (_host: string, password: string) => ({ keyRef: password }),
      holder: async (keyRef: string) => ({ keyRef }),
      validOf: async (refs: readonly string[]) => {
        await this.lookUp();
        return new Set(refs.filter((ref) => !this.removed.has(ref)));
      },
      prepare: async () => ({ processorId: "P1", session: "", work: undefined, bytes: 0 }),
      take: () => new Promise<Taken>(() => {}),
      heard: async (_holder: unknown, asked: readonly unknown[]) => {
        this.questions++;
        return asked.map(() => [{ id: "P1", name: "press" }]);
      },
      nameOf: async () => "press",
      watch: async (processorId: string, kinds: readonly string[], revision: number) => {
        this.watches.push(`${processorId} ${kinds}`);
        if (this.isOutOfReach) throw new Refused(0x88, "out of reach", false);
        this.revision = Math.max(this.revision, revision);
        this.watchRevisions.push(revision);
        return this.revision;
      },
      mayHear: () => true,
      sessions: async () => [],
      forecast: async () => "{}",
      incident: async () => "",
    } as unknown as MqttPort;
    const none = () => [];
    const tables = {
      shortenQueues: none,
      wills: none,
      dueWills: none,
      sessions: none,
      payloads: none,
      endedSources: none,
      putSession: () => {},
      removeSession: () => {},
      untold: () => [...this.untold],
      addUntold: (processorId: string) => this.untold.add(processorId),
      removeUntold: (processorId: string) => this.untold.delete(processorId),
    } as unknown as MqttTables;
    this.endpoint = new Endpoint({
      objectId: "o",
      sockets: { acceptWebSocket: () => {}, getWebSockets: () => this.#all() },
      tables,
      port: () => port,
      ringBy: (at) => this.rings.push(at),
    });
  }

  #all(): WebSocket[] {
    this.looks++;
    return this.sockets as unknown as WebSocket[];
  }

  stranger(): Socket {
    const about = { agent: "a", host: "h", openedAt: Date.now(), seenAt: Date.now() };
    const socket = new Socket({ ...about, aliases: [], subscriptions: [] });
    this.sockets.push(socket);
    return socket;
  }

  async client(key = "key:1"): Promise<Socket> {
    const socket = this.stranger();
    this.send(socket, connect({ clientId: String(this.sockets.length), key }));
    await eventually(() => expect(socket.sentBytes).toBeGreaterThan(0));
    socket.bufferedAmount = 0;
    return socket;
  }

  async clients(count: number, key = "key:1", session: Hello = {}): Promise<Socket[]> {
    const sockets = Array.from({ length: count }, () => this.stranger());
    for (const [at, socket] of sockets.entries())
      this.send(socket, connect({ clientId: `of many ${at}`, key, ...session }));
    await eventually(() => expect(sockets.filter(({ sentBytes }) => sentBytes === 0).length).toBe(0));
    for (const socket of sockets) socket.bufferedAmount = 0;
    return sockets;
  }

  send(socket: Socket, bytes: Buffer): void {
    this.endpoint.take(socket as unknown as WebSocket, Uint8Array.from(bytes).buffer);
  }
}

/** The beginning of a packet that needs more. */
const part = (first: number, bytes: number) => packet(first, Buffer.alloc(bytes + 1)).subarray(0, -1);

const closedOf = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => closed !== undefined).length;

let world: World;

beforeEach(() => {
  world = new World();
});

afterEach(() => vi.restoreAllMocks());

describe("before CONNECT", () => {
  test("strangers hold 4 MiB together, and end no connection of a client", async () => {
    const clients = await world.clients(20);
    for (const client of clients) world.send(client, part(0x30, 400_000));
    const small = Array.from({ length: 20 }, () => world.stranger());
    for (const each of small) world.send(each, part(0x10, 100));
    const large = Array.from({ length: 300 }, () => world.stranger());
    for (const each of large) world.send(each, part(0x10, 60_000));
    expect([closedOf(clients), closedOf(small)]).toEqual([0, 0]);
    expect((300 - closedOf(large)) * 60_000).toBeLessThanOrEqual(4 * MIB);
    expect((300 - closedOf(large)) * 60_000).toBeGreaterThan(3 * MIB);
  });

  test("what a stranger held is free again when CONNECT is accepted, and when it leaves", async () => {
    for (let round = 0; round < 3; round++) {
      const strangers = Array.from({ length: 60 }, () => world.stranger());
      for (const each of strangers) world.send(each, part(0x10, 60_000));
      expect(closedOf(strangers)).toBe(0);
      for (const each of strangers) await world.endpoint.closed(each as unknown as WebSocket);
    }
    expect(closedOf(await world.clients(100))).toBe(0);
  });
});

describe("of clients", () => {
  test("those for which most is held end, with 1013, and small ones of other keys stay", async () => {
    const small = await world.clients(20, "key:2");
    for (const each of small) world.send(each, part(0x30, 1000));
    const large = await world.clients(40);
    for (const each of large) world.send(each, part(0x30, 1_000_000));
    expect(closedOf(small)).toBe(0);
    expect((40 - closedOf(large)) * 1_000_000).toBeLessThanOrEqual(16 * MIB);
    expect(large.filter(({ closed }) => closed === 1013).length).toBe(closedOf(large));
    expect(closedOf(large)).toBeLessThan(30);
  });

  test("short packets that wait count with what each takes", async () => {
    const clients = await world.clients(100);
    for (const each of clients) world.send(each, publish(5, "noema/P1/observe", "x", 1, 1));
    await new Promise((resolve) => setTimeout(resolve));
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => packet(0xc0)));
    for (const each of clients) world.send(each, pings);
    expect((100 - closedOf(clients)) * 256_000).toBeLessThanOrEqual(16 * MIB);
    expect(closedOf(clients)).toBeLessThan(50);
  });

  test("what they do not read is bounded together", async () => {
    const small = await world.clients(20, "key:2");
    const large = await world.clients(40);
    for (const each of small) world.send(each, packet(0xc0));
    for (const each of large) {
      each.bufferedAmount = 900_000;
      world.send(each, packet(0xc0));
    }
    await eventually(() => expect((40 - closedOf(large)) * 900_000).toBeLessThanOrEqual(16 * MIB));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(closedOf(small)).toBe(0);
    expect(closedOf(large)).toBeLessThan(30);
  });
});

test("thousands may leave at once: none of them makes the object look at all others", async () => {
  const clients = await world.clients(2000);
  await Promise.all(clients.map((each) => world.endpoint.closed(each as unknown as WebSocket)));
  expect(world.looks).toBe(1);
  // Those who have come back are known by then, and a key has no more than it may.
  world.sockets.length = 0;
  expect((await world.clients(10)).every(({ closed }) => closed === undefined)).toBe(true);
});

test("a connection that is closed and whose client does not answer needs no alarm any more", async () => {
  const client = world.stranger();
  world.send(client, connect({ clientId: "c", key: "configured:1", keepAlive: 100 }));
  await eventually(() => expect(client.sentBytes).toBeGreaterThan(0));
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 150_001);
  await world.endpoint.wake();
  expect(client.closed).toBe(1008);
  expect(world.endpoint.nextWake() ?? Number.POSITIVE_INFINITY).toBeGreaterThan(Date.now());
});

test("a connection that is lost needs no alarm before its last message is handled, however long that takes", async () => {
  const client = world.stranger();
  world.send(client, connect({ clientId: "c", key: "configured:1", keepAlive: 100 }));
  await eventually(() => expect(client.sentBytes).toBeGreaterThan(0));
  world.send(client, publish(5, "noema/P1/observe", "x", 1, 1));
  void world.endpoint.closed(client as unknown as WebSocket);
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 150_001);
  await world.endpoint.wake();
  expect(world.endpoint.nextWake()).toBeGreaterThan(Date.now());
});

test("for a client that comes, the alarm rings when its keep alive is over, and for all others as before", async () => {
  const client = world.stranger();
  world.send(client, connect({ clientId: "c", key: "configured:1", keepAlive: 100 }));
  await eventually(() => expect(client.sentBytes).toBeGreaterThan(0));
  const [first] = world.rings;
  expect(first).toBeGreaterThan(Date.now() + 100_000);
  expect(first).toBeLessThanOrEqual(Date.now() + 151_000);
  const next = world.stranger();
  world.send(next, connect({ clientId: "d", key: "configured:1", keepAlive: 10 }));
  await eventually(() => expect(next.sentBytes).toBeGreaterThan(0));
  expect(world.rings.at(-1)).toBeLessThanOrEqual(Date.now() + 16_000);
  expect(world.endpoint.nextWake()).toBe(Math.min(...world.rings));
});

test("a key has 5,000 connections at most, and who leaves makes room", async () => {
  const clients = await world.clients(MAX_CONNECTIONS_OF_A_KEY);
  const refused = async () => {
    const socket = world.stranger();
    world.send(socket, connect({ clientId: String(world.sockets.length), key: "key:1" }));
    await eventually(() => expect(socket.sentBytes).toBeGreaterThan(0));
    return socket.closed;
  };
  expect([closedOf(clients), await refused(), closedOf([await world.client("key:2")])]).toEqual([0, 1013, 0]);
  await world.endpoint.closed(clients[0] as unknown as WebSocket);
  expect([await refused(), await refused()]).toEqual([undefined, 1013]);
});

test("a key has 5,000 kept sessions at most, connected or not: one more is refused, and the others go on", async () => {
  const kept: Hello = { isClean: false, expiry: 60 };
  const clients = await world.clients(MAX_SESSIONS_OF_A_KEY, "key:1", kept);
  const leaving = clients.slice(0, 10);
  for (const each of leaving) await world.endpoint.closed(each as unknown as WebSocket);
  const codeOf = async (hello: Hello) => {
    const socket = world.stranger();
    world.send(socket, connect({ clientId: `another ${world.sockets.length}`, key: "key:1", ...hello }));
    await eventually(() => expect(socket.sentBytes).toBeGreaterThan(0));
    return socket.last[3];
  };
  const codes = [await codeOf(kept), await codeOf({}), await codeOf({ ...kept, key: "key:2" })];
  expect(codes).toEqual([0x97, 0, 0]);
  // Who has a session comes back to it, and who gives it up makes room.
  expect([await codeOf({ ...kept, clientId: "of many 3" }), await codeOf(kept)]).toEqual([0, 0x97]);
  expect([await codeOf({ clientId: "of many 3" }), await codeOf(kept), await codeOf(kept)]).toEqual([0, 0, 0x97]);
  const before = clients[20]?.sentBytes ?? 0;
  world.send(clients[20] as Socket, packet(0xc0));
  await eventually(() => expect(clients[20]?.sentBytes).toBe(before + 2));
  expect(closedOf(clients)).toBe(0);
});

test("of which processors filters are is asked once for all of a packet", async () => {
  const client = await world.client();
  const filters = Array.from({ length: 99 }, (_, at) => `noema/+/sessions/s-${at}/observed`);
  const wishes = ["noema/#", ...filters].map((filter) => Buffer.concat([text(filter), Buffer.of(1)]));
  world.send(client, packet(0x82, two(1), [0], ...wishes));
  await eventually(() => expect(client.sentBytes).toBeGreaterThan(100));
  expect(world.questions).toBe(1);
});

test("all filters of a packet are kept with the connection at once, and the last ones refused that have no room", async () => {
  const client = await world.client();
  const subscribe = async (filters: readonly string[]) => {
    const { attached, sentBytes } = client;
    const wishes = filters.map((filter) => Buffer.concat([text(filter), Buffer.of(1)]));
    world.send(client, packet(0x82, two(1), [0], ...wishes));
    await eventually(() => expect(client.sentBytes).toBeGreaterThan(sentBytes));
    const { subscriptions } = client.deserializeAttachment() as Attachment;
    const codes = [...client.last.subarray(-filters.length)];
    return { written: client.attached - attached, codes, kept: subscriptions.length };
  };
  const filters = Array.from({ length: 60 }, (_, at) => `noema/+/sessions/s-${at + 10}/observed`);
  expect(await subscribe(filters)).toEqual({ written: 1, codes: Array(60).fill(1), kept: 60 });
  client.mostAttached = JSON.stringify(client.deserializeAttachment()).length;
  const more = [...filters.slice(0, 2), "noema/+/sessions/more/observed", "noema/#"];
  expect(await subscribe(more)).toEqual({ written: 3, codes: [1, 1, 0x97, 0x97], kept: 60 });
  expect(await subscribe(filters)).toEqual({ written: 1, codes: Array(60).fill(1), kept: 60 });
});

test("a processor that is out of reach when a client subscribes is told again, until it was", async () => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => {});
  const settle = () => vi.advanceTimersByTimeAsync(0);
  try {
    const client = world.stranger();
    world.send(client, connect({ clientId: "c" }));
    world.isOutOfReach = true;
    world.send(client, subscribe(5, 1, 1, "noema/P1/observed"));
    await settle();
    expect([world.watches.length, [...world.untold], world.rings.at(-1)]).toEqual([1, ["P1"], Date.now() + 1_000]);
    for (const [afterMs, isOutOfReach, watches] of [
      [500, true, 1],
      [500, true, 2],
      [1_500, true, 2],
      [500, false, 3],
      [60_000, false, 3],
    ] as const) {
      world.isOutOfReach = isOutOfReach;
      vi.setSystemTime(Date.now() + afterMs);
      await world.endpoint.wake();
      await settle();
      expect(world.watches.length).toBe(watches);
    }
    expect([...new Set(world.watches), ...world.untold]).toEqual(["P1 observed"]);
  } finally {
    vi.useRealTimers();
  }
});

test("what a processor is told is newer than what an earlier life told it, though the clock was ahead then", async () => {
  const ahead = Date.now() + 60_000;
  world.revision = ahead;
  const client = await world.client();
  world.send(client, subscribe(5, 1, 1, "noema/P1/observed"));
  await eventually(() => expect(world.revision).toBe(ahead + 1));
  world.send(client, subscribe(5, 2, 1, "noema/P1/learned"));
  await eventually(() => expect(world.watches).toHaveLength(3));
  expect(world.watchRevisions.slice(1)).toEqual([ahead + 1, ahead + 2]);
});

describe("a key that is removed", () => {
  const connackOf = async (key: string) => {
    const socket = world.stranger();
    world.send(socket, connect({ clientId: `of ${key}`, key }));
    await eventually(() => expect(socket.sentBytes).toBeGreaterThan(0));
    return socket.last[3];
  };

  test("is refused from then on, though the gateway still knows it", async () => {
    const client = await world.client("key:1");
    world.removed.add("key:1");
    await world.endpoint.wake();
    expect([client.closed, client.last[0], client.last[2]]).toEqual([1008, 0xe0, 0x87]);
    expect([await connackOf("key:1"), await connackOf("key:2")]).toEqual([0x86, 0]);
  });

  test("is asked for again soon when it could not be asked for, and seldom when it cannot be for long", async () => {
    const client = await world.client("key:1");
    world.removed.add("key:1");
    const waits: number[] = [];
    let isAway = true;
    world.lookUp = () => (isAway ? Promise.reject(new Error("the agent is away")) : undefined);
    vi.spyOn(console, "error").mockImplementation(() => {});
    for (let failures = 0; failures < 6; failures++) {
      await world.endpoint.wake();
      const now = Date.now();
      const next = world.endpoint.nextWake() ?? Number.NaN;
      waits.push(Math.round((next - now) / 1_000));
      vi.spyOn(Date, "now").mockReturnValue(next);
    }
    expect(waits).toEqual([2, 4, 8, 16, 20, 20]);
    expect(client.closed).toBeUndefined();
    isAway = false;
    await world.endpoint.wake();
    expect(client.closed).toBe(1008);
  });

  test("is asked for when the clock was set back", async () => {
    const client = await world.client("key:1");
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
    await world.endpoint.wake();
    world.removed.add("key:1");
    vi.spyOn(Date, "now").mockReturnValue(now + 1_000);
    expect(world.endpoint.nextWake()).toBe(now + 1_000);
    await world.endpoint.wake();
    expect(client.closed).toBe(1008);
  });

  test("ends no connection of a key that came while the keys were looked up", async () => {
    await world.client("key:1");
    const newcomer = world.client("key:2");
    world.lookUp = () => newcomer;
    await world.endpoint.wake();
    expect((await newcomer).closed).toBeUndefined();
  });
});

describe("sleep", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Lets promises go on that wait for nothing. */
  const settle = () => vi.advanceTimersByTimeAsync(0);

  test("an answer to PINGREQ leaves no timer, which would keep the object in memory and be paid for", async () => {
    const client = world.stranger();
    world.send(client, connect({ clientId: "c", key: "key:1" }));
    await settle();
    expect(client.sentBytes).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(vi.getTimerCount()).toBe(0);
    const before = client.sentBytes;
    world.send(client, packet(0xc0));
    await settle();
    expect([client.sentBytes - before, vi.getTimerCount()]).toEqual([2, 0]);
    world.send(client, publish(5, "noema/P1/observe", "a", 1, 1));
    await settle();
    expect(vi.getTimerCount()).toBe(1);
  });

  test("of a part of a packet it stays until the rest comes", async () => {
    const client = world.stranger();
    world.send(client, connect({ clientId: "c", key: "key:1" }));
    await vi.advanceTimersByTimeAsync(6_000);
    world.send(client, Buffer.from([0xc0]));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(1);
    world.send(client, Buffer.from([0]));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
