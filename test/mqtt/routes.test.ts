import { expect, test } from "vitest";
import {
  MAX_ROUTE_MEMBERS,
  type Route,
  RouteFault,
  readRoute,
  recordOf,
  routeData,
  routeOf,
} from "../../src/mqtt/routes";
import { fc } from "../support/property";

const bytes = (payload: unknown) =>
  new TextEncoder().encode(typeof payload === "string" ? payload : JSON.stringify(payload));

const KITCHEN = readRoute("kitchen", {
  topic: "zigbee2mqtt/+",
  processor: "P1",
  session: "{2}",
  strings: ["occupancy", "action"],
  numbers: ["temperature", "power.now"],
  time: "last_seen",
});

test("a route has all members, and is what PUT takes again", () => {
  const least = readRoute("r", { topic: "a/#", processor: "P1" });
  expect(least).toEqual({ name: "r", topic: "a/#", processor: "P1", strings: [], numbers: [], learn: false });
  for (const route of [least, KITCHEN]) expect(readRoute(route.name, routeData(route))).toEqual(route);
});

const NAME = "a name of 1 to 128 bytes of UTF-8 without control characters, and neither . nor ..";

test.each<[unknown, string]>([
  ["a/#", 'data must be an object such as {"topic": "sensors/+", "processor": "P1"}, got "a/#"'],
  [{ processor: "P1" }, 'data.topic must be a topic filter such as "sensors/+", got nothing'],
  [
    { topic: "a/#/b", processor: "P1" },
    'data.topic cannot be a topic filter: + must stand alone between slashes, and # alone at the end, got "#" in the topic filter "a/#/b"',
  ],
  [
    { topic: "noema/P1/observe", processor: "P1" },
    'data.topic must be a filter of other topics than noema/..., which are Noema\'s own and never routed, got "noema/P1/observe"',
  ],
  [
    { topic: "noema/#", processor: "P1" },
    'data.topic must be a filter of other topics than noema/..., which are Noema\'s own and never routed, got "noema/#"',
  ],
  [
    { topic: "$share/g/a", processor: "P1" },
    'data.topic must be a topic filter that does not begin with $share/, got "$share/g/a"',
  ],
  [{ topic: "a" }, "data.processor must be a string that is not empty, in which {1} is a level, got nothing"],
  [{ topic: "a", processor: "" }, 'data.processor must be a string that is not empty, in which {1} is a level, got ""'],
  [{ topic: "a/+", processor: "{9}" }, 'data.processor has {9}, and the levels of "a/+" count from {1} to {2}'],
  [
    { topic: "a/+", processor: "P1", session: "{3}" },
    'data.session has {3}, and the levels of "a/+" count from {1} to {2}',
  ],
  [{ topic: "a/#", processor: "P{0}" }, 'data.processor has {0}, and the levels of "a/#" count from {1}'],
  [
    { topic: "a", processor: "P1", session: null },
    "data.session must be a string that is not empty, in which {1} is a level, got null",
  ],
  [{ topic: "a", processor: "P1", session: ".." }, `data.session must be ${NAME}, got ".."`],
  [
    { topic: "a", processor: "P1", strings: "state" },
    'data.strings must be a list of members of the payload, got "state"',
  ],
  [
    { topic: "a", processor: "P1", strings: [1] },
    'data.strings[0] must be a member of the payload, such as "state", "a.b", or "" for all of it, got 1',
  ],
  [{ topic: "a", processor: "P1", numbers: ["x\n"] }, `data.numbers[0] must be "", or ${NAME}, got "x\\n"`],
  [
    { topic: "a", processor: "P1", time: 5 },
    'data.time must be a member of the payload, such as "state", "a.b", or "" for all of it, got 5',
  ],
  [{ topic: "a", processor: "P1", learn: "yes" }, 'data.learn must be true or false, got "yes"'],
  [
    { topic: "a", processor: "P1", string: ["a"] },
    "data.string is unknown (accepted: topic, processor, session, strings, numbers, time, learn); did you mean strings?",
  ],
])("%j is no route", (value, sentence) => {
  expect(() => readRoute("r", value)).toThrow(new RouteFault(sentence));
});

