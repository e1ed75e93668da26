/** What clients hear, and what waits for them: found without a look at the others, in turns, and bounded together. */

import { describe, expect, test } from "vitest";
import type { MqttPort } from "../../../src/mqtt/port";
import { MIN_COUNTING_RUN } from "../../../src/mqtt/session/inbox";
import { ENTRY_BYTES } from "../../../src/mqtt/session/outbox";
import { SharedPayload } from "../../../src/mqtt/session/shared-payload";
import { EVENT_NAMES } from "../../../src/mqtt/topics";
import { Hearing, MAX_QUEUED_BYTES_OF_AGENT } from "../../../src/object/mqtt/hearing";
import { KeptQueues } from "../../../src/object/mqtt/kept-queues";
import {
  MAX_SUBSCRIBED_BYTES,
  MAX_SUBSCRIBED_BYTES_OF_A_KEY,
  MAX_UNDER_WAY_OF_A_KEY,
  MAX_WILL_BYTES_OF_A_KEY,
  type Peer,
  Session,
  SessionBudgets,
  SUBSCRIPTION_BYTES,
} from "../../../src/object/mqtt/session";
import { type Occasion, SubscriptionIndex } from "../../../src/object/mqtt/subscription-index";
import type { MqttTables } from "../../../src/store/mqtt/mqtt-tables";
import { Random } from "../../support/random";

/** Tables that keep nothing, and say what was stored. */
function fakeTables() {
  const wills = new Map<string, string>();
  const written: string[] = [];
  const fake = {
    putSession: () => written.push("session"),
    putInbox: () => written.push("inbox"),
    removeSession: () => written.push("no session"),
    addMessage: () => {},
    removeMessage: () => {},
    addPayload: () => written.push("payload"),
    removePayload: () => written.push("no payload"),
    releaseMessage: () => {},
    putWill: (id: string, will: string) => wills.set(id, will),
    will: (id: string) => wills.get(id),
    removeWill: (id: string) => wills.delete(id),
  };
  return { tables: fake as unknown as MqttTables, wills, written };
}

function sessionOf(clientId: string, filters: readonly string[], given: Partial<Parts> = {}): Session {
  const {
    keyRef = "key:1",
    qos = 1,
    budgets = new SessionBudgets(),
    tables = fakeTables().tables,
    expiryS = 60,
    queues = new KeptQueues(tables),
  } = given;
  const subscriptions = filters.map((filter) => ({
    filter,
    qos,
    isRetainAsPublished: false,
    subscriptionId: undefined,
  }));
  const about = { agent: "a", keyRef, clientId, source: clientId, expiryS, subscriptions, processors: [] };
  return new Session(Session.idOf(keyRef, clientId), about, { tables, budgets, queues });
}

interface Parts {
  keyRef: string;
  qos: 0 | 1 | 2;
  budgets: SessionBudgets;
  tables: MqttTables;
  expiryS: number;
  queues: KeptQueues;
}

/** A gateway that knows a processor, and to whose keys everything is open. */
const PORT = {
  nameOf: async () => "press",
  holder: async (keyRef: string) => ({ keyRef }),
  mayHear: () => true,
  forecast: async () => "{}",
} as unknown as MqttPort;

function hearingOf(sessions: readonly Session[], budgets = new SessionBudgets()): Hearing {
  const hearing = new Hearing(
    () => sessions,
    () => PORT,
    budgets.queued,
    {} as never,
  );
  for (const session of sessions) hearing.joined(session);
  return hearing;
}

const observed = (text: string, session = "") => ({ kind: "observed", session, text });

