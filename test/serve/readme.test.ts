/** README.md tells the truth: its tour of requests gives the output that it shows, and its genes are those of the table. */

import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { GENES } from "../../src/processor/genes/table";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const README = readFileSync("README.md", "utf8");
const LONG_MS = 120_000;

/** The only differences between two runs. */
function timeless(text: string): string {
  return text.replace(/"time_stamp":\d+/g, '"time_stamp":0').replace(/"unique_id":"[0-9a-f-]{36}"/g, '"unique_id":""');
}

test("the tour's requests give the output that it shows", { timeout: LONG_MS }, async () => {
  const console = /```console\n(.*?)```/s.exec(README)?.[1] ?? "";
  const steps = [...console.matchAll(/^\$ curl -H "\$KEY" \$P(\/\S+) (?:-X POST|-d '(.*)')\n(.*)$/gm)];
  expect(steps).toHaveLength(5);
  const [, processor = ""] = /^P=http:\/\/127\.0\.0\.1:8787(\/\w+)$/m.exec(README) ?? [];
  const server = await Server.start();
  onTestFinished(() => server.discard());
  for (const [, path, body, shown = ""] of steps) {
    // What curl sends with -d, and what it accepts.
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "*/*" };
    const { text } = await server.send({ method: "POST", path: processor + path, body, headers });
    expect(timeless(text)).toBe(timeless(shown));
  }
});

test("every gene stands in the table with its default, or among those without effect", {
  timeout: LONG_MS,
}, async () => {
  const rows = new Map(
    [...README.matchAll(/^\| `(\w+)` \| `(.+?)` \|/gm)].map(([, name = "", shown]) => [name, shown]),
  );
  const without = /have no effect: (.*?)\.\n\n/s.exec(README)?.[1]?.match(/\w+(?=`)/g) ?? [];
  const server = await Server.start();
  onTestFinished(() => server.discard());
  const { genes } = (await ask(server, "GET all-genes")) as { genes: Record<string, unknown> };
  const shown = Object.keys(GENES).filter((name) => rows.has(name));
  expect([...shown, ...without].sort()).toEqual(Object.keys(GENES).sort());
  for (const name of shown) expect(`${name} ${rows.get(name)}`).toBe(`${name} ${genes[name]}`);
});

test("every command that it names exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = [...README.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = ""]) => name);
  // `npm ci` is npm's own, and the scripts are described as what `npm run` runs.
  const own = named.filter((name) => name !== "ci" && name !== "run");
  expect(own.length).toBeGreaterThan(5);
  expect(own.filter((name) => !(name in scripts))).toEqual([]);
});
