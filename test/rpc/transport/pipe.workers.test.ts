/** Calls over a pipe: when they take it, what it carries, and what becomes of them when an end is lost. */

import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { TakePublicationsRequestSchema } from "../../../src/gen/noema/v1/publication_service_pb";
import { messageToBytes } from "../../../src/rpc/transport/message-bytes";
import {
  answerPipe,
  CALLS_UNTIL_PIPE,
  MAX_PIPED_BYTES,
  PAUSE_MS,
  type PipedObject,
  Pipes,
} from "../../../src/rpc/transport/pipe";
import type { UnaryCall, UnaryReply } from "../../../src/rpc/transport/unary";
import { eventually } from "../../support/eventually";
import { stubOf } from "../../support/object/agents";

const PATH = "/noema.v1.PublicationService/TakePublications";
const OTHER = "/noema.v1.MemoryService/Observe";

type Answer = (body: Uint8Array, call: UnaryCall | undefined) => UnaryReply | Promise<UnaryReply>;

const echo: Answer = (body, call) => new Uint8Array([...body, ...new TextEncoder().encode(call?.keyId ?? "")]);

/** An object that counts how it is called, and the clock by which its pipe opens and closes. */
function objectWith(answer: Answer) {
  const counts = { native: 0, piped: 0, opened: 0 };
  const clock = { now: 1_000_000 };
  const object = {
    unary: async (_: string, body: Uint8Array, call?: UnaryCall) => {
      counts.native++;
      return answer(body, call);
    },
    fetch: async () => {
      counts.opened++;
      return answerPipe((body, call) => {
        counts.piped++;
        return answer(body, call);
      });
    },
  };
  const pipes = new Pipes(PATH, () => clock.now);
  const call = (body: Uint8Array, about?: UnaryCall, path = PATH) =>
    pipes.to("object", () => object).unary(path, body, about);
  return { counts, clock, call };
}

type Called = ReturnType<typeof objectWith>;

/** Calls until a pipe is open. */
async function untilPiped({ counts, call }: Called): Promise<void> {
  while (counts.piped === 0) await call(new Uint8Array([1]));
}

describe("a pipe", () => {
  test("opens after some calls without a pause, and carries messages, keys and errors", async () => {
    const called = objectWith((body, call) => (body[0] === 9 ? '{"code":"aborted"}' : echo(body, call)));
    const { counts, call } = called;
    for (let at = 10; at < CALLS_UNTIL_PIPE + 10; at++)
      expect(await call(new Uint8Array([at]))).toEqual(new Uint8Array([at]));
    expect(counts).toEqual({ native: CALLS_UNTIL_PIPE, piped: 0, opened: 0 });
    await untilPiped(called);
    const { native } = counts;
    expect(await call(new Uint8Array([1, 2]), { keyId: "kä" })).toEqual(new Uint8Array([1, 2, 107, 195, 164]));
    expect(await call(new Uint8Array())).toEqual(new Uint8Array());
    expect(await call(new Uint8Array([9]))).toBe('{"code":"aborted"}');
    expect([counts.native, counts.opened]).toEqual([native, 1]);
  });

  test("answers each of many calls under way with its own reply, in whatever order they end", async () => {
    const ends: (() => void)[] = [];
    const called = objectWith((body) => {
      if (body.length === 1) return body;
      return new Promise((resolve) => ends.push(() => resolve(body)));
    });
    await untilPiped(called);
    const bodies = Array.from({ length: 20 }, (_, at) => new Uint8Array([at, 255 - at]));
    const replies = bodies.map((body) => called.call(body));
    await eventually(() => expect(ends.length).toBe(20));
    for (const end of ends.reverse()) end();
    expect(await Promise.all(replies)).toEqual(bodies);
  });

  test("carries no other method, no large message, and no parameter but the key", async () => {
    const called = objectWith((body) => body.subarray(0, 1));
    await untilPiped(called);
    const { counts, call } = called;
    const { native, piped } = counts;
    await call(new Uint8Array([1]), undefined, OTHER);
    await call(new Uint8Array(MAX_PIPED_BYTES + 1));
    await call(new Uint8Array([1]), { session: "s" });
    await call(new Uint8Array([1]), { calledName: "P1" });
    await call(new Uint8Array([1]), { keyId: "k".repeat(86) });
    expect(counts).toEqual({ native: native + 5, piped, opened: 1 });
    await call(new Uint8Array(MAX_PIPED_BYTES), { keyId: "k".repeat(85) });
    expect(counts.piped).toBe(piped + 1);
  });

  test("is not opened for calls with pauses, and is closed after a pause", async () => {
    const called = objectWith(echo);
    const { counts, clock, call } = called;
    for (let at = 0; at < 3 * CALLS_UNTIL_PIPE; at++) {
      clock.now += PAUSE_MS + 1;
      await call(new Uint8Array([1]));
    }
    expect(counts.opened).toBe(0);
    await untilPiped(called);
    clock.now += PAUSE_MS + 1;
    // The next calls are native, once its timer has found the pause.
    await new Promise((resolve) => setTimeout(resolve, 3 * PAUSE_MS));
    const { native } = counts;
    await call(new Uint8Array([1]));
    expect(counts.native).toBe(native + 1);
    await untilPiped(objectWith(echo));
  });

  test("rejects what is under way when a call fails at the other end; later calls are native", async () => {
    let fails = false;
    const called = objectWith((body) => {
      if (fails) throw new Error("the object failed");
      return body;
    });
    await untilPiped(called);
    fails = true;
    const lost = [called.call(new Uint8Array([1])), called.call(new Uint8Array([2]))];
    for (const outcome of await Promise.allSettled(lost)) expect(outcome.status).toBe("rejected");
    fails = false;
    const { native } = called.counts;
    expect(await called.call(new Uint8Array([3]))).toEqual(new Uint8Array([3]));
    expect(called.counts.native).toBe(native + 1);
  });
});

test("an object that is lost with an open pipe is called natively, and gets another pipe", async () => {
  let opened = 0;
  // A stub does not outlive its object.
  const object = (): PipedObject => {
    const stub = stubOf("piped") as unknown as PipedObject;
    return {
      unary: (path, body) => stub.unary(path, body),
      fetch: (request) => {
        opened++;
        return stub.fetch(request);
      },
    };
  };
  const pipes = new Pipes(PATH, () => 1_000_000);
  const learning = messageToBytes(TakePublicationsRequestSchema, { publications: [{ frame: { learn: true } }] });
  const call = () => pipes.to("piped", object).unary(PATH, learning);
  const answers = new Set<UnaryReply>();
  for (let round = 1; round <= 2; round++) {
    while (opened < round) answers.add(await call());
    for (let at = 0; at < 3; at++) answers.add(await call());
    await abortAllDurableObjects();
    // A message may be on its way before its end is known.
    await call().catch(() => undefined);
  }
  // It is no processor, and says so each time, over the pipe and without it.
  expect([...answers]).toEqual([expect.stringContaining("failed_precondition")]);
});
