/**
 * Makes plans of MQTT: clients publish, subscribe, leave, vanish and come back, with sessions that are kept and wills,
 * while everything goes wrong. Each has a memory of its own, so that the order of its messages can be read there.
 */

/** Symbols of clients whose messages are all of QoS 2: what they learn repeats. */
const SYMBOLS = ["a", "b", "c"];

/** How long a client is away, in milliseconds: shorter and longer than keep alives, delays of wills, and sessions. */
const AWAY_MS = [5, 300, 3_000, 12_000, 40_000];

/**
 * Who takes part. `style`: `exact` publishes with QoS 2 only, and observes, learns and clears; `mixed` observes with any
 * QoS; `hearer` subscribes, above all. `isKept`: whether its session is.
 */
const CLIENTS = [
  { client: "exact", style: "exact", processor: "p1", isKept: true },
  { client: "exact-2", style: "exact", processor: "p2", isKept: true },
  { client: "mixed", style: "mixed", processor: "p1", isKept: true },
  { client: "passing", style: "mixed", processor: "p2", isKept: false },
  { client: "hearer", style: "hearer", processor: "p1", isKept: true },
  { client: "hearer-2", style: "hearer", processor: "p2", isKept: true },
  { client: "listener", style: "hearer", processor: "p1", isKept: false },
];

/** In this part of the plans, each client has an issued key of its own: `isIssued`. */
const ISSUED = 0.25;

export const lengths = [
  [1, [4, 14]],
  [1, [20, 60]],
];

export function whoTakesPart(random) {
  const all = CLIENTS.filter(() => random.chance(0.5));
  const issued = random.fork("keys").chance(ISSUED) ? { isIssued: true } : {};
  return (all.length === 0 ? [CLIENTS[0]] : all).map((who) => ({ ...who, ...habitsOf(random, who), ...issued }));
}

/** How a client connects. */
function habitsOf(random, { style, isKept }) {
  const version = random.one([4, 5]);
  const hasWill = random.chance(0.5);
  const isShort = isKept && version === 5 && style !== "exact" && random.chance(0.3);
  const expiryS = isShort ? 20 : 3_600;
  return {
    version,
    // 3.1.1 cannot say how long: what is kept is kept for 7 days.
    expiryS: version === 4 ? 604_800 : expiryS,
    keepAliveS: random.one([0, 20, 60]),
    receiveMaximum: version === 5 && random.chance(0.3) ? random.between(1, 3) : undefined,
    window: random.one([1, 4, 16]),
    ...(hasWill && { will: { qos: random.between(0, 2), delayS: version === 5 ? random.one([0, 0, 10]) : 0 } }),
  };
}

const FILTERS = [
  "noema/p1/sessions/+/observed",
  "noema/p1/sessions/exact/#",
  "noema/+/sessions/mixed/observed",
  "noema/+/sessions/+/observed",
  "noema/p2/sessions/exact-2/learned",
  "noema/P1/sessions/exact/forecast",
  "noema/p2/#",
];

/** What a client publishes. */
const PUBLISHED = {
  exact: [
    [10, (random) => ({ verb: "observe", symbols: [[random.one(SYMBOLS)]] })],
    [3, (random) => ({ verb: "observe", symbols: [[random.one(SYMBOLS)], [random.one(SYMBOLS), "z"]] })],
    [4, () => ({ verb: "learn" })],
    [1, () => ({ verb: "clear" })],
    [2, (random) => ({ verb: "route", symbols: [[`v=${random.one(SYMBOLS)}`]] })],
    [1, () => ({ verb: "unroutable" })],
    [1, () => ({ verb: "malformed" })],
  ],
  mixed: [
    [10, (_random, id) => ({ verb: "observe", symbols: [[`m${id}`]] })],
    [2, (_random, id) => ({ verb: "observe", symbols: [[`m${id}`], [`n${id}`]] })],
    [2, (_random, id) => ({ verb: "route", symbols: [[`v=m${id}`]] })],
    [1, () => ({ verb: "malformed" })],
  ],
};
PUBLISHED.hearer = PUBLISHED.mixed;

const published = (random, id, style) => ({
  does: "publish",
  ...random.weighted(PUBLISHED[style])(random, id),
  qos: style === "exact" ? 2 : random.one([0, 1, 1, 2, 2]),
});

