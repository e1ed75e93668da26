/** The web shop of examples/ guesses next pages better than the Markov chains that it compares itself with. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { numbersIn, runExample } from "../support/examples/example-run";
import { Server } from "../support/server/server";

const COMMAND = [process.execPath, "examples/web-shop/next-page.mjs"] as const;

/** It learns thousands of visits twice, which takes a busy machine minutes. */
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
  // A second run begins anew: the same guesses.
  expect(row((await runExample(server.address, ...COMMAND)).output, "Noema")).toEqual([first, amongThree]);
});

test("says what to do where no server answers", async () => {
  const { code, output } = await runExample("http://127.0.0.1:9", ...COMMAND);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^The server at http:\/\/127\.0\.0\.1:9 does not serve this example: there was no answer: .*\. Run "npm start" in another terminal first\.\n$/,
  );
});
