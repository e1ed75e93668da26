/**
 * Puts devices behind a proxy that loses, repeats and delays requests and answers, and kills the server in between: what is there in the
 * end must be what is there without any loss, to the byte. The devices live the same random lives on both.
 */

import { Server } from "../server.mjs";

/** The parts: how the devices of each make their calls repeatable, and where they live. */
const PARTS = {
  keys: { how: "idempotency keys", home: "processor" },
  numbers: { how: "delivery numbers", home: "processor" },
  "keys-in-sessions": { how: "idempotency keys", home: "session" },
  "numbers-in-sessions": { how: "delivery numbers", home: "session" },
};

const DEVICES = 3;

async function run({ report, sizes, load, parts, random, deadline }) {
  const { trial } = await load("/test/support/flaky-links/trial.ts");
  const start = (stateDir) => Server.start(stateDir === undefined ? {} : { stateDir });
  for (let number = 0; number < sizes.trials; number++) {
    for (const part of parts) {
      if (performance.now() > deadline) return;
      const seed = random.below(1_000_000);
      const found = await trial({
        start,
        ...PARTS[part],
        seed,
        devices: DEVICES,
        calls: sizes.calls,
        kills: sizes.kills,
      });
      for (const each of found.differences) {
        report.fail(
          `${part}: ${each.split(" ", 4).join(" ")} differs from a life without losses`,
          `seed ${seed}: ${each}`,
        );
      }
      report.expect(found.observed > 0, `${part}: nothing was told the observing processor`);
      report.count("calls", DEVICES * sizes.calls);
      report.count("kills", found.kills);
      report.count("events told", found.observed);
      for (const [fate, count] of found.fates) report.count(`requests: ${fate}`, count);
    }
  }
}

/** The attack. */
export const flakyLinks = {
  name: "flaky-links",
  about: "links that lose, repeat and delay, and SIGKILL: everything takes effect once",
  parts: Object.keys(PARTS),
  sizes: {
    short: { trials: 1, calls: 20, kills: 1, seconds: 120 },
    long: { trials: 10, calls: 150, kills: 3, seconds: 1200 },
  },
  run,
};
