/**
 * A machine that never stops, as part of the history: numbers and their encoders, a memory that rolls on, a limit of models, sessions with hundreds of
 * sources, alerts that wait, and issued keys.
 */

import { SECRET } from "../alerts/webhook";
import type { Server } from "../server/server";
import type { Reading } from "./answers";

/** The processor that observes the machine. The genome sets its genes. */
export const MACHINE = "p8";

/** Where the webhook of the alerts would be. No program listens there while a history is played, so what it is told waits. */
export const WEBHOOK_PORT = 21841;
export const WEBHOOK_HOST = `127.0.0.1:${WEBHOOK_PORT}`;

/** The genes of the processor as its node has them. */
export const MACHINE_GENES = {
  auto_learn_metric: "wm_size",
  max_models: 40,
  max_sequence_length: 4,
  session_ttl: 0,
  wm_mode: "rolling",
  wm_resolution: "event",
};

const EVENTS = 60;
/** More than a row of a memory holds. */
const SOURCES = 300;
/** The session of a second machine, and the one that hundreds of sources observe in. */
const PRESS = "press 3";
const FLEET = "fleet";

const ENCODERS = {
  deleted: { kind: "step", size: 1 },
  temp: { kind: "step", size: 0.5, origin: 0.1, hysteresis: 0.2 },
  "load é": { kind: "edges", edges: [1, 2.5, 7], on_change: true },
} as const;

const CONDITIONS = {
  deleted: { learned: true },
  learned: { learned: true },
  surprise: { surprise_above: 3 },
  failure: { forecast: { symbol: "failed", above: 0.25, horizon: 3 } },
} as const;

/** What is measured at a moment: a wave of fourteen events with a failure in each. */
function measured(at: number) {
  const temp = 20 + Math.abs((at % 14) - 7) * 0.37;
  const strings = at % 14 === 10 ? ["failed"] : [];
  return {
    strings,
    numbers: { temp, "load é": ((at * 5) % 7) + 0.5 },
    emotives: { wear: at / 8 },
    unique_id: `moment-${at}`,
  };
}

/** A call of an operation, such as `POST observe`, in a session of the processor. */
function inSession(session: string, call: string): string {
  return call.replace(" ", ` /${MACHINE}/sessions/${encodeURIComponent(session)}/`);
}

/** Plays this part on a server whose genome has the processor. Throws when a call fails. */
export async function playMachine(server: Server): Promise<void> {
  const call = (operation: string, body?: unknown) => server.okay(operation.replace(" ", ` /${MACHINE}/`), body);
  for (const [name, data] of Object.entries(ENCODERS)) {
    await call(`PUT encoders/${encodeURIComponent(name)}`, { data });
  }
  await call("DELETE encoders/deleted");
  for (const [name, when] of Object.entries(CONDITIONS)) {
    await call(`PUT alerts/${name}`, { data: { when, url: `http://${WEBHOOK_HOST}/okay`, secret: SECRET } });
  }
  await call("DELETE alerts/deleted");
  await call("POST autolearning/start");
  for (let source = 0; source < SOURCES; source++) {
    await server.okay(inSession(FLEET, "POST observe"), delivered(source, 1));
  }
  for (let at = 0; at < EVENTS; at++) {
    await call("POST observe", { data: measured(at) });
    if (at % 3 === 0) await server.okay(inSession(PRESS, "POST observe"), { data: measured(at + 5) });
  }
}

function delivered(source: number, number: number) {
  return {
    data: { numbers: { temp: source }, unique_id: "delivered" },
    delivery: { source: `press ${source}`, number },
  };
}

/** Calls that follow: in which bins the numbers were, and what was taken before. */
export const MACHINE_CONTINUATION: readonly Reading[] = [
  ...["POST observe", inSession(PRESS, "POST observe")].flatMap((observe) => {
    const path = observe.includes("/") ? observe : observe.replace(" ", ` /${MACHINE}/`);
    return [EVENTS, EVENTS + 1, EVENTS + 2].map((at) => ({ call: path, body: { data: measured(at) } }));
  }),
  ...[0, 1, SOURCES / 2, SOURCES - 1].flatMap((source) =>
    [1, 2].map((number) => ({ call: inSession(FLEET, "POST observe"), body: delivered(source, number) })),
  ),
  ...["", `sessions/${encodeURIComponent(PRESS)}/`, `sessions/${FLEET}/`].flatMap((memory) =>
    ["GET working-memory", "GET percept-data", "GET status", "POST forecast"].map((reading) => ({
      call: reading.replace(" ", ` /${MACHINE}/${memory}`),
    })),
  ),
  { call: `GET /${MACHINE}/get_kb` },
];

/** What the keys of the history may do, and what each that is left reads. */
const KEYS = [
  { key: { name: "deleted", roles: ["read"] }, reads: undefined },
  { key: { name: "reads", roles: ["read", "manage"], processors: [MACHINE] }, reads: `GET /${MACHINE}/alerts` },
  {
    key: { name: "sensor", roles: ["observe"], sessions: ["press*"], per_minute: 100_000, expires: 9_999_999_999 },
    reads: inSession(PRESS, "GET working-memory"),
  },
] as const;

/** Issues keys and deletes one. Returns a call with each of the others. */
export async function issueKeys(server: Server): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const { key: data, reads } of KEYS) {
    const { id, key } = (await server.okay("POST /keys", { data })).message;
    if (reads === undefined) await server.okay(`DELETE /keys/${id}`);
    else readings.push({ call: reads, key });
  }
  return readings;
}
