/** The fleet of examples/: bad links lose and repeat, no record is lost or counted twice, and the broken heater is noticed. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { numbersIn, runExample } from "../support/examples/example-run";
import { Server } from "../support/server/server";

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

test("counts each record once, and notices the fault at once", async () => {
  const { code, output } = await runExample(server.address, process.execPath, "examples/fleet/fleet.mjs");
  expect(code, output).toBe(0);
  const links = numbersIn(output, /lost (\d+) requests and (\d+) answers, and delivered (\d+) requests twice/);
  expect(Math.min(...links)).toBeGreaterThan(500);
  const [sent, counted, wrong] = numbersIn(
    output,
    /sent (\d+) generated records; the processor counted (\d+)\. Washers with another count: (\d+)\./,
  );
  expect(sent).toBeGreaterThan(3000);
  expect([counted, wrong]).toEqual([sent, 0]);
  const [cycles, symbols, known, knownSymbols] = numbersIn(
    output,
    /learn (\d+) cycles of (\d+) symbols; it knows (\d+) cycles of (\d+) symbols/,
  );
  expect([known, knownSymbols]).toEqual([cycles, symbols]);
  expect(output).toContain("The heater of washer-13 broke before cycle 12. Noticed in cycle 12, at its record 4: ");
  const [falseAlarms] = numbersIn(output, /^False alarms: (\d+) in 155 watched cycles without a fault\.$/m);
  expect(falseAlarms).toBeLessThanOrEqual(4);
});

test("the server has what the example says", async () => {
  const { message: sessions } = await server.okay("GET /fleet/sessions");
  // All cycles are over, so every memory is empty.
  expect(sessions.map(({ events }: { events: number }) => events)).toEqual(Array.from({ length: 20 }, () => 0));
  // Number 1 of a washer came before.
  const body = { data: { strings: ["again"] }, delivery: { source: "washer-1", number: 1 } };
  const { message } = await server.okay("POST /fleet/sessions/washer-1/observe", body);
  expect(message.redelivered).toBe(true);
});