describe("queues", () => {
  /** How many bytes the queues take, a payload once. */
  const heldBy = (sessions: readonly Session[]) => {
    const payloads = new Set<SharedPayload>();
    let bytes = 0;
    for (const { topic, payload } of sessions.flatMap(({ outbox }) => outbox.messages())) {
      bytes += ENTRY_BYTES + topic.length;
      payloads.add(payload);
    }
    return [...payloads].reduce((sum, payload) => sum + payload.bytes.length, bytes);
  };

  test("together they take 16 MiB at most: the oldest of the longest make room, and short ones stay", async () => {
    const budgets = new SessionBudgets();
    const large = Array.from({ length: 40 }, (_, at) =>
      sessionOf(`large-${at}`, [`noema/P${at}/observed`], { budgets }),
    );
    const small = sessionOf("small", ["noema/P1/sessions/s/observed"], { budgets });
    const hearing = hearingOf([...large, small], budgets);
    await hearing.tell("P1", [observed("small", "s")]);
    for (let round = 0; round < 20; round++) {
      for (let at = 0; at < 40; at++) await hearing.tell(`P${at}`, [observed(`${round} ${"x".repeat(50_000)}`)]);
      expect(heldBy([...large, small])).toBeLessThanOrEqual(MAX_QUEUED_BYTES_OF_AGENT);
      expect(budgets.queued.held).toBe(heldBy([...large, small]));
    }
    expect(budgets.queued.held).toBeGreaterThan(MAX_QUEUED_BYTES_OF_AGENT / 2);
    expect(small.outbox.size).toBe(1);
    for (const { outbox } of large) expect(outbox.size).toBeGreaterThan(2);
    const newest = large[0]?.outbox;
    let last = "";
    for (let next = newest?.next(); next !== undefined; next = newest?.next()) {
      last = new TextDecoder().decode(next.message.payload.bytes).slice(0, 2);
    }
    expect(last).toBe("19");
    for (const session of [...large, small]) session.end();
    expect(budgets.queued.held).toBe(0);
  });

  test("what many hear counts once, and makes room only when none has it any more", async () => {
    const budgets = new SessionBudgets();
    const all = Array.from({ length: 300 }, (_, at) => sessionOf(`s-${at}`, ["noema/+/observed"], { budgets }));
    const hearing = hearingOf(all, budgets);
    // As much as each may have by itself, and nearly 300 MiB if it counted for each.
    for (let round = 0; round < 10; round++) await hearing.tell("P1", [observed("x".repeat(100_000))]);
    expect(all.map(({ outbox }) => outbox.size)).toEqual(Array(300).fill(10));
    expect(budgets.queued.held).toBe(heldBy(all));
    expect(budgets.queued.held).toBeLessThan(10 * 100_000 + 3000 * (ENTRY_BYTES + 50));
  });

  test("each hears a part of what others do: all together they still take 16 MiB at most", async () => {
    const budgets = new SessionBudgets();
    const all = Array.from({ length: 60 }, (_, at) =>
      sessionOf(`s-${at}`, [`noema/P${at}/observed`, `noema/P${at + 1}/observed`], { budgets }),
    );
    const hearing = hearingOf(all, budgets);
    for (let at = 0; at <= 60; at++) await hearing.tell(`P${at}`, [observed("x".repeat(500_000))]);
    expect(budgets.queued.held).toBe(heldBy(all));
    expect(budgets.queued.held).toBeLessThanOrEqual(MAX_QUEUED_BYTES_OF_AGENT);
    expect(budgets.queued.held).toBeGreaterThan(MAX_QUEUED_BYTES_OF_AGENT / 4);
  });

  test("of many short messages, what each takes besides its bytes counts", async () => {
    const budgets = new SessionBudgets();
    const sessions = Array.from({ length: 90 }, (_, at) => sessionOf(`s-${at}`, ["noema/+/observed"], { budgets }));
    const payload = new SharedPayload(new Uint8Array(1));
    const message = { topic: "", payload, qos: 1, isRetained: false, subscriptionIds: [] } as const;
    for (const { outbox } of sessions) for (let at = 0; at < 800; at++) outbox.add(message);
    await hearingOf(sessions, budgets).tell("P1", [observed("x")]);
    const count = sessions.reduce((sum, { outbox }) => sum + outbox.size, 0);
    expect(count * ENTRY_BYTES).toBeLessThanOrEqual(MAX_QUEUED_BYTES_OF_AGENT);
    expect(count * ENTRY_BYTES).toBeGreaterThan(MAX_QUEUED_BYTES_OF_AGENT / 2);
  });
});

