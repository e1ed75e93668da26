/** The search of the console, the reference and the guides finds what readers type, by the text of a page and not by its title alone. */

import { expect, test } from "vitest";
import { pages } from "../../build/pages";
import { searchIn } from "../../scripts/pages/search/engine";
import { type SearchData, SHOWN_IN_CONSOLE } from "../../scripts/pages/search/entry";
import { packWords, unpackWords, wordsOf } from "../../scripts/pages/search/words";
import { textAt } from "../support/reference/served-page";

const data = JSON.parse(textAt("/docs/search.json")) as SearchData;
const find = searchIn(data);

const REFERENCE = "/docs/reference";
const GUIDES = "/docs/guides";

test.each([
  ["train", `${GUIDES}/command-line`],
  ["timeout", `${GUIDES}/devices`],
  ["401", "/docs"],
  ["403", "/docs"],
  ["429", "/docs"],
  ["503", "/docs"],
  ["docker", `${GUIDES}/self-hosting`],
  ["systemd", `${GUIDES}/self-hosting`],
  ["kubernetes", `${GUIDES}/self-hosting`],
  ["nginx", `${GUIDES}/self-hosting`],
  ["ssl", `${GUIDES}/self-hosting`],
  ["upgrade", `${GUIDES}/self-hosting`],
  ["anomaly", `${GUIDES}/surprise`],
  ["incidents", `${GUIDES}/incidents`],
  ["false alarm", `${GUIDES}/incidents`],
  ["mqtt", `${GUIDES}/mqtt`],
  ["home assistant", `${GUIDES}/mqtt`],
  ["node-red", `${GUIDES}/mqtt`],
  ["slack", `${GUIDES}/alerts`],
  ["silence", `${GUIDES}/alerts`],
  ["chatgpt", `${GUIDES}/mcp`],
  ["pandas", `${GUIDES}/python`],
  ["what comes next", `${GUIDES}/forecast`],
  ["outlier", `${GUIDES}/watching-a-machine`],
  ["edge", `${GUIDES}/numbers`],
  ["sensor", `${GUIDES}/numbers`],
  ["temperature", `${GUIDES}/watching-a-machine`],
  ["webhook", `${GUIDES}/alerts`],
  ["csv", `${GUIDES}/command-line`],
  ["import", `${GUIDES}/command-line`],
  ["accuracy", `${GUIDES}/command-line`],
  ["terminal", `${GUIDES}/command-line`],
  ["export", `${REFERENCE}/knowledge-base`],
  ["backup", `${GUIDES}/backup`],
  ["restore", `${REFERENCE}/keeping`],
  ["migrate", `${GUIDES}/moving-from-the-original-agent`],
  ["kato", `${GUIDES}/moving-from-kato`],
  ["python", `${GUIDES}/quick-start`],
  ["curl", `${GUIDES}/quick-start`],
  ["typescript", `${GUIDES}/client`],
  ["grpc", `${GUIDES}/clients`],
  ["websocket", `${GUIDES}/streams`],
  ["subscribe", `${GUIDES}/streams`],
  ["retry", `${GUIDES}/unreliable-links`],
  ["offline", `${GUIDES}/unreliable-links`],
  ["rate limit", `${GUIDES}/keys`],
  ["cors", `${GUIDES}/keys`],
  ["password", `${GUIDES}/keys`],
  ["permission", `${GUIDES}/keys`],
  ["prometheus", `${GUIDES}/watching`],
  ["metrics", `${REFERENCE}/watching`],
  ["log", `${GUIDES}/watching`],
  ["latency", `${GUIDES}/scale`],
  ["disk full", `${GUIDES}/damage`],
  ["corrupt", `${GUIDES}/damage`],
  ["crash", `${GUIDES}/reliability`],
  ["price", `${GUIDES}/cost`],
  ["cloudflare", `${GUIDES}/serving`],
  ["deploy", `${GUIDES}/serving`],
  ["encoder", `${REFERENCE}/encoders`],
  ["bins", `${GUIDES}/numbers`],
  ["recall_threshold", `${REFERENCE}/genes`],
  ["how likely", `${GUIDES}/forecast`],
  ["confidence", `${REFERENCE}/predicting`],
  ["embedding", `${GUIDES}/numbers`],
  ["sliding window", `${GUIDES}/sequences-and-windows`],
  ["forget", `${GUIDES}/endless-streams`],
  ["privacy", `${REFERENCE}/sessions`],
  ["fleet", `${GUIDES}/fleets`],
  ["connection reset", `${GUIDES}/devices`],
  ["time zone", `${GUIDES}/time`],
  ["swagger", `${REFERENCE}/without-a-key`],
  ["vitest", `${GUIDES}/testing`],
  ["hotswap", `${GUIDES}/agents`],
  ["eu jurisdiction", `${GUIDES}/placement`],
  ["how do I delete a model?", `${REFERENCE}/models`],
  ["predicton", `${REFERENCE}/predicting`],
])("%s leads to %s", (query, page) => {
  const found = find(query).slice(0, SHOWN_IN_CONSOLE);
  expect(found.map(({ id }) => id.split("#")[0])).toContain(page);
});

test("finds nothing where there is nothing", () => {
  expect(find("xyzzyx")).toEqual([]);
  expect(find("")).toEqual([]);
});

test("leads to places that are there, each once", () => {
  const ids = data.entries.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const gone = ids.filter((id) => {
    const [path = "", anchor] = id.split("#");
    return !(path in pages) || (anchor !== undefined && !textAt(path).includes(` id="${anchor}"`));
  });
  expect(gone).toEqual([]);
});

test("packs the words of each text, and no others", () => {
  const texts = ["Keys and roles", "a key-refused event, HTTP 429 and 12 others", "", "listSessions, TypeScript"];
  const unpacked = unpackWords(packWords(texts), texts.length).map((words) => words.split(" ").sort());
  expect(unpacked).toEqual([
    ["keys", "roles"],
    ["429", "event", "http", "key", "others", "refused"],
    [""],
    ["list", "listsessions", "script", "sessions", "type", "typescript"],
  ]);
});

test("takes words apart where people do", () => {
  expect(wordsOf("recall_threshold")).toEqual(["recall", "threshold"]);
  expect(wordsOf("GET /models, XMLHttpRequest")).toEqual(["GET", "models", "XMLHttpRequest", "XML", "Http", "Request"]);
  expect(wordsOf("SHA-256 über 12 ms")).toEqual(["SHA", "256", "über", "12", "ms"]);
});
