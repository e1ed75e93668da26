/** The web shop of examples/ guesses next pages better than the Markov chains that it compares itself with. */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleEnvironment, numbersIn, runExample } from "../support/examples/example-run";
import { waitForOutput } from "../support/server/child-output";
import { Server } from "../support/server/server";

const COMMAND = [process.execPath, "examples/web-shop/next-page.mjs"] as const;

/** It learns a thousand visits twice, which takes a busy machine minutes. */
const LONG_MS = 300_000;

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

/** The two percentages of a row. */
function row(output: string, name: string): number[] {
  return numbersIn(output, new RegExp(`^${name} +([\\d.]+) % +([\\d.]+) %$`, "m"));
}

test("guesses more than two pages of three, and more than any chain, and leaves other processors and no session", {
  timeout: LONG_MS,
}, async () => {
  await server.okay("POST /P1/observe", { data: { strings: ["mine"] } });
  // A run that is ended in its middle leaves what it has learned, and visitors who are under way: the next one begins anew.
  const ended = spawn(COMMAND[0], COMMAND.slice(1), { env: exampleEnvironment(server.address), stdio: "pipe" });
  await waitForOutput(ended, /^Learned 1000 /m);
  ended.kill();
  const { code, output } = await runExample(server.address, ...COMMAND);
  expect(code, output).toBe(0);
  const [first = 0, amongThree = 0] = row(output, "Noema");
  expect(first).toBeGreaterThan(68);
  expect(amongThree).toBeGreaterThan(83);
  for (const name of ["Markov chain of order 1", "Markov chain of order 3, back-off", "most popular page"]) {
    const [other = 100, otherAmongThree = 100] = row(output, name);
    expect(first, name).toBeGreaterThan(other);
    expect(amongThree, name).toBeGreaterThan(otherAmongThree);
  }
  expect((await server.okay("GET /P1/working-memory")).message).toEqual([["mine"]]);
  expect((await server.okay("GET /web-shop/sessions")).message).toEqual([]);
  const shown = readFileSync("examples/web-shop/README.md", "utf8");
  expect(row(shown, "Noema")).toEqual([first, amongThree]);
});

test("says what to do where no server answers", async () => {
  const { code, output } = await runExample("http://127.0.0.1:9", ...COMMAND);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^The server at http:\/\/127\.0\.0\.1:9 does not serve this example: there was no answer: .*\. Run "npm start" in another terminal first\.\n$/,
  );
});
