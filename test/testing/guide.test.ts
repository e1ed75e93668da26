/** The examples of docs/testing.md run. */

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);

/** The examples in JavaScript, by what they import: a test runner, or Miniflare. */
const examples = [...readFileSync("docs/testing.md", "utf8").matchAll(/^```js\n(.*?)^```/gms)].map(
  ([, code = ""]) => code,
);

function exampleWith(runner: string): string {
  const found = examples.filter((code) => code.includes(`from "${runner}"`));
  expect(found).toHaveLength(1);
  return found[0] ?? "";
}

/** A folder in this project, so that its packages are found. */
function folderWith(file: string, code: string): string {
  const folder = mkdtempSync(resolve("build", "testing-guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, file), code);
  return folder;
}

test("with Vitest", async () => {
  const folder = folderWith("noema.test.js", exampleWith("vitest"));
  // Not this project's, but with limits that a busy machine keeps.
  const limits = "{ testTimeout: 100_000, hookTimeout: 100_000 }";
  writeFileSync(join(folder, "vitest.config.js"), `export default { test: ${limits} };\n`);
  const { stdout } = await run(process.execPath, [resolve("node_modules/vitest/vitest.mjs"), "run", "--root", folder]);
  expect(stdout).toMatch(/1 passed/);
});

test("with Node's own test runner", async () => {
  const file = join(folderWith("noema.test.mjs", exampleWith("node:test")), "noema.test.mjs");
  const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", file]);
  expect(stdout).toMatch(/^# pass 1$/m);
});

test("with a Worker of one's own", async () => {
  const folder = folderWith("worker.mjs", exampleWith("miniflare"));
  const { stdout } = await run(process.execPath, [join(folder, "worker.mjs")]);
  expect(stdout).toBe("200\n");
});

test("names the Miniflare that this project is tested with", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(readFileSync("docs/testing.md", "utf8")).toContain(
    `npm install --save-dev miniflare@${devDependencies.miniflare}\n`,
  );
});
