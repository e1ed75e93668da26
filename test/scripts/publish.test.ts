/** Builds that end at the same moment leave one whole bundle. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const PUBLISH = pathToFileURL(join(import.meta.dirname, "../../scripts/publish.mjs"));
const BUILDS = 4;
/** Enough that to delete them takes longer than the builds are apart. */
const FILES = 300;

function makeBundle(folder: string, inputs: string): void {
  mkdirSync(folder);
  for (let at = 0; at < FILES; at++) writeFileSync(join(folder, `file-${at}`), inputs);
  writeFileSync(join(folder, "inputs"), inputs);
}

/** Publishes in a process of its own, at a given moment. */
async function publishAt(moment: number, folder: string, target: string): Promise<number> {
  const script = `
    const { publish } = await import("${PUBLISH}");
    while (Date.now() < ${moment});
    publish(${JSON.stringify(folder)}, ${JSON.stringify(target)}, { stamp: "inputs", inputs: "new" });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code;
}

test("four builds of the same sources leave one whole bundle, and what was there before is gone", async () => {
  const root = mkdtempSync(join(tmpdir(), "noema-publish-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const target = join(root, "dist");
  makeBundle(target, "old");
  writeFileSync(join(target, "only-before"), "");
  const folders = Array.from({ length: BUILDS }, (_, at) => `${target}.${at}`);
  for (const folder of folders) makeBundle(folder, "new");
  const moment = Date.now() + 1000;
  expect(await Promise.all(folders.map((folder) => publishAt(moment, folder, target)))).toEqual(folders.map(() => 0));
  expect(readdirSync(target)).toHaveLength(FILES + 1);
  for (const file of readdirSync(target)) expect(readFileSync(join(target, file), "utf8")).toBe("new");
  expect(readdirSync(root).filter((name) => name.endsWith(".before"))).toEqual([]);
});
