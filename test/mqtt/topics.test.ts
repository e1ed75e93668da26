import { expect, test } from "vitest";
import {
  EVENT_NAMES,
  eventTopic,
  filterFault,
  isShared,
  matchesFilter,
  parseEventFilter,
  parsePublishTopic,
  TopicFault,
  topicFault,
} from "../../src/mqtt/topics";
import { fc } from "../support/property";

/** MQTT 3.1.1, 4.7, as it is written: level by level, in recursion. */
function matchesSlowly(filter: string, topic: string): boolean {
  if (topic.startsWith("$") && /^[+#]/.test(filter)) return false;
  const rest = ([wanted, ...wants]: string[], levels: string[]): boolean => {
    if (wanted === undefined) return levels.length === 0;
    if (wanted === "#") return true;
    const [level, ...others] = levels;
    if (level === undefined) return false;
    return (wanted === "+" || wanted === level) && rest(wants, others);
  };
  const wants = filter.split("/");
  // `a/#` is about `a`, too.
  return (
    rest(wants, topic.split("/")) ||
    (wants.at(-1) === "#" && wants.length > 1 && rest(wants.slice(0, -1), topic.split("/")))
  );
}

test.each([
  ["sport/tennis/player1/#", "sport/tennis/player1", true],
  ["sport/tennis/player1/#", "sport/tennis/player1/ranking", true],
  ["sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", true],
  ["sport/#", "sport", true],
  ["sport/#", "sports", false],
  ["#", "a", true],
  ["#", "/", true],
  ["sport/tennis/+", "sport/tennis/player1", true],
  ["sport/tennis/+", "sport/tennis/player1/ranking", false],
  ["sport/+", "sport", false],
  ["sport/+", "sport/", true],
  ["+/+", "/finance", true],
  ["/+", "/finance", true],
  ["+", "/finance", false],
  ["+/#", "a", true],
  ["+/a/#", "b/a", true],
  ["#", "$SYS/uptime", false],
  ["+/uptime", "$SYS/uptime", false],
  ["$SYS/#", "$SYS/uptime", true],
  ["$SYS/+", "$SYS/uptime", true],
  ["a/$b", "a/$b", true],
  ["a/+", "a/$b", true],
  ["a", "A", false],
])("%s matches %s: %s", (filter, topic, isMatch) => {
  expect(matchesFilter(filter, topic)).toBe(isMatch);
});

const level = fc.constantFrom("", "a", "b", "ab", "$a", "ü", "𝄞");
const anyTopic = fc.array(level, { minLength: 1, maxLength: 5 }).map((levels) => levels.join("/"));
const anyFilter = fc
  .tuple(fc.array(fc.oneof(level, fc.constant("+")), { maxLength: 5 }), fc.boolean())
  .map(([levels, isOpen]) => [...levels, ...(isOpen ? ["#"] : [])].join("/"))
  .filter((filter) => filterFault(filter) === null);

test("filters match what the standard says, for any filter and topic", () => {
  const counts = { yes: 0, no: 0 };
  fc.assert(
    fc.property(anyFilter, anyTopic, (filter, topic) => {
      const isMatch = matchesSlowly(filter, topic);
      counts[isMatch ? "yes" : "no"] += 1;
      expect({ filter, topic, isMatch: matchesFilter(filter, topic) }).toEqual({ filter, topic, isMatch });
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(counts.yes, counts.no)).toBeGreaterThan(300);
});

test("a filter with one level of a topic replaced by + matches that topic, and all that is left by #", () => {
  fc.assert(
    fc.property(anyTopic, fc.nat(), (topic, seed) => {
      const levels = topic.split("/");
      const at = seed % levels.length;
      const isHidden = topic.startsWith("$") && at === 0;
      expect(matchesFilter(levels.with(at, "+").join("/"), topic)).toBe(!isHidden);
      expect(matchesFilter([...levels.slice(0, at), "#"].join("/"), topic)).toBe(!isHidden);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  "a",
  "/",
  "a//b",
  "+",
  "#",
  "+/+/#",
  "$SYS/#",
  "ü/𝄞",
  "a b",
  "$share/group/a",
  "x".repeat(65_535),
])("%.20s is a filter", (filter) => {
  expect(filterFault(filter)).toBeNull();
});

test.each([
  ["", "the topic filter must not be empty"],
  ["a+/b", '+ must stand alone between slashes, and # alone at the end, got "a+" in the topic filter "a+/b"'],
  ["#/a", '+ must stand alone between slashes, and # alone at the end, got "#" in the topic filter "#/a"'],
  ["a/b#", '+ must stand alone between slashes, and # alone at the end, got "b#" in the topic filter "a/b#"'],
  ["++", '+ must stand alone between slashes, and # alone at the end, got "++" in the topic filter "++"'],
  ["a\0", 'the topic filter must be UTF-8 text without U+0000, got "a\\u0000"'],
  ["a\ud834", 'the topic filter must be UTF-8 text without U+0000, got "a\\ud834"'],
  ["ü".repeat(32_768), "the topic filter must have at most 65535 bytes, got 65536 or more"],
])("%.20j is no filter", (filter, fault) => {
  expect(filterFault(filter)).toBe(fault);
});

test("a topic of a message has no wildcards, and is otherwise bounded as a filter", () => {
  expect(topicFault("a/b")).toBeNull();
  expect(topicFault("a/+")).toBe('the topic of a message must have no + and no #, got "a/+"');
  expect(topicFault("#")).toBe('the topic of a message must have no + and no #, got "#"');
  expect(topicFault("")).toBe("the topic must not be empty");
  expect(topicFault("a\0b")).toBe('the topic must be UTF-8 text without U+0000, got "a\\u0000b"');
});

test("shared subscriptions are known by how they begin", () => {
  expect([isShared("$share/group/a"), isShared("a/$share/b"), isShared("$shared/a")]).toEqual([true, false, false]);
});

test.each([
  ["noema/P1/observe", "P1", null, "observe"],
  ["noema/P1/learn", "P1", null, "learn"],
  ["noema/P1/clear", "P1", null, "clear"],
  ["noema/P1/sessions/press-7/observe", "P1", "press-7", "observe"],
  ["noema/a%2Fb/sessions/50%25%20%2B%23/learn", "a/b", "50% +#", "learn"],
  ["noema/P1/sessions/press 7 ü/observe", "P1", "press 7 ü", "observe"],
  ["noema/sessions/observe", "sessions", null, "observe"],
  ["noema/learn/sessions/observe/observe", "learn", "observe", "observe"],
])("%s is Noema's", (topic, processor, session, verb) => {
  expect(parsePublishTopic(topic)).toEqual({ place: { processor, session }, verb });
});

test.each([
  "noema",
  "noema/P1",
  "noema/observe",
  "noema/P1/observed",
  "noema/P1/forget",
  "noema/P1/sessions/observe",
  "noema/P1/session/a/observe",
  "noema/P1/sessions/a/b/observe",
  "Noema/P1/observe",
  "/noema/P1/observe",
  "noema/P1/observe/",
  "zigbee2mqtt/kitchen",
])("%s has not the form of Noema's topics", (topic) => {
  expect(parsePublishTopic(topic)).toBeNull();
});

test.each([
  ["noema//observe", 'the processor must have a name, got an empty one in the topic "noema//observe"'],
  [
    "noema/P1/sessions//learn",
    'the session must be a name of 1 to 128 bytes of UTF-8 without control characters, and neither . nor .., got "" in the topic "noema/P1/sessions//learn"',
  ],
  [
    "noema/P1/sessions/../clear",
    'the session must be a name of 1 to 128 bytes of UTF-8 without control characters, and neither . nor .., got ".." in the topic "noema/P1/sessions/../clear"',
  ],
  [
    "noema/P1/sessions/50%/observe",
    'the levels of a topic of Noema must be percent-encoded UTF-8 (%25 for a percent sign), got "50%" in the topic "noema/P1/sessions/50%/observe"',
  ],
  [
    "noema/%ff/observe",
    'the levels of a topic of Noema must be percent-encoded UTF-8 (%25 for a percent sign), got "%ff" in the topic "noema/%ff/observe"',
  ],
])("%s is refused by name", (topic, sentence) => {
  expect(() => parsePublishTopic(topic)).toThrow(new TopicFault(sentence));
});

const anyName = fc
  .array(fc.constantFrom("a", "/", "+", "#", "%", "2", "F", " ", "ü", "𝄞", "."), { minLength: 1, maxLength: 8 })
  .map((characters) => characters.join(""))
  .filter((name) => name !== "." && name !== "..");

test("what is written of any name is read again, and is a topic without wildcards", () => {
  fc.assert(
    fc.property(anyName, fc.option(anyName), fc.constantFrom(...EVENT_NAMES), (processor, session, event) => {
      const topic = eventTopic({ processor, session }, event);
      expect(topicFault(topic)).toBeNull();
      expect(parsePublishTopic(topic.replace(/[^/]*$/, "observe"))).toEqual({
        place: { processor, session },
        verb: "observe",
      });
      const asked = parseEventFilter(topic);
      const whole = { processor, session, events: [event] };
      expect(asked).toEqual(session === null ? { own: whole, sessions: null } : { own: null, sessions: whole });
    }),
    { numRuns: 500 },
  );
  expect(eventTopic({ processor: "P1", session: "a/b+c#d%e f" }, "incident")).toBe(
    "noema/P1/sessions/a%2Fb%2Bc%23d%25e f/incident",
  );
});

const all = (processor: string | null, session: string | null = null) => ({ processor, session, events: EVENT_NAMES });

test.each([
  ["#", { own: all(null), sessions: all(null) }],
  ["noema/#", { own: all(null), sessions: all(null) }],
  ["+/+/surprise", { own: { ...all(null), events: ["surprise"] }, sessions: null }],
  ["noema/P1/#", { own: all("P1"), sessions: all("P1") }],
  ["noema/P1/+", { own: all("P1"), sessions: null }],
  ["noema/P1/sessions/#", { own: null, sessions: all("P1") }],
  ["noema/+/sessions/+/forecast", { own: null, sessions: { ...all(null), events: ["forecast"] } }],
  ["noema/+/+/press%207/#", { own: null, sessions: all(null, "press 7") }],
  ["noema/P1/surprise/#", { own: { ...all("P1"), events: ["surprise"] }, sessions: null }],
])("%s asks for events", (filter, asked) => {
  expect(parseEventFilter(filter)).toEqual(asked);
});

test.each([
  "noema",
  "noema/P1/observe",
  "zigbee2mqtt/#",
  "noema/P1/sessions",
  "noema/P1/sessions/a/b/c",
  "$SYS/#",
  "+",
])("%s asks for no event", (filter) => {
  expect(parseEventFilter(filter)).toBeNull();
});

test("a filter asks for exactly the events whose topics it matches", () => {
  const name = fc.constantFrom("a", "sessions", "observed", "$a");
  const part = fc.constantFrom("noema", "a", "sessions", "observed", "surprise", "+", "x");
  const filters = fc
    .tuple(fc.array(part, { maxLength: 5 }), fc.boolean())
    .map(([levels, isOpen]) => [...levels, ...(isOpen ? ["#"] : [])].join("/"))
    .filter((filter) => filterFault(filter) === null);
  let matched = 0;
  fc.assert(
    fc.property(
      filters,
      name,
      fc.option(name),
      fc.constantFrom(...EVENT_NAMES),
      (filter, processor, session, event) => {
        const asked = parseEventFilter(filter)?.[session === null ? "own" : "sessions"] ?? null;
        const fits = (wanted: string | null, got: string | null) => wanted === null || wanted === got;
        const isAsked =
          asked !== null &&
          fits(asked.processor, processor) &&
          fits(asked.session, session) &&
          asked.events.includes(event);
        const topic = eventTopic({ processor, session }, event);
        if (isAsked) matched += 1;
        expect({ filter, topic, isAsked }).toEqual({ filter, topic, isAsked: matchesFilter(filter, topic) });
      },
    ),
    { numRuns: 5_000 },
  );
  expect(matched).toBeGreaterThan(100);
});
