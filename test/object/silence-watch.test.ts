/** The watch over silent memories, with a clock, an alarm and a store of the test's own. */

import { beforeEach, describe, expect, test } from "vitest";
import { SilenceWatch } from "../../src/object/silence-watch";
import { type LooksAsked, Processor, type SilenceRules, type TellingAsked } from "../../src/processor/processor";
import { withArrival } from "../../src/processor/silence/arrivals";
import { MemoryStore } from "../support/memory-store";
import { memoryChange, plainMemoryState } from "../support/store/rows";

const DAY_MS = 86_400_000;

/** An object with a watch. It can be lost: the store and the alarm stay. */
class Life {
  now = 1_700_000_000_000;
  readonly store = new MemoryStore();
  isSealed = false;
  /** When the alarm rings; `undefined` for never. */
  alarm: number | undefined;
  /** How many memories were read. */
  read = 0;
  watch = this.#born();

  lose(): void {
    this.watch = this.#born();
  }

  alert(name: string, after: number | "expected"): void {
    const alert = { name, when: { kind: "silent" as const, after }, url: "https://a", format: "standard" as const };
    this.store.record({ kind: "alert-put", alert: { ...alert, secret: "s" }, at: this.now });
    this.watch.changed();
  }

  observe(session: string): void {
    const before = this.store.memories.read(session)?.state ?? plainMemoryState();
    const arrivals = withArrival(before.arrivals, this.now, 0);
    const state = plainMemoryState({
      ...before,
      arrivals,
      lastObserved: 1,
      changedAt: this.now,
      time: before.time + 1,
    });
    this.store.record(memoryChange(session, state));
    const rules = Processor.silenceRules(this.store);
    const silences =
      rules && Processor.nextLooks(this.store, rules, { now: this.now, after: undefined, limit: 1e9 }).looks;
    if (rules !== undefined) this.watch.arrived(session, silences?.find((each) => each.session === session)?.at);
  }

  /** Lets time pass, with the alarm. */
  async pass(seconds: number): Promise<void> {
    const end = this.now + 1_000 * seconds;
    while (this.alarm !== undefined && this.alarm <= end) {
      this.now = Math.max(this.now, this.alarm);
      this.alarm = undefined;
      await this.watch.wake();
      const next = this.watch.nextWake();
      if (next !== undefined) this.#ringBy(next);
    }
    this.now = end;
  }

  /** What was told: the alert, the memory, and the second since the beginning. */
  get told(): string[] {
    return this.store.told().map(({ alert, happenedAt, session }) => {
      return `${alert} ${session || "own"} ${Math.round((happenedAt - 1_700_000_000_000) / 1000)}`;
    });
  }

  #ringBy(at: number): void {
    this.alarm = Math.min(at, this.alarm ?? Number.POSITIVE_INFINITY);
  }

  #born(): SilenceWatch {
    const { store } = this;
    const stored = {
      get silenceRules() {
        return Processor.silenceRules(store);
      },
      nextLooks: (rules: SilenceRules, asked: LooksAsked) => {
        this.read += 2;
        return Processor.nextLooks(store, rules, { ...asked, limit: 2 });
      },
      tellSilences: (rules: SilenceRules, asked: TellingAsked) => Processor.tellSilences(store, rules, asked),
    };
    return new SilenceWatch({
      stored,
      alarm: { ringBy: (at) => this.#ringBy(at) },
      isSealed: () => this.isSealed,
      now: () => this.now,
    });
  }
}

let life: Life;

beforeEach(() => {
  life = new Life();
});

