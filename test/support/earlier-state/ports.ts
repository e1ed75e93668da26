/** The ports that the states of earlier releases name: two runs of their tests on one machine take turns. */

import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Who listens here may use the others, 21839 and 21841. The system frees it when its process ends in whatever way. */
const TURN_PORT = 21838;
const RETRY_MS = 200;

/** Waits until no other run has the ports. Returns what lets the next one go on. */
export async function takePorts(): Promise<() => Promise<void>> {
  for (;;) {
    const turn = createServer();
    try {
      await once(turn.listen(TURN_PORT, "127.0.0.1"), "listening");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      await sleep(RETRY_MS);
      continue;
    }
    return async () => {
      const closed = once(turn, "close");
      turn.close();
      await closed;
    };
  }
}
