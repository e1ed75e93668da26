/**
 * Calls that follow the history. They show what no reading does: vectors and emotives that wait for a learn, ages of models, the oldest
 * values within the persistence.
 */

import type { Reading } from "./answers";
import { CHAINED, inSession, KITCHEN, SESSIONS } from "./history";
import { MACHINE_CONTINUATION } from "./machine";

/** What a source sends again, and what it sends next. */
function deliveriesTo(session: string): Reading[] {
  return [1, 2].map((number) => ({
    call: inSession(session, "POST observe"),
    body: { data: { strings: ["tea"], unique_id: `delivery-${number}` }, delivery: { source: "source 0", number } },
  }));
}

/** Each is equally far from two of the vectors that the history leaves. */
const BETWEEN_DIRECTIONS = [
  [0.25, 0.25],
  [-0.25, -0.25],
  [3, 3],
  [-3, -3],
] as const;

function continuation(id: string): Reading[] {
  const data = { strings: ["tea", "a1", "bus"], emotives: { joy: 0.7 }, metadata: { on: true }, unique_id: "next" };
  const vectors = id === "p1" ? [[1, -1, 0.5]] : [];
  return [
    { call: `POST /${id}/learn` },
    { call: `GET /${id}/get_kb` },
    { call: `POST /${id}/observe`, body: { data: { ...data, vectors } } },
    { call: `POST /${id}/predictions` },
    { call: `POST /${id}/observe`, body: { data: { strings: ["b9"], unique_id: "last" } } },
    { call: `GET /${id}/cognition-data` },
    { call: `POST /${id}/learn` },
    { call: `GET /${id}/status` },
    { call: `GET /${id}/get_kb` },
  ];
}

/** All calls that follow, in their order. */
export const CONTINUATION: readonly Reading[] = [
  ...SESSIONS.flatMap((session) => [
    ...deliveriesTo(session),
    { call: inSession(session, "POST predictions") },
    { call: inSession(session, "POST learn") },
    { call: inSession(session, "GET status") },
  ]),
  ...CHAINED.flatMap((id) => continuation(id)),
  ...MACHINE_CONTINUATION,
  ...BETWEEN_DIRECTIONS.map((vector) => ({
    call: "POST /p6/observe",
    body: { data: { vectors: [vector], unique_id: "between" } },
  })),
  { call: "GET /p6/working-memory" },
  ...[{ call: "POST /P1/sleeping/stop" }, ...continuation("P1")].map((reading) => ({ ...reading, host: KITCHEN })),
];