test("others get turns while 2,000 clients are told of 20 events", async () => {
  const heard: number[] = [];
  const sessions = Array.from({ length: 2000 }, (_, at) => {
    const session = sessionOf(`s-${at}`, ["noema/+/observed", "noema/P1/+"], { qos: 0 });
    session.connection = { sendOnce: () => heard.push(at) } as unknown as Peer;
    return session;
  });
  const hearing = hearingOf(sessions);
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  await hearing.tell(
    "P1",
    Array.from({ length: 20 }, (_, at) => observed(String(at))),
  );
  clearInterval(others);
  // With the forecasts that were made meanwhile.
  expect(heard.length).toBeGreaterThanOrEqual(2000 * 20);
  expect(turns).toBeGreaterThanOrEqual(40);
});

test("a session that ends while others have their turn hears no more, and nothing of it is stored again", async () => {
  const { tables, written } = fakeTables();
  const queues = new KeptQueues(tables);
  const sessions = Array.from({ length: 600 }, (_, at) =>
    sessionOf(`s-${at}`, ["noema/P1/observed"], { tables, queues }),
  );
  const hearing = hearingOf(sessions);
  const telling = hearing.tell("P1", [observed("x")]);
  await new Promise((resolve) => setTimeout(resolve));
  const last = sessions.at(-1) as Session;
  hearing.left(last);
  last.end();
  last.save();
  await telling;
  expect([last.outbox.size, sessions[0]?.outbox.size]).toEqual([0, 1]);
  expect(written).toEqual(["payload"]);
});

describe("an event that kept sessions hear, and one that is stored for its will alone", () => {
  const FILTERS = ["noema/P1/observed"];
  const will = { topic: "t", payload: new Uint8Array(1), qos: 1, delayS: 0 } as const;

  async function heard() {
    const { tables, written } = fakeTables();
    const queues = new KeptQueues(tables);
    const kept = sessionOf("kept", FILTERS, { tables, queues });
    const other = sessionOf("other", FILTERS, { tables, queues });
    const passing = sessionOf("passing", FILTERS, { tables, queues, expiryS: 0 });
    passing.connection = { pump: () => {} } as unknown as Peer;
    passing.will = will;
    for (const session of [kept, other, passing]) session.save();
    await hearingOf([kept, other, passing]).tell("P1", [observed("x")]);
    written.length = 0;
    return { kept, other, passing, written };
  }

  test("stays stored for each kept one when the passing one ends", async () => {
    const { kept, other, passing, written } = await heard();
    passing.end();
    kept.end();
    expect(written).toEqual(["no session", "no session"]);
    other.end();
    expect(written.slice(2)).toEqual(["no session", "no payload"]);
  });

  test("is stored no longer once none of them is kept any more", async () => {
    const { kept, other, passing, written } = await heard();
    kept.expiryS = 0;
    expect(written).toEqual([]);
    other.expiryS = 0;
    expect(written).toEqual(["no payload"]);
    for (const session of [kept, other, passing]) session.end();
    expect(written.slice(1)).toEqual(["no session", "no session", "no session"]);
  });

  test("is stored for the passing one when that is kept from then on", async () => {
    const { kept, other, passing, written } = await heard();
    passing.expiryS = 60;
    for (const session of [kept, other]) session.end();
    expect(written).toEqual(["session", "no session", "no session"]);
    passing.end();
    expect(written.slice(3)).toEqual(["no session", "no payload"]);
  });
});

