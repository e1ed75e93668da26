/**
 * Fills a processor with much, and then deletes or rewrites all of it by one call; asks a split one for what costs most;
 * and reads what memories keep to look at.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR } from "../../client.mjs";

/** Symbols of a record of 600 kB. */
const SYMBOLS = 2;
const SYMBOL_BYTES = 300_000;

/** How long what was deleted may take to leave the disk, in milliseconds. */
const GONE_MS = 30_000;

/** A record of as many bytes. */
const record = (name) => ({
  data: { strings: Array.from({ length: SYMBOLS }, (_, at) => `${name}${at}`.padEnd(SYMBOL_BYTES, "x")) },
});

/** Makes sessions of 600 kB each, a few at a time. */
async function sessions(target) {
  const names = Array.from({ length: target.sizes.sessions }, (_, at) => `s${at}`);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        await target.succeed("POST", `sessions/${name}/observe`, record(name));
    }),
  );
}

/** Bytes of the processor's storage. */
async function stored(target) {
  const { message } = JSON.parse(await target.succeed("GET", "/processors"));
  return message.find(({ id }) => id === PROCESSOR).storage_bytes;
}

/** Clears everything; then nothing is there, sessions begin anew, and the disk has room again. */
async function clearing(target) {
  const full = await stored(target);
  const began = performance.now();
  await target.succeed("POST", "clear-all-memory");
  target.figure("clear-all-memory (ms)", (performance.now() - began).toFixed(0));
  const left = await target.succeed("GET", "sessions");
  target.expect(!left.includes('"s1"'), "sessions are left", left.slice(0, 200));
  await target.succeed("POST", "sessions/s1/observe", { data: { strings: ["anew"] } });
  const memory = await target.succeed("GET", "sessions/s1/working-memory");
  target.expect(memory.includes('[["anew"]]'), "a session does not begin anew", memory.slice(0, 200));
  for (const end = began + GONE_MS; performance.now() < end && (await stored(target)) > full / 10; ) await sleep(200);
  const bytes = await stored(target);
  target.expect(bytes <= full / 10, "what was cleared stays on the disk", `${bytes} of ${full} bytes`);
}

/** Lists of very many values about the past, and what memories keep to look at. */
async function looking(target) {
  await target.succeed("POST", "genes/change", { data: { history: 1000 } });
  for (let at = 0; at < 30; at++) await target.call("POST", "observe", record(`h${at}`));
  const many = Array.from({ length: 400 }, (_, at) => ({
    strings: Array.from({ length: 100 }, (_, i) => `${at} ${i}`),
  }));
  for (const data of many) await target.call("POST", "observe", { data });
  for (const path of ["history?limit=500", "/devices?limit=10000", "incidents?limit=500", "encoders"])
    await target.call("GET", path);
  const sequence = Array.from({ length: 1000 }, (_, at) => [`${at % 400} 1`]);
  const wide = Array(50_000).fill("1 1");
  for (const data of [{ sequence }, { sequence: [wide, wide] }, { sequence: Array(50_000).fill(["1 1"]) }]) {
    await target.call("POST", "surprise/sequence", { data });
    await target.call("POST", "surprise/explain", { data: { ...data, event: ["2 1"] } });
    await target.call("POST", "surprise/explain", { data: { ...data, event: wide } });
    await target.call("POST", "forecast/explain", { data: { ...data, symbol: "2 1", horizon: 10 } });
  }
}

/** The split processor. */
const SPLIT = "split1";

/** A split processor learns and answers what costs most, and is cleared. */
async function split(target) {
  const call = (method, path, body) => target.call(method, `/${SPLIT}/${path}`, body);
  for (let at = 0; at < 100; at++) {
    const long = `${at}`.padEnd(1_000_000, "y");
    await call("PUT", "add-model", { sequence: [["a", long], ["b"]] });
  }
  await call("POST", "observe", { data: { strings: ["a"] } });
  for (let round = 0; round < 3; round++) {
    await call("POST", "predictions");
    await call("POST", "predictions", { data: { top: 5 } });
    await call("POST", "forecast", { data: { horizon: 10, top: 1000 } });
    await call("GET", "models?limit=500");
    await call("POST", "observe", { data: { strings: Array.from({ length: 90_000 }, (_, at) => `${at}`) } });
    await call("POST", "working-memory/clear");
    await call("POST", "observe", { data: { strings: ["a"] } });
  }
  await call("GET", "get_kb/raw");
  await target.succeed("POST", `/${SPLIT}/clear-all-memory`);
}

/** The attacks of this file. */
export const deleted = [
  { name: "clearing", prepare: sessions, attack: clearing },
  { name: "looking", attack: looking },
  { name: "split", nodes: [[{ id: PROCESSOR }, { id: SPLIT, parts: 3 }]], attack: split },
];