test("a member that is listed twice counts once", () => {
  const { strings } = readRoute("r", { topic: "a", processor: "P1", strings: ["b", "a", "b"] });
  expect(strings).toEqual(["b", "a"]);
});

test("a route's name, its texts and its lists are bounded", () => {
  expect(() => readRoute("..", { topic: "a", processor: "P1" })).toThrow(
    new RouteFault(`the name of a route must be ${NAME}, got ".."`),
  );
  const members = Array.from({ length: MAX_ROUTE_MEMBERS + 1 }, (_, at) => `m${at}`);
  expect(() => readRoute("r", { topic: "a", processor: "P1", strings: members })).toThrow(
    new RouteFault("data.strings may have 100 members, got 101"),
  );
  expect(() => readRoute("r", { topic: "a".repeat(1_001), processor: "P1" })).toThrow(
    "data.topic must be a topic filter of at most 1000 characters",
  );
  expect(() => readRoute("r", { topic: "a", processor: "P".repeat(1_001) })).toThrow(
    "data.processor must be a string of at most 1000 characters",
  );
});

test("of several routes the first by name in bytes takes a message, and none those of Noema's topics", () => {
  const of = (name: string, topic: string) => readRoute(name, { topic, processor: "P1" });
  // In UTF-16 units, U+1F600 comes before U+FF5E; in bytes it does not.
  const routes = [of("😀", "a/#"), of("～", "a/#"), of("b", "b"), of("all", "+/+/+"), of("every", "#")];
  expect(routeOf(routes, "a/x")?.name).toBe("every");
  expect(routeOf(routes.slice(0, 4), "a/x")?.name).toBe("～");
  expect(routeOf(routes, "x/y/z")?.name).toBe("all");
  expect(routeOf(routes.slice(0, 4), "x")).toBeNull();
  for (const topic of ["noema/P1/observe", "noema", "noema/a/b"]) expect(routeOf(routes, topic)).toBeNull();
  expect(routeOf(routes, "noemata")?.name).toBe("every");
  expect(routeOf(routes, "$SYS/uptime")).toBeNull();
});

test("members become symbols and numbers, absent ones are skipped", () => {
  const payload = { occupancy: true, temperature: 21.5, power: { now: -3 }, action: null, linkquality: 60 };
  expect(recordOf(KITCHEN, "zigbee2mqtt/hall", bytes(payload))).toEqual({
    place: { processor: "P1", session: "hall" },
    record: { strings: ["occupancy=true"], numbers: { temperature: 21.5, "power.now": -3 } },
    learn: false,
  });
  expect(recordOf(KITCHEN, "zigbee2mqtt/hall", bytes({ other: 1 })).record).toEqual({ strings: [] });
});

test.each<[unknown, number | undefined]>([
  [1_795_250_628, 1_795_250_628],
  [0.25, 0.25],
  ["2026-11-23T05:30:00Z", 1_795_411_800],
  ["2026-11-23T06:30:00.5+01:00", 1_795_411_800.5],
  [null, undefined],
  [undefined, undefined],
])("the time %j is %s", (time, seconds) => {
  const { record } = recordOf(KITCHEN, "zigbee2mqtt/hall", bytes({ action: "on", last_seen: time }));
  expect(record).toEqual({ strings: ["action=on"], ...(seconds !== undefined && { time: seconds }) });
});

const ACCEPTED_TIME =
  'epoch seconds, a number from 0 to 253402300799, or RFC 3339 text with an offset, such as "2026-11-23T05:30:00Z"';