describe("the index", () => {
  const PROCESSORS: readonly (readonly [string, string | undefined])[] = [
    ["P1", "press"],
    ["P2", undefined],
    ["P2", "P2"],
  ];
  const NAMES = ["P1", "press", "P2", "other", "a/b"];
  const filterFrom = (random: Random) => {
    const level = (names: readonly string[]) => (random.below(3) === 0 ? "+" : encodeURIComponent(random.pick(names)));
    const event = random.below(4) === 0 ? "#" : level(EVENT_NAMES);
    if (random.below(8) === 0) return "noema/#";
    return random.below(2) === 0
      ? `noema/${level(NAMES)}/${event}`
      : `noema/${level(NAMES)}/sessions/${level(["s", "t"])}/${event}`;
  };

  /** The parts of its subscriptions that are about a processor. */
  const partsOf = ({ subscriptions }: Session, [id, name]: readonly [string, string | undefined]) =>
    [...subscriptions.values()].flatMap(({ asked: { own, sessions }, order }) =>
      [own, sessions].flatMap((part, at) => {
        const isMeant = part !== null && [null, id, name].includes(part.processor);
        return isMeant ? [{ ...part, isOwn: at === 0, order }] : [];
      }),
    );

  const wanted = (session: Session, { processorId, name, session: memory, event }: Occasion) =>
    partsOf(session, [processorId, name])
      .filter(({ isOwn, events }) => isOwn === (memory === "") && events.includes(event))
      .filter((part) => part.session === null || part.session === memory)
      .map(({ order }) => order)
      .sort((one, other) => one - other);

  function subscribeAtRandom(index: SubscriptionIndex, session: Session, random: Random): void {
    const filter = filterFrom(random);
    const before = session.unsubscribe(filter);
    if (before !== undefined) index.remove(session, before);
    if (before !== undefined && random.below(2) === 0) return;
    const after = session.subscribe({ filter, qos: 1, isRetainAsPublished: false, subscriptionId: undefined });
    if (after !== undefined) index.add(session, after);
  }

  test("finds what a look at all subscriptions finds, in their order", () => {
    const random = new Random(7);
    const index = new SubscriptionIndex();
    const sessions = Array.from({ length: 30 }, (_, at) => sessionOf(`s-${at}`, []));
    for (let step = 0; step < 600; step++) subscribeAtRandom(index, random.pick(sessions), random);
    for (let step = 0; step < 100; step++) {
      const [processorId, name] = random.pick(PROCESSORS);
      const occasion = { processorId, name, session: random.pick(["", "s", "u"]), event: random.pick(EVENT_NAMES) };
      const listeners = index.listenersTo(occasion);
      const found = listeners.sessions();
      expect(new Set(found)).toEqual(new Set(sessions.filter((session) => wanted(session, occasion).length > 0)));
      expect(listeners.isAny).toBe(found.length > 0);
      for (const session of found) {
        expect(listeners.heardBy(session).map(({ order }) => order)).toEqual(wanted(session, occasion));
      }
      const kinds = sessions.flatMap((session) =>
        partsOf(session, [processorId, name]).flatMap(({ events }) => events),
      );
      expect(index.kindsOf(processorId, name)).toEqual([...new Set(kinds)].sort());
    }
    for (const session of sessions) index.leave(session);
    expect(index.kindsOf("P1", "press")).toEqual([]);
    for (const event of EVENT_NAMES) {
      expect(index.listenersTo({ processorId: "P1", name: "press", session: "s", event }).isAny).toBe(false);
    }
  });
});

