/**
 * Makes plans of issued keys: some are made and deleted, others use them meanwhile, in one isolate or two, while
 * everything goes wrong.
 */

import { EPOCH_S } from "./plan.mjs";

const NAMES = ["k0", "k1", "k2", "k3"];

/** What keys may do. */
const RIGHTS = [
  () => ({ roles: ["read", "observe"] }),
  () => ({ roles: ["read"] }),
  () => ({ roles: ["observe"], processors: ["p1"] }),
  () => ({ roles: ["observe", "read"], sessions: ["s*"] }),
  (random) => ({ roles: ["read", "observe"], expires: EPOCH_S + random.between(5, 60) }),
  (random) => ({ roles: ["read", "observe"], per_minute: random.between(1, 4) }),
];

/** What those who have a key do, and which role it takes. */
const USES = [
  ["GET working-memory", "read"],
  ["POST learn", "learn"],
  ["POST observe", "observe"],
  ["GET all-genes", "read"],
];

/** How long clients wait before a step, in milliseconds: what is deleted is refused everywhere after 30 s. */
const PAUSES = [2, 20, 300, 1_200, 4_000, 12_000, 31_000];

export const lengths = [
  [1, [4, 12]],
  [2, [20, 70]],
];

export const whoTakesPart = () => ["admin", "user", "user-2", "user-3"].map((client) => ({ client }));

/** A step: `makes` and `deletes` name a key, as does `uses`. */
export function stepOf(random, id, { client }) {
  const name = random.one(NAMES);
  const pause = random.one(PAUSES);
  if (client !== "admin") {
    const [call, role] = random.one(USES);
    const data = { strings: ["a"], vectors: [], emotives: {}, metadata: {}, unique_id: `u${id}` };
    const body = call === "POST observe" ? { body: { data } } : {};
    const processor = random.one(["p1", "p1", "p2"]);
    const session = call === "GET all-genes" ? "" : random.one(["", "s1"]);
    return { id, client, processor, session, call, ...body, role, uses: name, pause };
  }
  if (random.chance(0.6)) return { id, client, makes: name, rights: random.one(RIGHTS)(random), pause };
  return { id, client, deletes: name, pause: random.below(300) };
}
