/**
 * Messages of a kept session take effect as their quality of service says, in order, whatever is lost: packets, kills of
 * the server and new connections come in any order, and a simple model of client, server and memory says what must be.
 */

import { expect, test } from "vitest";
import { digestOf, Inbox, MAX_UNDER_WAY, type StoredInbox } from "../../../src/mqtt/session/inbox";
import { Random } from "../../support/random";

/** A memory that takes each number of a source once. */
class Memory {
  last = 0;
  closed = 0;
  readonly effects: string[] = [];

  take(number: number, payload: string): void {
    if (number <= this.closed) return;
    this.last = number;
    this.closed = number;
    this.effects.push(payload);
  }

  settle(fence: number): number {
    this.closed = Math.max(this.closed, fence);
    return this.last;
  }
}

/** What the client sends, and what it still waits for. */
interface Sent {
  readonly id: number;
  readonly payload: string;
  readonly qos: 1 | 2;
  state: "new" | "sent" | "released";
}

const PLACES = ["A", "B"];

/** After how many messages in a row the client is one that counts its identifiers: it begins anew after 12. */
const COUNTS = 4;

/** One run: a client publishes to two memories, and anything is lost. */
class World {
  readonly memories = new Map(PLACES.map((place) => [place, new Memory()]));
  readonly published = new Map(PLACES.map((place) => [place, [] as string[]]));
  readonly #random: Random;
  #disk: StoredInbox | undefined;
  #inbox = new Inbox(undefined, COUNTS);
  /** At which revision and change of the inbox it was stored. */
  #stored = { revision: 0, changes: 0 };
  /** How many messages have done their work without a store before. */
  foreseen = 0;
  #sent: Sent[] = [];
  #id = 0;
  #count = 0;
  /** Calls that a lost server has made, and that have not come to their memory. */
  #stragglers: (() => void)[] = [];
  readonly #qos: readonly (1 | 2)[];
  readonly #places: readonly string[];

  constructor(seed: number, qos: readonly (1 | 2)[], places: readonly string[]) {
    this.#random = new Random(seed);
    this.#qos = qos;
    this.#places = places;
  }

  get waits(): boolean {
    return this.#sent.length > 0;
  }