describe("what all sessions have together", () => {
  test("subscriptions: a key has half at most, and what ends is free again", () => {
    const budgets = new SessionBudgets();
    const filter = `noema/${"P".repeat(8000)}/observed`;
    const each = SUBSCRIPTION_BYTES + filter.length;
    const room = (keyRef: string) => sessionOf("asks", [], { budgets, keyRef }).mayHear(filter);
    const ofAKey = Math.floor(MAX_SUBSCRIBED_BYTES_OF_A_KEY / each);
    const fill = (keyRef: string) =>
      Array.from({ length: ofAKey }, (_, at) => sessionOf(`${at}`, [filter], { budgets, keyRef }));
    const first = fill("key:1");
    expect([room("key:1"), room("key:2")]).toEqual([false, true]);
    fill("key:2");
    expect(2 * ofAKey * each).toBeLessThanOrEqual(MAX_SUBSCRIBED_BYTES);
    expect([room("key:2"), room("key:3")]).toEqual([false, 2 * (ofAKey + 1) * each <= MAX_SUBSCRIBED_BYTES + each]);
    first[0]?.end();
    expect([room("key:1"), room("key:2"), room("key:3")]).toEqual([true, false, true]);
  });

  test("wills: in memory there is their size alone, and their bytes are bounded", () => {
    const budgets = new SessionBudgets();
    const { tables, wills } = fakeTables();
    const will = { topic: "t", payload: new Uint8Array(49_152), qos: 1, delayS: 3 } as const;
    const sessions: Session[] = [];
    for (;;) {
      const session = sessionOf(`${sessions.length}`, [], { budgets, tables });
      if (!session.hasRoomFor(will)) break;
      session.will = will;
      sessions.push(session);
    }
    const stored = [...wills.values()].reduce((sum, { length }) => sum + length, 0);
    expect(stored).toBeLessThanOrEqual(MAX_WILL_BYTES_OF_A_KEY);
    expect(stored).toBeGreaterThan(MAX_WILL_BYTES_OF_A_KEY - 66_000);
    const [first, second] = sessions as [Session, Session];
    expect(first.willDelayS).toBe(3);
    expect(first.hasRoomFor(will)).toBe(true);
    expect(JSON.parse(first.takeWill() ?? "")).toEqual({ ...will, payload: "A".repeat(65_536) });
    expect([first.willDelayS, first.takeWill(), wills.has(first.id)]).toEqual([undefined, undefined, false]);
    expect(sessionOf("next", [], { budgets }).hasRoomFor(will)).toBe(true);
    second.end();
    expect(wills.has(second.id)).toBe(false);
  });

  test("messages under way: of a key's clients 32,768 at most, and what is finished is free again", () => {
    const budgets = new SessionBudgets();
    const sessions = Array.from({ length: 128 }, (_, at) => sessionOf(`${at}`, [], { budgets }));
    for (const session of sessions) {
      for (let id = 1; id <= 256; id++) {
        if (session.mayTakeMore) session.inbox.begin(id, 2, "place", id);
        session.inbox.done(id);
      }
      expect(session.inbox.size).toBe(256);
      session.save();
    }
    expect(sessions.length * 256).toBe(MAX_UNDER_WAY_OF_A_KEY);
    expect(sessionOf("next", [], { budgets }).mayTakeMore).toBe(false);
    expect(sessionOf("next", [], { budgets, keyRef: "key:2" }).mayTakeMore).toBe(true);
    // The place of a message that has done its work is nowhere any more.
    expect(JSON.stringify(sessions[0]?.inbox.stored())).not.toContain("place");
    sessions[0]?.inbox.finish(1);
    sessions[0]?.save();
    expect(sessionOf("next", [], { budgets }).mayTakeMore).toBe(true);
  });
});

test("what a client that counts its packet identifiers publishes with QoS 1 is stored late", () => {
  const session = sessionOf("s", [], { tables: fakeTables().tables });
  session.expiryS = 60;
  let before = 0;
  const publish = (id: number) => {
    session.inbox.begin(id, 1, "place", id);
    if (!session.maySaveLate) {
      before++;
      session.save();
    }
    session.inbox.finish(id);
  };
  for (let id = 1; id <= MIN_COUNTING_RUN; id++) publish(id);
  expect(before).toBe(MIN_COUNTING_RUN);
  for (let id = 1; id <= 100; id++) publish(MIN_COUNTING_RUN + id);
  expect(before).toBe(MIN_COUNTING_RUN);
  expect(session.maySaveLate).toBe(true);
  publish(MIN_COUNTING_RUN + 200);
  expect(before).toBe(MIN_COUNTING_RUN + 1);
  // Nothing is foreseen of a client that is away: no memory is asked when it comes back.
  session.endedAt = 5;
  session.save();
  expect(session.inbox.stored()).toHaveLength(2);
});

test("of a kept session only what has changed is written", () => {
  const { tables, written } = fakeTables();
  const session = sessionOf("s", [], { tables });
  session.save();
  session.save();
  session.expiryS = 60;
  session.endedAt = undefined;
  session.save();
  expect(written.splice(0)).toEqual(["session"]);
  session.inbox.begin(1, 1, "place", 1);
  session.save();
  session.inbox.finish(1);
  session.save();
  expect(written.splice(0)).toEqual(["inbox", "inbox"]);
  session.subscribe({ filter: "noema/#", qos: 1, isRetainAsPublished: false, subscriptionId: undefined });
  session.save();
  session.endedAt = 5;
  session.save();
  session.publishesTo("P1");
  session.publishesTo("P1");
  session.save();
  session.save();
  expect(written.splice(0)).toEqual(["session", "session", "session"]);
});
