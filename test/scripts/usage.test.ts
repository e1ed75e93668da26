/** A script that is asked for help, or misspelt, says what it takes and does nothing: a whole benchmark takes half an hour. */

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

function run(script: string, argument: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, argument], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test.each([
  ["scripts/serve.mjs", "STATE_DIR", "npm start: "],
  ["scripts/check-state.mjs", "STATE_DIR", "npm run check-state: "],
  ["scripts/screenshots.mjs", "CHROMIUM", "npm run screenshots: "],
  ["test/bench/run.mjs", "split-simulation", "npm run bench -- "],
])("%s says what it takes", (script, word, start) => {
  const help = run(script, "--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout.startsWith(start)).toBe(true);
  expect(help.stdout).toContain(word);
  const refused = run(script, "strange");
  expect(refused).toEqual({ status: 2, stdout: "", stderr: `"strange" is not accepted.\n\n${help.stdout}` });
});

test("the attacks are listed with their parts, and no server is started", () => {
  const { status, stdout } = run("test/torture/run.mjs", "--help");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^npm run torture -- .*\n {2}crash: writes\n/);
  const attacks = readdirSync("test/torture/attacks").map((file) => basename(file, ".mjs"));
  expect(attacks.filter((name) => stdout.includes(`  ${name}: `)).length).toBeGreaterThan(10);
});