test.each<[unknown, string]>([
  [
    { occupancy: { a: 1 } },
    'the payload\'s member "occupancy" must be a string, a number, true or false, to be a symbol, got {"a":1}',
  ],
  [
    { action: ["a"] },
    'the payload\'s member "action" must be a string, a number, true or false, to be a symbol, got ["a"]',
  ],
  [{ temperature: "21.5" }, 'the payload\'s member "temperature" must be a number, got "21.5"'],
  [{ temperature: true }, 'the payload\'s member "temperature" must be a number, got true'],
  ['{"temperature": 1e999}', 'the payload\'s member "temperature" must be a number, got Infinity'],
  [{ power: { now: [] } }, 'the payload\'s member "power.now" must be a number, got []'],
  [{ last_seen: 1_795_250_628_000 }, `the payload's member "last_seen" must be ${ACCEPTED_TIME}, got 1795250628000`],
  [{ last_seen: "today" }, `the payload's member "last_seen" must be ${ACCEPTED_TIME}, got "today"`],
  ["21.5", 'the payload must be a JSON object, got "21.5"'],
  ["ON", 'the payload must be a JSON object, got "ON"'],
  ['{"action": "on"', 'the payload must be a JSON object, got "{\\"action\\": \\"on\\""'],
  ["", 'the payload must be a JSON object, got ""'],
  ["[".repeat(200), "the payload is nested deeper than 100 levels"],
])("the payload %.40j is refused", (payload, sentence) => {
  expect(() => recordOf(KITCHEN, "zigbee2mqtt/hall", bytes(payload))).toThrow(
    new RouteFault(`${sentence} (route "kitchen")`),
  );
});

test("members are found deep, by their whole name first, and never on the way of a prototype", () => {
  const members = ["a.b", "a.c.d", "x..y", "toString", "__proto__", "length", "a.b.length"];
  const route = readRoute("r", { topic: "t", processor: "P1", strings: members, numbers: ["__proto__"] });
  const payload = '{"a": {"b": 1, "c": {"d": "e"}}, "a.b": 2, "x": {"": {"y": false}}, "__proto__": 7}';
  const { record } = recordOf(route, "t", bytes(payload));
  expect(record.strings).toEqual(["a.b=2", "a.c.d=e", "x..y=false", "__proto__=7"]);
  expect(Object.entries(record.numbers as object)).toEqual([["__proto__", 7]]);
});

test.each<[unknown, string[]]>([
  ["ON", ["=ON"]],
  ['"ON"', ["=ON"]],
  ["21.50", ["=21.5"]],
  ["true", ["=true"]],
  ["null", []],
])("the whole payload %j is a symbol", (payload, strings) => {
  const route = readRoute("door", { topic: "door", processor: "P1", strings: [""] });
  expect(recordOf(route, "door", bytes(payload)).record).toEqual({ strings });
});

test("a number that is the whole payload has the route's name", () => {
  const route = readRoute("temperature", {
    topic: "home/+/temperature",
    processor: "P1",
    session: "{2}",
    numbers: [""],
  });
  expect(recordOf(route, "home/hall/temperature", bytes("21.5"))).toEqual({
    place: { processor: "P1", session: "hall" },
    record: { strings: [], numbers: { temperature: 21.5 } },
    learn: false,
  });
  expect(() => recordOf(route, "home/hall/temperature", bytes("warm"))).toThrow(
    new RouteFault('the payload must be a number, got "warm" (route "temperature")'),
  );
});

