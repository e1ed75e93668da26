/** Kills a server while devices observe, so that tests can look at what survives. */

import { Server } from "./server";

const DEVICES = 4;
/** Observes that are answered before the kill. */
const ANSWERED_BEFORE_KILL = 100;

/** The symbols that were observed in all crashes so far. */
export interface Observed {
  sent: Set<string>;
  answered: Set<string>;
}

/** One crash: where, which observe call the devices make, and with which data for a symbol. */
export interface Crash {
  server: Server;
  call: string;
  dataOf: (symbol: string) => object;
  /** Begins every symbol, so that crashes do not share symbols. */
  prefix: string;
  observed: Observed;
  /** How the server ends: killed, unless this says otherwise. */
  end?: (server: Server) => Promise<unknown>;
}

/** The prefixes of the devices' symbols: device number 2 sends `<its prefix>0`, `<its prefix>1`, … one after the other. */
export function devicePrefixes(prefix: string): string[] {
  return Array.from({ length: DEVICES }, (_, device) => `${prefix}-${device}-`);
}

/**
 * Lets all devices observe at once, kills the server in the middle, and starts it again on the same state. A count decides when
 * to kill, not a time, so a slow machine tests as much as a fast one.
 *
 * @returns the server that runs now
 * @throws Error when an observe fails before the kill
 */
export async function crashWhileObserving({ server, call, dataOf, prefix, observed, end }: Crash): Promise<Server> {
  let killed: Promise<unknown> | undefined;
  let left = ANSWERED_BEFORE_KILL;
  const observe = async (device: string) => {
    for (let count = 0; ; count++) {
      const symbol = `${device}${count}`;
      observed.sent.add(symbol);
      try {
        await server.okay(call, { data: dataOf(symbol) });
      } catch (error) {
        if (killed === undefined) throw error;
        return;
      }
      observed.answered.add(symbol);
      left--;
      if (left === 0) killed = end?.(server) ?? server.kill();
    }
  };
  await Promise.all(devicePrefixes(prefix).map(observe));
  await killed;
  return Server.start(server.stateDir);
}