/** What a client does. */
const DOES = {
  exact: [
    [30, published],
    [2, (random) => ({ does: "leave", ms: random.one(AWAY_MS) })],
    [4, (random) => ({ does: "vanish", ms: random.one(AWAY_MS) })],
    [2, () => ({ does: "take over" })],
    [1, () => ({ does: "ping" })],
  ],
  mixed: [
    [24, published],
    [2, (random) => ({ does: "subscribe", filter: random.one(FILTERS), qos: random.between(0, 2) })],
    [2, (random) => ({ does: "leave", ms: random.one(AWAY_MS) })],
    [4, (random) => ({ does: "vanish", ms: random.one(AWAY_MS) })],
    [2, () => ({ does: "take over" })],
  ],
  hearer: [
    [10, (random) => ({ does: "subscribe", filter: random.one(FILTERS), qos: random.between(0, 2) })],
    [1, (random) => ({ does: "unsubscribe", filter: random.one(FILTERS) })],
    [4, published],
    [3, (random) => ({ does: "leave", ms: random.one(AWAY_MS) })],
    [5, (random) => ({ does: "vanish", ms: random.one(AWAY_MS) })],
    [2, () => ({ does: "take over" })],
    [1, () => ({ does: "begin anew" })],
    [2, () => ({ does: "ping" })],
  ],
};

/** A step of a client: `who` says how it connects, the same in all of its steps. */
export function stepOf(random, id, who) {
  const { client, style } = who;
  const pause = random.chance(0.3) ? random.one([2, 20, 300, 11_000]) : 0;
  return { id, client, who, pause, ...random.weighted(DOES[style])(random, id, style) };
}

/** In this part of the plans with issued keys, such a client has its key deleted in the end, while things go wrong. */
const REVOKED = 0.4;

/** What may happen meanwhile: above all, that those leave memory that hold its connection. */
const REVOKING = ["evict", "evict", "evict", "lose-call", "lose-reply", "kill-after-commit", "break-at-statement"];

/** A client whose key is deleted, when it has been idle for a while or has not. */
function revocation(random, who, hasFaults) {
  const faults = hasFaults && random.chance(0.8) ? [{ fault: random.one(REVOKING), after: random.below(3) }] : [];
  return { client: who.client, who, pause: random.one([20, 3_000, 25_000]), does: "revoke", ms: null, faults };
}

/** In this part of the plans there is a client that counts its packet identifiers, one message after the other. */
const COUNTING = 0.25;

/** What may happen to a message of such a client: above all, that its effect is stored and its PUBACK is lost. */
const LOSING = ["kill-after-commit", "kill-after-commit", "kill-before-commit", "kill-at-event", "lose-reply"];

/**
 * The messages of a client that counts: after some of them the server foresees the next ones, and does not store each
 * before its effect. One or two of them are lost with the server.
 */
function countedSteps(random) {
  const version = random.one([4, 5]);
  const habits = { version, expiryS: version === 4 ? 604_800 : 3_600, keepAliveS: 0, window: 1 };
  const who = { client: "counting", style: "mixed", processor: random.one(["p1", "p2"]), isKept: true, ...habits };
  const count = random.between(6, 12);
  const lost = [random.between(4, count - 1), random.below(count)];
  return Array.from({ length: count }, (_, at) => ({
    client: who.client,
    who,
    pause: random.one([0, 20, 300, 1_000]),
    does: "publish",
    verb: "observe",
    symbols: [[`counted${at}`]],
    qos: 1,
    faults: lost.includes(at) ? [{ fault: random.one(LOSING), after: random.below(2) }] : [],
  }));
}

/**
 * Some clients vanish in the end, and never come back: what is left of them must end by itself. And there may be a
 * client that counts.
 */
export function moreSteps(random, first, hasFaults, all) {
  const gone = all.filter(({ style }) => style !== "exact" && random.chance(0.2));
  const steps = gone.map((who) => ({ client: who.client, who, pause: 0, does: "vanish", ms: null, faults: [] }));
  const revoked = random.fork("revoked");
  for (const who of all) {
    const isLeft = who.isIssued === true && who.style !== "exact" && !gone.includes(who);
    if (isLeft && revoked.chance(REVOKED)) steps.push(revocation(revoked, who, hasFaults));
  }
  const counts = random.fork("counts");
  if (hasFaults && counts.chance(COUNTING)) steps.push(...countedSteps(counts));
  return steps.map((step, at) => ({ id: first + at, ...step }));
}
