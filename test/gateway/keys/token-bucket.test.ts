import { describe, expect, it } from "vitest";
import { TokenBucket } from "../../../src/gateway/keys/token-bucket";
import { fc } from "../../support/property";

describe("a token bucket", () => {
  it("holds the requests of a minute, and then lets one through as often as it fills", () => {
    const bucket = new TokenBucket(6);
    const start = 1_800_000_000_000;
    expect(Array.from({ length: 7 }, () => bucket.take(start))).toEqual([0, 0, 0, 0, 0, 0, 10]);
    expect(bucket.take(start + 9_999)).toBe(1);
    expect(bucket.take(start + 10_000)).toBe(0);
    expect(bucket.take(start + 10_000)).toBe(10);
  });

  it("has a request for one that waited as told, however it was asked meanwhile", () => {
    // Tenths of a request do not add up to one in doubles: 0.1 + 0.2 + ... may fall short of what was promised.
    for (const perMinute of [6, 7, 11, 13]) {
      const bucket = new TokenBucket(perMinute);
      let now = 1_800_000_000_000;
      for (let taken = 0; taken < perMinute; taken += 1) bucket.take(now);
      for (let step = 1; step < 2_000; step += 1) {
        now += (step * 37) % 997;
        const wait = bucket.take(now);
        if (wait === 0) continue;
        now += wait * 1000;
        expect(bucket.take(now)).toBe(0);
      }
    }
  });

  it("never lets more through in a minute than twice what it holds, nor keeps one waiting that waited as told", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.array(fc.nat(5_000), { minLength: 50, maxLength: 300 }),
        (perMinute, pauses) => {
          const bucket = new TokenBucket(perMinute);
          let now = 1_800_000_000_000;
          const taken: number[] = [];
          for (const pause of pauses) {
            now += pause;
            const wait = bucket.take(now);
            expect(Number.isSafeInteger(wait) && wait >= 0).toBe(true);
            if (wait === 0) taken.push(now);
            else if (pause % 3 === 0) {
              now += wait * 1000;
              expect(bucket.take(now)).toBe(0);
              taken.push(now);
            }
          }
          for (const first of taken) {
            const within = taken.filter((time) => time >= first && time < first + 60_000).length;
            expect(within).toBeLessThanOrEqual(2 * perMinute);
          }
        },
      ),
    );
  });
});

describe("a clock that jumps", () => {
  it.each([86_400_000, 3_650 * 86_400_000])("by %d ms and back makes no key wait for longer than ever", (ms) => {
    const bucket = new TokenBucket(6);
    const start = 1_800_000_000_000;
    for (const jump of [0, ms, 0, -ms, 0]) {
      for (let taken = 0; taken < 6; taken += 1) bucket.take(start + jump);
      expect(bucket.take(start + jump)).toBe(10);
    }
    expect(bucket.take(start + 10_000)).toBe(0);
  });
});
