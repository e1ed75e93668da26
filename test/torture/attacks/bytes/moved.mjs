/**
 * Restores what no backup has written: files that unpack to very much, that hold very many lines for others, lists without end, or end
 * early. Then a right one twice at once, and while others write. And merges very many models, new ones and known ones.
 */

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { PROCESSOR } from "../../client.mjs";
import { modelName } from "../../model/text.mjs";

const MEBIBYTE = 2 ** 20;
const CHECK_DIGITS = 16;
const ALONE = `/restore?processor=${PROCESSOR}`;
/** How many members a list has that no backup has. */
const LONG = 300_000;

/** The count of each kind of record that the last line counts. */
const COUNTED = { memory: "memories", model: "models", processor: "processors", vector: "vectors" };

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const listOf = (length, make) => Array.from({ length }, (_, at) => make(at));

/** The lines of a backup that holds these records, packed. Each record is an object with one member. */
function packed(records) {
  const counts = { lines: records.length, memories: 0, models: 0, processors: 0, vectors: 0 };
  const all = createHash("sha256");
  let check = "";
  const line = (record) => {
    const json = JSON.stringify(record);
    check = sha256(check + json).slice(0, CHECK_DIGITS);
    return `{"check":"${check}",${json.slice(1)}\n`;
  };
  const lines = records.map((record) => {
    const [kind] = Object.keys(record);
    if (kind in COUNTED) counts[COUNTED[kind]]++;
    const text = line(record);
    all.update(text);
    return text;
  });
  return gzipSync([...lines, line({ end: { ...counts, sha256: all.digest("hex") } })].join(""));
}

/** The first lines of a processor's backup, as records. */
async function firstLines(target) {
  const text = await target.succeed("GET", `/backup?processor=${PROCESSOR}`);
  return text
    .split("\n", 2)
    .map((line) => JSON.parse(line))
    .map(({ check: _, ...record }) => record);
}

/** A restore that must be refused, for a reason. */
async function refused(target, path, body, reason) {
  const { status, text } = await target.call("POST", path, body);
  target.expect(status >= 400 && status < 500 && reason.test(text), "a restore is not refused as it must be", text);
}

async function files(target) {
  const [start, processor] = await firstLines(target);
  await refused(target, "/restore", gzipSync(Buffer.alloc(300 * MEBIBYTE, "x")), /more than 25165824 bytes/);
  await refused(target, "/restore", gzipSync(Buffer.alloc(300 * MEBIBYTE, "\n")), /line 1: /);
  const others = listOf(target.sizes.lines, (at) => ({ processor: { id: `o${at}` } }));
  await refused(target, ALONE, packed([start, ...others]), /has no processor/);
  const lists = {
    sources: listOf(LONG, (at) => ({ source: `s${at}`, number: 1 })),
    bins: listOf(LONG, (at) => ({ name: `b${at}`, encoder: 1, from: 1, below: 2 })),
    risen: listOf(LONG, (at) => at),
    events: listOf(LONG, () => ({ symbols: ["a"], metadata_json: "{}" })),
  };
  for (const [name, list] of Object.entries(lists)) {
    await refused(target, ALONE, packed([start, processor, { memory: { [name]: list } }]), /may have \d+ members/);
  }
  const genes = listOf(LONG, (at) => ({ name: `g${at}` }));
  const wrong = { processor: { ...processor.processor, genes } };
  await refused(target, ALONE, packed([start, wrong]), /genes may have \d+ members/);
  const sessions = listOf(target.sizes.lines / 10, (at) => ({ memory: { session: `s${at}`, time: 1 } }));
  const whole = packed([start, processor, ...sessions]);
  await refused(target, ALONE, whole.subarray(0, whole.length / 2), /damaged or cut short/);
  const twice = await Promise.all([whole, whole].map((body) => target.call("POST", ALONE, body)));
  const statuses = twice.map(({ status }) => status).sort();
  target.expect(statuses[0] === 200 && [200, 409].includes(statuses[1]), "two restores at once", statuses.join());
  await target.call("POST", "observe", { data: { strings: ["a"] } });
  const left = JSON.parse(await target.succeed("GET", "sessions?limit=1"));
  target.expect(left.message.length > 0, "what was restored is not there", JSON.stringify(left));
}

/** How many symbols the models of a file have together. Prime, so that no two of them are equal. */
const SYMBOLS = 9_973;

/** Models of eight symbols, by name. */
function modelsOf(models) {
  const members = listOf(models, (at) => {
    const symbol = (event) => `s${(at * (1 + 7 * event) + (at >> 10) * event) % SYMBOLS}`;
    const sequence = listOf(4, (event) => [`e${event}`, symbol(event)].sort());
    const name = modelName(sequence);
    return [name, { name, sequence, frequency: 1, emotives: { joy: [at] }, metadata: listOf(4, () => ({})) }];
  });
  return Object.fromEntries(members);
}

async function merges(target) {
  const models = modelsOf(target.sizes.models);
  const file = JSON.stringify({ models_kb: models, symbols_kb: {}, vectors_kb: {}, metadata: {} });
  const there = `{KB| objects: ${Object.keys(models).length}}`;
  for (const what of ["new", "known"]) {
    await target.succeed("POST", "load_kb?mode=merge", file);
    const { models_kb: held } = JSON.parse(await target.succeed("GET", "status")).message;
    target.expect(held === there, `after a merge of ${what} models others are there`, `${held}, not ${there}`);
  }
}

/** The attacks of this file. */
export const moved = [
  { name: "restores", attack: files },
  { name: "merges", attack: merges },
];
