/** What the client does with a member that it does not know, in options and in definitions: it throws before anything is sent. */

import { beforeEach, describe, expect, test } from "vitest";
import { CALLS } from "../../scripts/openapi/operation-calls";
import * as client from "../../src/client";
import { ADDRESS, KEY, okay, scripted } from "../support/client/scripted-server";

const { noema, requests } = scripted(() => okay({}));
const p1 = client.processor(noema, "P1");

/** The functions as a program without types calls them. */
const untyped = client as unknown as { readonly [name: string]: (...given: readonly unknown[]) => unknown };

/** What a call throws, at once or as its promise; nothing may have been sent. */
async function thrown(make: () => unknown): Promise<unknown> {
  try {
    await make();
  } catch (error) {
    expect(requests).toEqual([]);
    return error;
  }
  throw new Error("nothing was thrown");
}

beforeEach(() => {
  requests.length = 0;
});

/** Whatever is no member of anything. */
const UNKNOWN = { colour: "red" };
/** What has names of the user's own, or is checked by the server alone. */
const OPEN = ["changeGenes", "hotswapGenome", "loadKnowledgeBase"];
/** Their example ends with the options. */
const WITH_OPTIONS = ["backup", "restore"];

describe("a member that is unknown is named, with those that are accepted, and nothing is sent:", () => {
  test.each(Object.values(CALLS))("$name", async ({ name, place, args }) => {
    const given = [place === "noema" ? noema : p1, ...args];
    const last = given.at(-1);
    const sentence = /has no (option|member) "colour" \(accepted: \w+(, \w+)*\)$/;
    const variants = WITH_OPTIONS.includes(name) ? [] : [[...given, UNKNOWN]];
    const isDefinition = given.length > 1 && typeof last === "object" && !Array.isArray(last);
    if (isDefinition && !OPEN.includes(name)) variants.push([...given.slice(0, -1), { ...last, ...UNKNOWN }]);
    for (const each of variants) {
      const error = await thrown(() => untyped[name]?.(...each));
      expect(error).toBeInstanceOf(TypeError);
      expect((error as TypeError).message).toMatch(sentence);
    }
    expect(variants.length).toBeGreaterThan(0);
  });

  test("in options after a query", async () => {
    for (const name of ["getPredictions", "getForecast", "countMatchingModels", "listModels", "listSessions"]) {
      const error = await thrown(() => untyped[name]?.(p1, {}, { retry: 3 }));
      expect(error).toEqual(
        new TypeError(`${name} has no option "retry"; did you mean "retries"? (accepted: signal, timeout, retries)`),
      );
    }
  });

  test.each<[string, () => unknown, string]>([
    [
      "connect",
      () => untyped.connect?.({ adress: ADDRESS, key: KEY }),
      'connect has no option "adress"; did you mean "address"? (accepted: address, key, agent, fetch, timeout, retries, firstPause, longestPause)',
    ],
    [
      "a record",
      () => untyped.observe?.(p1, { string: ["a"] }),
      'a record has no member "string"; did you mean "strings"? (accepted: strings, vectors, numbers, emotives, metadata, time, unique_id, command, path)',
    ],
    [
      "a record of a sequence",
      () => untyped.observeSequence?.(p1, { sequence: [{ strings: ["a"] }, { emotive: {} }] }),
      'a record has no member "emotive"; did you mean "emotives"?',
    ],
    [
      "a sequence",
      () => untyped.observeSequence?.(p1, { sequence: [], lern: true }),
      'observeSequence has no member "lern"; did you mean "learn"? (accepted: sequence, learn, clear)',
    ],
    [
      "a delivery",
      () => untyped.observe?.(p1, {}, { delivery: { source: "a", nubmer: 1 } }),
      'a delivery has no member "nubmer"; did you mean "number"? (accepted: source, number)',
    ],
    [
      "a forecast",
      () => untyped.getForecast?.(p1, { horizn: 2 }),
      'the query of getForecast has no member "horizn"; did you mean "horizon"? (accepted: horizon, top, sequence)',
    ],
    [
      "options",
      () => untyped.observe?.(p1, {}, { explian: true }),
      'observe has no option "explian"; did you mean "explain"? (accepted: delivery, explain, idempotencyKey, signal, timeout, retries)',
    ],
    [
      "a read",
      () => untyped.getTime?.(p1, { idempotencyKey: "a" }),
      'getTime has no option "idempotencyKey" (accepted: signal, timeout, retries)',
    ],
    ["a signal as the options", () => untyped.learn?.(p1, new AbortController().signal), 'learn has no option "'],
  ])("in %s", async (_, make, message) => {
    const error = await thrown(make);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toContain(message);
  });

  test.each<[string, (...given: never[]) => unknown]>([
    ["stream", () => untyped.stream?.(p1, { session: "robot-1" })],
    ["observe", () => untyped.observe?.(p1, {}, { session: "robot-1" })],
    ["learn", () => untyped.learn?.(p1, { session: "robot-1" })],
  ])("a session in the options of %s, with the way to name one", async (name, make) => {
    const error = await thrown(make);
    expect((error as TypeError).message).toContain(
      `${name} has no option "session"; a session is named by session(processor, "name") in the place of the processor (accepted: `,
    );
  });
});

