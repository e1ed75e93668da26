/** What deliveries for people say, to the letter: in each format, of each kind, with and without a link to the console. */

import { expect, test } from "vitest";
import { bodyOf, writtenAs } from "../../../src/object/alerts/alert-delivery";
import type { Told } from "../../../src/processor/ports/alert";

const PUBLIC_URL = "https://noema.example.org/";

function notice(told: Told, session = "press 3/ä") {
  return {
    number: 1,
    alert: "odd",
    webhookId: "msg_1",
    told,
    session,
    interval: 41,
    happenedAt: 1_795_250_628_000,
    count: 2,
    attempts: 0,
    queuedAt: 1_795_250_628_000,
  };
}

const INCIDENT: Told = {
  kind: "incident",
  incident: {
    id: 17,
    bits: 11.74,
    causes: [{ bits: 11.7, symbol: "state=alarm" }],
    events: 1,
    expected: [{ probability: 0.94, symbol: "state=run" }],
    from: 1_795_250_628,
    to: 1_795_250_628,
  },
};

const SILENT: Told = { kind: "silent", silence: { after: 300, last_observed: 1_795_250_328 } };

const TITLE = "odd: press 3/ä";
const INCIDENT_WORDS =
  "Incident 17 began with an event of 11.7 bits: state=alarm, where state=run was expected. (processor p46, interval 41)";
const SILENT_WORDS =
  "Nothing has been observed for 5 min; the last event was at 2026-11-21 08:38:48 UTC. (processor p46, interval 41)";
const INCIDENT_LINK = "https://noema.example.org/console#/incidents/p46/17";
const MEMORY_LINK = "https://noema.example.org/console#/p46/sessions/press%203%2F%C3%A4/now";
const PLAIN = { "content-type": "text/plain; charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json" };
const ENCODED_TITLE = `=?UTF-8?B?${Buffer.from(TITLE).toString("base64")}?=`;

test.each([
  ["an incident", INCIDENT, INCIDENT_WORDS, INCIDENT_LINK],
  ["a silence", SILENT, SILENT_WORDS, MEMORY_LINK],
])("%s in words, with a link to its page or its memory and without", (_, told, words, link) => {
  const write = (format: "slack" | "ntfy" | "text", url?: string) => writtenAs(format, notice(told), "p46", url);
  const lines = `${TITLE}\n${words}`;
  expect(write("text", PUBLIC_URL)).toEqual({ body: `${lines}\n${link}`, headers: PLAIN });
  expect(write("text")).toEqual({ body: lines, headers: PLAIN });
  expect(write("slack", PUBLIC_URL)).toEqual({
    body: JSON.stringify({ text: `${lines}\n${link}` }),
    headers: JSON_TYPE,
  });
  expect(write("slack")).toEqual({ body: JSON.stringify({ text: lines }), headers: JSON_TYPE });
  const title = { ...PLAIN, title: ENCODED_TITLE };
  expect(write("ntfy", PUBLIC_URL)).toEqual({ body: words, headers: { ...title, click: link } });
  expect(write("ntfy")).toEqual({ body: words, headers: title });
});

test("the own memory has no session in title and link", () => {
  const { body } = writtenAs("text", notice(SILENT, ""), "p46", "https://noema.example.org");
  expect(body.split("\n")).toEqual(["odd", SILENT_WORDS, "https://noema.example.org/console#/p46/now"]);
});

test("the standard format has the members by name", () => {
  expect(bodyOf(notice(SILENT), "p46")).toBe(
    '{"data":{"alert":"odd","count":2,"id":"p46","interval":41,"session":"press 3/ä",' +
      '"silence":{"after":300,"last_observed":1795250328}},"timestamp":"2026-11-21T08:43:48.000Z","type":"noema.silent"}',
  );
});

const OTHER = { after: 300, interval: 7, last_observed: 1_795_250_328 };

test.each([
  [[null], undefined, "; the same is true of 1 other: its own memory"],
  [["b", "c"], undefined, "; the same is true of 2 others: b, c"],
  [["b", "c", "d", "e", "f", "g"], 9_993, "; the same is true of 9999 others, such as b, c, d, e, f"],
])("several silent memories are one message: %j", (sessions, more, words) => {
  const others = sessions.map((session) => ({ ...OTHER, session }));
  const told = { ...SILENT, others, ...(more !== undefined && { more }) };
  expect(writtenAs("ntfy", notice(told), "p46").body).toBe(SILENT_WORDS.replace(". (", `${words}. (`));
  expect(JSON.parse(bodyOf(notice(told), "p46")).data).toMatchObject({ session: "press 3/ä", others });
});

test.each([
  [0.5, "0.5 s"],
  [60, "60 s"],
  [119, "119 s"],
  [120, "2 min"],
  [5_400, "90 min"],
  [90_000, "25 h"],
  [31_536_000, "365 days"],
])("a silence of %d s is one of %s", (after, words) => {
  const told: Told = { kind: "silent", silence: { after, last_observed: 0 } };
  expect(writtenAs("ntfy", notice(told), "p").body).toContain(
    `Nothing has been observed for ${words}; the last event was at 1970-01-01`,
  );
});
