import { afterEach, describe, expect, it, vi } from "vitest";
import {
  byteParts,
  MAX_PACE_BYTES,
  MIN_PACE_BYTES,
  PACE_MS,
  REST_WITH_KEY,
  REST_WITHOUT_KEY,
  readRest,
  wholeBytes,
} from "../../../src/gateway/json/body-bytes";
import { HeldBytes, MAX_HELD_OF_A_KEY } from "../../../src/gateway/json/held-bytes";
import { refusalOf } from "../../../src/gateway/refusal";

const TOO_SLOW = "400 the body arrives too slowly; send at least 1024 bytes every 10 s, or end";

afterEach(() => {
  vi.useRealTimers();
});

/** A request whose body brings a part of some bytes each time after a pause, for ever. */
function endless(bytes: number, pauseMs: number, headers: Record<string, string> = {}) {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      sent += bytes;
      controller.enqueue(new Uint8Array(bytes));
    },
  });
  const request = new Request("http://x/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
  return { request, sent: () => sent };
}

async function outcome(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
  } catch (reason) {
    const { http, message } = refusalOf(reason);
    return `${http} ${message}`;
  }
  return "read";
}

describe("a body", () => {
  it.each([
    ["stops in the middle", {}],
    ["is shorter than it declares", { "content-length": "40" }],
  ])("that %s is refused after a while", async (_, headers) => {
    vi.useFakeTimers();
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(3)) });
    const request = new Request("http://x/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
    const reading = outcome(wholeBytes(request, 100));
    await vi.advanceTimersByTimeAsync(PACE_MS - 1);
    expect(await Promise.race([reading, "waiting"])).toBe("waiting");
    await vi.advanceTimersByTimeAsync(2);
    expect(await reading).toBe(TOO_SLOW);
  });

  it("is read no longer when the clock is set back meanwhile", async () => {
    vi.useFakeTimers();
    const trickle = outcome(wholeBytes(endless(10, 300).request, 100_000));
    const rest = Promise.resolve(readRest(endless(10, 300).request, REST_WITHOUT_KEY)).then(() => "over");
    await vi.advanceTimersByTimeAsync(400);
    vi.setSystemTime(Date.now() - 86_400_000);
    await vi.advanceTimersByTimeAsync(REST_WITHOUT_KEY.ms + 400);
    expect(await Promise.race([rest, "reads on"])).toBe("over");
    await vi.advanceTimersByTimeAsync(PACE_MS);
    expect(await Promise.race([trickle, "reads on"])).toBe(TOO_SLOW);
  });

  it("that trickles is refused, and one that comes slowly but steadily is not", async () => {
    vi.useFakeTimers();
    const trickle = outcome(wholeBytes(endless(10, 1000).request, 100_000));
    await vi.advanceTimersByTimeAsync(PACE_MS + 1000);
    expect(await Promise.race([trickle, "waiting"])).toBe(TOO_SLOW);
    const steady = outcome(wholeBytes(endless(MIN_PACE_BYTES, PACE_MS - 1000).request, 100_000));
    await vi.advanceTimersByTimeAsync(5 * PACE_MS);
    expect(await Promise.race([steady, "waiting"])).toBe("waiting");
  });

  it("must bring an eighth of what has come, so that a large one ends in time", async () => {
    vi.useFakeTimers();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent >= 8_000_000) await new Promise((resolve) => setTimeout(resolve, 1000));
        const bytes = sent < 8_000_000 ? 100_000 : MIN_PACE_BYTES;
        sent += bytes;
        controller.enqueue(new Uint8Array(bytes));
      },
    });
    const request = new Request("http://x/", { method: "POST", body, duplex: "half" } as RequestInit);
    const reading = outcome(wholeBytes(request, 25 * 1024 * 1024));
    await vi.advanceTimersByTimeAsync(PACE_MS + 2000);
    expect(await Promise.race([reading, "waiting"])).toBe(
      `400 the body arrives too slowly; send at least ${MAX_PACE_BYTES} bytes every 10 s, or end`,
    );
  });

  it("that may not hold more holds nothing any more while its rest is read", async () => {
    const all = new HeldBytes();
    all.body("k").hold(MAX_HELD_OF_A_KEY - 100_000);
    const held = all.body("k");
    let most = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        most = Math.max(most, held.bytes);
        if (all.total > MAX_HELD_OF_A_KEY - 100_000 || most === 0) controller.enqueue(new Uint8Array(5000));
        else controller.close();
      },
    });
    const request = new Request("http://x/", { method: "POST", body, duplex: "half" } as RequestInit);
    expect(await outcome(wholeBytes(request, 1_000_000, () => held))).toMatch(
      /^429 the bodies that this key is sending/,
    );
    expect([most > 40_000, all.total]).toEqual([true, MAX_HELD_OF_A_KEY - 100_000]);
  });

  it("does not pay for the time in which it is not read", async () => {
    vi.useFakeTimers();
    const parts = byteParts(endless(10, 0).request, 100_000);
    for (let i = 0; i < 5; i++) {
      expect((await parts.next()).value).toHaveLength(10);
      await vi.advanceTimersByTimeAsync(PACE_MS);
    }
  });

  it("without end is read as far as the limit and little more", async () => {
    const { request, sent } = endless(1024 * 1024, 0);
    const limit = 25 * 1024 * 1024;
    expect(await outcome(wholeBytes(request, limit))).toBe(
      `413 the body has more than ${limit} bytes; at most ${limit} are accepted`,
    );
    expect(sent()).toBeLessThan(REST_WITH_KEY.bytes + 3 * 1024 * 1024);
  });

  it("that is not wanted is read as far as its limits in bytes and in time", async () => {
    const { request, sent } = endless(64 * 1024, 0);
    await readRest(request, REST_WITHOUT_KEY);
    expect(sent()).toBeLessThan(REST_WITHOUT_KEY.bytes + 4 * 64 * 1024);
    vi.useFakeTimers();
    const slow = Promise.resolve(readRest(endless(10, 300).request, REST_WITHOUT_KEY)).then(() => "over");
    await vi.advanceTimersByTimeAsync(REST_WITHOUT_KEY.ms + 1);
    expect(await Promise.race([slow, "waiting"])).toBe("over");
  });
});