describe("silence is told", () => {
  test("once, and again after the next observation, each memory by itself", async () => {
    life.alert("quiet", 60);
    for (const session of ["", "a", "b", "c"]) life.observe(session);
    await life.pass(30);
    life.observe("b");
    await life.pass(300);
    expect(life.told.slice(0, 3).sort()).toEqual(["quiet a 60", "quiet c 60", "quiet own 60"]);
    expect(life.told.slice(3)).toEqual(["quiet b 90"]);
    life.observe("c");
    await life.pass(300);
    expect(life.told.slice(4)).toEqual(["quiet c 390"]);
    expect(life.alarm).toBeUndefined();
  });

  test("of each memory once, however few of them a transaction reads", async () => {
    life.store.mostRows = 2;
    life.alert("quiet", 60);
    const sessions = ["", "a", "b", "c", "d"];
    for (const session of sessions) life.observe(session);
    await life.pass(300);
    expect(life.told.sort()).toEqual(["quiet a 60", "quiet b 60", "quiet c 60", "quiet d 60", "quiet own 60"]);
  });

  test("after the object was lost, in whatever moment, and not twice", async () => {
    life.alert("quiet", 60);
    for (const session of ["", "a", "b"]) life.observe(session);
    await life.pass(10);
    life.lose();
    await life.pass(20);
    life.observe("b");
    life.lose();
    await life.pass(100);
    life.lose();
    await life.pass(100);
    life.alert("quiet", 60);
    await life.pass(100);
    expect(life.told.slice(0, 2).sort()).toEqual(["quiet a 60", "quiet own 60"]);
    expect(life.told.slice(2)).toEqual(["quiet b 90"]);
  });

  test("of memories that are silent when the alert is set, and anew for another condition", async () => {
    life.observe("a");
    await life.pass(100);
    life.alert("quiet", 60);
    await life.pass(10);
    life.alert("quiet", 120);
    await life.pass(100);
    expect(life.told).toEqual(["quiet a 100", "quiet a 120"]);
  });

  test("to each of several alerts at its own time", async () => {
    life.alert("soon", 10);
    life.alert("later", 20);
    life.observe("a");
    await life.pass(100);
    expect(life.told).toEqual(["soon a 10", "later a 20"]);
  });

  test("by what is expected of a memory: twice the longest of 20 gaps, and never before there are 20", async () => {
    life.alert("usual", "expected");
    for (let at = 0; at < 20; at++) {
      life.observe("a");
      if (at < 19) life.observe("b");
      await life.pass(at === 7 ? 30 : 10);
    }
    await life.pass(1_000);
    expect(life.told).toEqual([]);
    life.observe("a");
    // The gap of 1,010 s is the longest now, and its twentieth.
    await life.pass(3_000);
    expect(life.told).toEqual(["usual a 3240"]);
  });

  test("within a second or two of its time, with one alarm a second at most", async () => {
    life.alert("quiet", 1);
    let alarms = 0;
    const { watch } = life;
    const wake = watch.wake.bind(watch);
    watch.wake = () => {
      alarms++;
      return wake();
    };
    for (let at = 0; at < 100; at++) {
      life.observe("a");
      await life.pass(0.1);
    }
    expect([life.told, alarms <= 11]).toEqual([[], true]);
    await life.pass(3);
    expect(life.told).toHaveLength(1);
  });

  test("of many memories, which are read once, and not for each observation", async () => {
    life.alert("quiet", 60);
    for (let at = 0; at < 90; at++) life.observe(`s${at}`);
    life.lose();
    await life.pass(61);
    expect(life.told).toHaveLength(90);
    const { read } = life;
    for (let at = 0; at < 90; at++) life.observe(`s${at}`);
    await life.pass(61);
    expect([life.told.length, life.read]).toEqual([180, read]);
  });

  test("with a clock that was a day ahead when records came: counted from when that is noticed", async () => {
    life.alert("quiet", 60);
    life.now += DAY_MS;
    life.observe("a");
    life.observe("b");
    life.now -= DAY_MS;
    life.lose();
    // A call sees that the alarm is too late.
    life.alarm = Math.min(life.alarm ?? 0, life.watch.latestWake() ?? 0);
    await life.pass(30);
    life.observe("b");
    life.lose();
    await life.pass(300);
    expect(life.told).toEqual(["quiet a 60", "quiet b 90"]);
    await life.pass(2 * 86_400);
    expect(life.told).toHaveLength(2);
  });

  test("with a clock that is set back while the object lives", async () => {
    life.alert("quiet", 60);
    await life.pass(86_400);
    life.observe("a");
    await life.pass(10);
    life.now -= DAY_MS;
    life.alarm = life.watch.latestWake();
    await life.pass(100);
    expect(life.told).toEqual(["quiet a 70"]);
  });

  test("not while a restore is decided, but afterwards", async () => {
    life.alert("quiet", 60);
    life.observe("a");
    life.isSealed = true;
    await life.pass(100);
    expect(life.told).toEqual([]);
    life.isSealed = false;
    await life.pass(10);
    expect(life.told).toHaveLength(1);
  });

  test("not of sessions that have ended, or are over", async () => {
    life.store.record({ kind: "genes", genes: { session_ttl: 50 } });
    life.alert("quiet", 60);
    for (const session of ["", "a", "b"]) life.observe(session);
    life.store.record({ kind: "session-ended", session: "b" });
    await life.pass(100);
    expect(life.told).toEqual(["quiet own 60"]);
  });
});
