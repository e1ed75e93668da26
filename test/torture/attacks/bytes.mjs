/**
 * Attacks the budgets of bytes, values, frames and time: what comes in, what is held, what is answered, and who waits
 * meanwhile. Each part has a server of its own and a bound of time.
 */

import { answers } from "./bytes/answers.mjs";
import { devices } from "./bytes/devices.mjs";
import { fairness } from "./bytes/fairness.mjs";
import { held } from "./bytes/held.mjs";
import { intake } from "./bytes/intake.mjs";
import { moved } from "./bytes/moved.mjs";
import { deleted } from "./bytes/stored.mjs";
import { judge } from "./bytes/target.mjs";

const ATTACKS = [...intake, ...fairness, ...held, ...answers, ...deleted, ...moved, ...devices];

async function run(context) {
  for (const attack of ATTACKS.filter(({ name }) => context.parts.includes(name))) {
    const inTime = context.report.expect(
      performance.now() < context.deadline,
      `${attack.name}: no time was left for it`,
    );
    if (inTime) await judge(context, attack);
  }
}

/** The attack. */
export const bytes = {
  name: "bytes",
  about:
    "bodies, streams, memories and answers of very many bytes: workerd lives, memory is bounded, others are served",
  parts: ATTACKS.map(({ name }) => name),
  // The others take long, or say little within a few seconds.
  partsInShort: ["blacklist"],
  sizes: {
    short: {
      each: 60,
      watch: 3,
      streams: 20,
      chunks: 200_000,
      open: 5,
      clients: 50,
      events: 50,
      symbol: 500,
      sessions: 200,
      lines: 50_000,
      models: 10_000,
      seconds: 120,
    },
    long: {
      each: 300,
      watch: 10,
      streams: 40,
      chunks: 2_000_000,
      open: 30,
      clients: 500,
      events: 100,
      symbol: 500,
      sessions: 500,
      lines: 500_000,
      models: 100_000,
      seconds: 3600,
    },
  },
  run,
};
