/**
 * Devices on links that lose, repeat and reorder, and a server that is killed in between: with idempotency keys, and with delivery numbers,
 * everything ends as without a loss, bit for bit.
 */

import { expect, test } from "vitest";
import { trial } from "../support/flaky-links/trial";
import { Server } from "../support/server/server";

/** Calls of each device. `FLAKY_CALLS=5000` makes it long. */
const CALLS = Number(process.env.FLAKY_CALLS ?? 40);

const KILLS = Math.max(2, Math.floor(CALLS / 200));

/** Most of a long run is waiting for answers that were lost. */
const TIMEOUT_MS = 120_000 + 100 * CALLS;

test.each([
  ["idempotency keys", "processor"],
  ["delivery numbers", "processor"],
  ["idempotency keys", "session"],
  ["delivery numbers", "session"],
] as const)("%s, each device in a %s of its own", { timeout: TIMEOUT_MS }, async (how, home) => {
  const seed = Number(process.env.FLAKY_SEED ?? 1);
  const start = (stateDir?: string) => Server.start(stateDir);
  const { differences, fates, kills, observed } = await trial({
    start,
    how,
    home,
    seed,
    devices: 3,
    calls: CALLS,
    kills: KILLS,
  });
  expect(differences).toEqual([]);
  expect(kills).toBe(KILLS);
  expect(observed).toBeGreaterThan(0);
  expect([...fates.keys()].sort()).toEqual([
    "answer cut",
    "answer lost",
    "late",
    "passes",
    "request lost",
    "sent twice",
  ]);
});