  /** The client publishes something new. */
  publish(): void {
    if (this.#sent.length >= 8) return;
    do this.#id = (this.#id % 12) + 1;
    while (this.#sent.some(({ id }) => id === this.#id));
    const place = this.#places[this.#random.below(this.#places.length)] ?? "A";
    const payload = `${place}${++this.#count}`;
    this.published.get(place)?.push(payload);
    const qos = this.#qos[this.#random.below(this.#qos.length)] ?? 1;
    this.#sent.push({ id: this.#id, payload, qos, state: "new" });
  }

  /** The server does one packet; it may be lost at each of its steps. @returns false when it was lost */
  step(mayBeLost: boolean): boolean {
    // PUBREL may come at any time; messages keep their order, and those that were sent before come first.
    const released = this.#sent.filter(({ state }) => state === "released");
    const first = this.#sent.find(({ state }) => state !== "released");
    const next = released.length > 0 && (first === undefined || this.#random.below(2) === 0) ? released[0] : first;
    const isLost = () => mayBeLost && this.#random.below(8) === 0;
    if (next === undefined) return true;
    return next.state === "released" ? this.#release(next, isLost) : this.#message(next, isLost);
  }

  #release(next: Sent, isLost: () => boolean): boolean {
    this.#inbox.finish(next.id);
    this.#storeBefore();
    if (isLost()) return this.kill();
    this.#sent.splice(this.#sent.indexOf(next), 1);
    return true;
  }

  #message(next: Sent, isLost: () => boolean): boolean {
    const place = next.payload.slice(0, 1);
    const isRepeated = next.state === "sent";
    next.state = "sent";
    if (isLost()) return this.kill();
    const digest = digestOf(place, Buffer.from(next.payload));
    const arrival = this.#inbox.arrive(next.id, next.qos, isRepeated, () => digest);
    if (arrival === "new") {
      const number = this.#inbox.begin(next.id, next.qos, place, digest) ?? 0;
      expect(number).toBeGreaterThan(0);
      if (!this.#storeBefore()) this.foreseen++;
      if (isLost()) return this.kill();
      const take = () => this.memories.get(place)?.take(number, next.payload);
      if (isLost()) {
        this.#stragglers.push(take);
        return this.kill();
      }
      take();
      if (isLost()) return this.kill();
      this.#inbox.done(next.id);
    }
    expect(["done", "new"]).toContain(arrival);
    if (isLost()) return this.kill();
    if (next.qos === 1) {
      // The client has PUBACK.
      this.#sent.splice(this.#sent.indexOf(next), 1);
      this.#inbox.finish(next.id);
      this.storeLater(!this.#inbox.isCounted);
    } else next.state = "released";
    return true;
  }

  /** The server is lost, comes back with what is on disk, and the client connects again. */
  kill(): false {
    // What a lost server has sent may come at any time: before the next one asks, or later.
    const late = this.#stragglers;
    this.#stragglers = [];
    for (const call of late) {
      if (this.#random.below(2) === 0) call();
      else this.#stragglers.push(call);
    }
    // It may be lost again while it asks.
    do {
      this.#inbox = new Inbox(this.#disk, COUNTS);
      const places = this.#inbox.unsettled();
      const fence = this.#inbox.next();
      this.#store(false);
      for (const place of places) this.#inbox.settle(place, this.memories.get(place)?.settle(fence) ?? 0);
    } while (this.#random.below(4) === 0);
    this.#store(true);
    for (const call of this.#stragglers) call();
    this.#stragglers = [];
    return false;
  }

  /** Stores what must be before anything happens. @returns whether that was anything */
  #storeBefore(): boolean {
    const isNeeded = this.#inbox.revision !== this.#stored.revision;
    if (isNeeded) this.#store(true);
    return isNeeded;
  }

  /** Stores what has happened. @param isNow whether now, and not only what may not wait */
  storeLater(isNow: boolean): void {
    if (isNow && this.#inbox.changes !== this.#stored.changes) this.#store(true);
    else this.#storeBefore();
  }

  #store(isAhead: boolean): void {
    const { revision, changes } = this.#inbox;
    this.#stored = { revision, changes };
    this.#disk = JSON.parse(JSON.stringify(this.#inbox.stored(isAhead))) as StoredInbox;
  }
}

const RUNS = 400;
const STEPS = 120;

function run(seed: number, qos: readonly (1 | 2)[], places: readonly string[]): World {
  const world = new World(seed, qos, places);
  const random = new Random(seed + 1_000_000);
  for (let at = 0; at < STEPS; at++) {
    const what = random.below(20);
    if (what < 8) world.publish();
    else if (what === 18) world.storeLater(true);
    else if (what === 19) world.kill();
    else world.step(true);
  }
  while (world.waits) world.step(false);
  return world;
}

test.each([
  // Here, the client always has an acknowledgement that was sent: so QoS 1 has each message once, too.
  { qos: [2], places: PLACES, foreseen: 0 },
  { qos: [1], places: PLACES, foreseen: 300 },
  { qos: [1], places: ["A"], foreseen: 300 },
  { qos: [1, 1, 1, 2], places: ["A"], foreseen: 300 },
] as const)("of QoS $qos for $places each message is there once, in order", ({ qos, places, foreseen }) => {
  let unstored = 0;
  for (let seed = 0; seed < RUNS; seed++) {
    const world = run(seed, qos, places);
    const { memories, published } = world;
    for (const place of PLACES) expect(memories.get(place)?.effects, `seed ${seed}`).toEqual(published.get(place));
    unstored += world.foreseen;
  }
  expect(unstored).toBeGreaterThanOrEqual(foreseen);
});

test("what a client never repeats takes no place of what it sends next", () => {
  const inbox = new Inbox();
  for (let restart = 0; restart < 300; restart++) {
    // A client that began anew, and knows nothing of what it had under way.
    const id = 1 + restart * 7;
    expect(inbox.begin(id, 1, "A", restart)).toBe(restart + 1);
    inbox.done(id);
  }
  expect(inbox.size).toBeLessThan(MAX_UNDER_WAY);
});