test("a route without members takes the payload as a record", () => {
  const route = readRoute("r", { topic: "a/#", processor: "P1", learn: true });
  expect(recordOf(route, "a", bytes("open"))).toEqual({
    place: { processor: "P1", session: null },
    record: { strings: ["open"] },
    learn: true,
  });
  expect(recordOf(route, "a", bytes({ strings: ["b"], time: 5 })).record).toEqual({ strings: ["b"], time: 5 });
  expect(recordOf(route, "a", bytes([{ strings: ["b"] }])).record).toEqual({ strings: ["b"] });
  const two = bytes([{ strings: ["b"] }, {}]);
  expect(() => recordOf(route, "a", two)).toThrow("the payload must be one GDF or text, got a list of 2 GDFs");
  expect(() => recordOf(route, "a", bytes("[]"))).toThrow("the payload must be one GDF or text, got a list of 0 GDFs");
  const timed = readRoute("r", { topic: "a/#", processor: "P1", time: "at" });
  expect(recordOf(timed, "a", bytes({ strings: ["b"], at: 7 })).record).toEqual({ strings: ["b"], at: 7, time: 7 });
  expect(recordOf(timed, "a", bytes("open")).record).toEqual({ strings: ["open"] });
});

test.each<[Partial<Route>, string, string, string | null]>([
  [{ topic: "+/+/state", processor: "{1}", session: "{2}" }, "hall/lamp/state", "hall", "lamp"],
  [{ topic: "+/+/state", processor: "P-{1}", session: "{2}.{1}{2}" }, "a/b/state", "P-a", "b.ab"],
  [{ topic: "a/#", processor: "P1", session: "{4}" }, "a/b/c/d", "P1", "d"],
  [{ topic: "+/+", processor: "P1", session: "{2}" }, "a/{1}", "P1", "{1}"],
  [{ topic: "+/+", processor: "P1", session: "{2}" }, "a/50%2F", "P1", "50%2F"],
  [{ topic: "+/+", processor: "P1", session: "{x}{}" }, "a/b", "P1", "{x}{}"],
  [{ topic: "/+/x", processor: "P1", session: "{2}" }, "/$1/x", "P1", "$1"],
  [{ topic: "+/+", processor: "P1" }, "a/b", "P1", null],
])("%j leads %s to %s, %s", (data, topic, processor, session) => {
  const route = readRoute("r", { strings: ["a"], ...data });
  expect(recordOf(route, topic, bytes({})).place).toEqual({ processor, session });
});

test.each([
  [
    { topic: "a/#", processor: "P1", session: "{2}" },
    "a",
    'the route "r" takes the level {2} of the topic; of levels "a" has 1',
  ],
  [
    { topic: "a/+", processor: "{2}" },
    "a/",
    'the processor must have a name, got an empty one, by the route "r" from the topic "a/"',
  ],
  [
    { topic: "a/+", processor: "P1", session: "{2}" },
    "a/..",
    `the session must be ${NAME}, got "..", by the route "r" from the topic "a/.."`,
  ],
])("%j leads from %j nowhere", (data, topic, sentence) => {
  const route = readRoute("r", { strings: ["a"], ...data });
  expect(() => recordOf(route, topic, bytes({}))).toThrow(new RouteFault(sentence));
});

test("no payload makes a route fail otherwise than by a fault, and every record has finite numbers and texts", () => {
  const route = readRoute("r", {
    topic: "#",
    processor: "P1",
    strings: ["a", "a.b", ""],
    numbers: ["n", "a.n"],
    time: "t",
  });
  const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.double(), fc.constant("2026-11-23T05:30:00Z"));
  const object = fc.record({ a: member, n: fc.oneof(fc.double(), member), t: member }, { requiredKeys: [] });
  const payloads = fc.oneof(
    object.map((value) => bytes(JSON.stringify(value))),
    fc.jsonValue().map((value) => bytes(JSON.stringify(value))),
    fc.uint8Array({ maxLength: 40 }),
  );
  fc.assert(
    fc.property(payloads, (payload) => {
      try {
        const { strings, numbers = {}, time = 0 } = recordOf(route, "x", payload).record;
        expect((strings as unknown[]).every((text) => typeof text === "string")).toBe(true);
        expect(Object.values(numbers as object).every(Number.isFinite)).toBe(true);
        expect(time).toBeGreaterThanOrEqual(0);
      } catch (error) {
        if (!(error instanceof RouteFault)) throw error;
      }
    }),
    { numRuns: 1_000 },
  );
});