describe("refused before anything is sent:", () => {
  test.each([null, "slow", 5, [], () => {}])("%j as options", async (options) => {
    for (const make of [
      () => untyped.observe?.(p1, {}, options),
      () => untyped.learn?.(p1, options),
      () => untyped.getConnection?.(noema, options),
      () => untyped.stream?.(p1, options),
      () => untyped.connect?.(options),
    ]) {
      const error = await thrown(make);
      expect(error).toBeInstanceOf(TypeError);
      expect((error as TypeError).message).toMatch(/^the options of \w+ must be an object, got /);
    }
  });

  test.each([null, undefined, "hello", 5, ["a"]])("%j as a record", async (record) => {
    const error = await thrown(() => untyped.observe?.(p1, record));
    expect((error as TypeError).message).toMatch(/^the members of a record must be an object, got /);
  });

  test("options of a processor and of a session, which have none", async () => {
    expect(await thrown(() => untyped.session?.(p1, "robot-1", { ttl: 5 }))).toEqual(
      new TypeError("session takes a name and no options"),
    );
    expect(await thrown(() => untyped.processor?.(noema, "P1", {}))).toEqual(
      new TypeError("processor takes a name and no options"),
    );
  });

  test("a place that is not what the functions for places return", async () => {
    const places = [
      ["processor", () => untyped.processor?.("P1"), "connect returns"],
      ["processor", () => untyped.processor?.({ address: ADDRESS, key: KEY }, "P1"), "connect returns"],
      ["session", () => untyped.session?.(noema, "robot-1"), "processor returns"],
      ["learn", () => untyped.learn?.("P1"), "connect, processor or session returns"],
      ["learn", () => untyped.learn?.(), "connect, processor or session returns"],
      ["stream", () => untyped.stream?.(noema), "processor or session returns"],
      ["stream", () => untyped.stream?.(undefined), "processor or session returns"],
    ] as const;
    for (const [name, make, makers] of places) {
      expect(await thrown(make)).toEqual(new TypeError(`the first argument of ${name} must be what ${makers}`));
    }
  });

  test("a listener of a stream that is not a function", async () => {
    for (const name of ["onEvent", "onLost", "onOpen"]) {
      expect(await thrown(() => untyped.stream?.(p1, { [name]: "print" }))).toEqual(
        new TypeError(`${name} must be a function, got "print"`),
      );
    }
  });
});

test("what was read may be sent again: a percept, and a model to another processor", async () => {
  const percept = { emotives: {}, metadata: {}, path: ["P1"], strings: ["a"], unique_id: "b", vectors: [] };
  await client.observe(p1, percept);
  const model = { emotives: {}, frequency: 1, length: 2, metadata: [], name: "a", predecessor_model: [] };
  await client.addModel(p1, { ...model, sequence: [["a"], ["b"]] });
  await client.updateModel(p1, "a", { ...model, sequence: [["a"], ["b"]] });
  expect(requests).toHaveLength(3);
});

test("an unknown name far from all others, or very long, has no suggestion", async () => {
  const name = "s".repeat(1_000_000);
  for (const unknown of ["x", "colour", name]) {
    const error = await thrown(() => untyped.learn?.(p1, { [unknown]: 1 }));
    expect((error as TypeError).message).not.toContain("did you mean");
  }
});
