/** Wills that are to be published: side by side and bounded, those of a session in their order, none lost. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { REASON } from "../../../src/mqtt/packets/packet";
import { type MqttPort, type Numbered, Refused, type Taken } from "../../../src/mqtt/port";
import { DueWills, MAX_AT_ONCE, MAX_AT_ONCE_OF_A_PROCESSOR, WILLS_A_TURN } from "../../../src/object/mqtt/due-wills";
import type { MqttTables } from "../../../src/store/mqtt/mqtt-tables";

const TAKEN: Taken = { outcomes: [undefined] };
const BUSY: Taken = { outcomes: [], later: new Refused(REASON.serverBusy, "busy", false) };

/** A will for a processor, as a session returns it. */
const willFor = (processorId: string, text = "") =>
  JSON.stringify({ topic: processorId, payload: btoa(text), qos: 1, delayS: 0 });

/** An agent whose processors answer as a test says. */
class World {
  readonly rows = new Map<string, { about: string; will: string }>();
  /** What each processor took, in order. */
  readonly taken: string[] = [];
  /** How many calls are under way to each processor now, and at most. */
  readonly underWay = new Map<string, number>();
  readonly most = new Map<string, number>();
  readonly rings: number[] = [];
  answer: (processorId: string, text: string) => Promise<Taken> = async () => TAKEN;
  wills = this.start();

  /** Begins a life of the object. */
  start(): DueWills {
    const tables = {
      dueWills: () => [...this.rows].map(([source, { about, will }]) => ({ source, about, size: will.length })),
      addDueWill: (source: string, about: string, will: string) => this.rows.set(source, { about, will }),
      dueWill: (source: string) => this.rows.get(source)?.will,
      removeDueWill: (source: string) => this.rows.delete(source),
    } as unknown as MqttTables;
    const port = {
      holder: async (keyRef: string) => ({ keyRef }),
      prepare: async (_: unknown, processorId: string, payload: Uint8Array) => ({ processorId, work: payload }),
      take: (processorId: string, _: string, [one]: readonly Numbered[]) => this.#take(processorId, one as Numbered),
      endSources: async () => {},
    } as unknown as MqttPort;
    this.wills = new DueWills({ tables, port: () => port, ringBy: (at) => this.rings.push(at) });
    return this.wills;
  }

  async #take(processorId: string, { publication }: Numbered): Promise<Taken> {
    const text = new TextDecoder().decode(publication.work as Uint8Array);
    const count = (of: string, by: number) => {
      this.underWay.set(of, (this.underWay.get(of) ?? 0) + by);
      this.most.set(of, Math.max(this.most.get(of) ?? 0, this.underWay.get(of) ?? 0));
    };
    for (const of of [processorId, "all"]) count(of, 1);
    const taken = await this.answer(processorId, text);
    for (const of of [processorId, "all"]) count(of, -1);
    if (taken === TAKEN) this.taken.push(text);
    return taken;
  }

  add(session: string, processorId: string, text: string): void {
    this.wills.add({ id: session, agent: "a", keyRef: "k" }, willFor(processorId, text));
  }

  /** Lets some time go by, in which the alarm rings as it was asked to. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1000) {
      await vi.advanceTimersByTimeAsync(1000);
      this.wills.publish();
    }
    await vi.advanceTimersByTimeAsync(0);
  }
}

let world: World;

beforeEach(() => {
  vi.useFakeTimers();
  world = new World();
});

afterEach(() => vi.useRealTimers());

test("a processor that does not answer holds up its own wills alone, and has a few of them under way", async () => {
  world.answer = (processorId) => (processorId === "P1" ? new Promise(() => {}) : Promise.resolve(TAKEN));
  for (let at = 0; at < 200; at++) world.add(`slow-${at}`, "P1", `slow ${at}`);
  for (let at = 0; at < 50; at++) world.add(`quick-${at}`, "P2", `quick ${at}`);
  await vi.advanceTimersByTimeAsync(100);
  expect(world.taken.toSorted()).toEqual(Array.from({ length: 50 }, (_, at) => `quick ${at}`).toSorted());
  expect(world.most.get("P1")).toBe(MAX_AT_ONCE_OF_A_PROCESSOR);
  expect(world.most.get("P2")).toBeGreaterThan(1);
  // What is under way, and what waits for that, makes no alarm ring again and again.
  expect(world.wills.nextWake()).toBeGreaterThan(Date.now());
  await vi.advanceTimersByTimeAsync(60_000);
  world.wills.publish();
  expect(world.wills.nextWake()).toBeGreaterThan(Date.now());
});

test("of many slow processors, at most the allowed number of wills is under way, and all are taken in the end", async () => {
  world.answer = (processorId) =>
    new Promise((resolve) => setTimeout(() => resolve(TAKEN), processorId === "P0" ? 0 : 2_000));
  for (let at = 0; at < 400; at++) world.add(`s-${at}`, `P${at % 20}`, String(at));
  await world.pass(30_000);
  expect(world.most.get("all")).toBe(MAX_AT_ONCE);
  expect(new Set(world.taken).size).toBe(400);
  expect(world.taken.length).toBe(400);
});

test("very many let the runtime read after a few of them", async () => {
  for (let at = 0; at < 400; at++) world.add(`s-${at}`, `P${at}`, String(at));
  // Everything that needs no timer.
  for (let turn = 0; turn < 20_000; turn++) await Promise.resolve();
  expect(world.taken.length).toBeGreaterThan(0);
  expect(world.taken.length).toBeLessThanOrEqual(WILLS_A_TURN + MAX_AT_ONCE);
  await world.pass(1_000);
  expect(new Set(world.taken).size).toBe(400);
});

test("those of a session are taken in their order, also when the first has to be tried again, and after a start", async () => {
  let refusals = 3;
  world.answer = async (_, text) => (text === "first" && refusals-- > 0 ? BUSY : TAKEN);
  for (const text of ["first", "second", "third"]) world.add("s", "P1", text);
  world.add("other", "P1", "other");
  await vi.advanceTimersByTimeAsync(0);
  expect(world.taken).toEqual(["other"]);
  world.start();
  await world.pass(60_000);
  expect(world.taken.filter((text) => text !== "other")).toEqual(["first", "second", "third"]);
  await world.pass(120_000);
  expect([world.rows.size, world.wills.nextWake()]).toEqual([0, undefined]);
});

test("what an earlier release has stored, without its session, is published", async () => {
  for (const [at, source] of ["b", "a"].entries()) {
    const about = JSON.stringify({ agent: "a", keyRef: "k", since: Date.now() + at });
    world.rows.set(source, { about, will: willFor("P1", source) });
  }
  world.wills.publish();
  await vi.advanceTimersByTimeAsync(0);
  expect(world.taken).toEqual(["b", "a"]);
});
