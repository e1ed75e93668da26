/**
 * Judges the alerts of silence, which no call leads to: by when each memory observed, as what has become durable says.
 * Each is told once, after its time, and of the latest arrival; what lasts until the end is told and delivered.
 */

/** How long a silence may last untold, in milliseconds: an alarm may come late, and the server may be down. */
const SLACK_MS = 90_000;

/** With fewer gaps between arrivals, it is not known what is expected. */
const FEW_GAPS = 20;

const TEST_OF_SILENCE = /^PUT alerts\//;

const placeOf = (processor, session) => `${processor}/${session}`;
const lastOf = (at) => Math.floor(at / 1_000);

/** The alerts of silence that a plan has set: by processor and name `{ conditions, changes }`. */
function alertsOf(steps) {
  const alerts = new Map();
  for (const { call = "", body, outcome, processor } of steps) {
    const [, name] = / alerts\/(.+)$/.exec(call) ?? [];
    if (name === undefined) continue;
    const known = alerts.get(`${processor} ${name}`) ?? { changes: 0, conditions: [], isPut: false };
    alerts.set(`${processor} ${name}`, known);
    known.changes++;
    if (!TEST_OF_SILENCE.test(call)) continue;
    const { format, url, when } = body.data;
    known.conditions.push(when.silent_for);
    known.isPut = outcome?.status === 200;
    known.delivers = url !== undefined && format === undefined;
  }
  return alerts;
}

/** What silences were told that a restart leaves: as the queue of alerts got them. */
function toldOf({ silences }) {
  return silences
    .filter(({ fate }) => fate === "durable")
    .map(({ alert, told: { silence }, session, node, clock }) => {
      const [, processor] = node.name.split("/");
      return { alert, processor, session, clock, afterMs: 1_000 * silence.after, last: silence.last_observed };
    });
}

/** What is wrong with one silence that was told. @param {number[]} arrivals of its memory, epoch milliseconds */
function wrongSilence({ afterMs, alert, clock, last, processor, session }, arrivals, { alerts, isTimely }) {
  const about = `the silence of ${placeOf(processor, session)} since ${last}, told by ${alert}`;
  const { conditions = [] } = alerts.get(`${processor} ${alert}`) ?? {};
  const isExpected = !conditions.includes(afterMs / 1_000);
  if (isExpected && !conditions.includes("expected")) return `${about}, is of no alert: ${afterMs} ms`;
  const before = arrivals.filter((at) => at <= clock);
  if (!arrivals.some((at) => lastOf(at) === last)) return `${about}: nothing arrived then`;
  if (!isTimely) return undefined;
  const latest = Math.max(...before);
  if (lastOf(latest) !== last) return `${about}, was told after another record had arrived`;
  if (clock < latest + afterMs) return `${about}, was told ${clock - latest} ms after it, and not after ${afterMs}`;
  if (!isExpected) return undefined;
  const gaps = before.slice(1).map((at, index) => at - before[index]);
  const isTwice = gaps.length >= FEW_GAPS && gaps.some((gap) => 2 * gap === afterMs);
  return isTwice ? undefined : `${about}, is not expected after ${afterMs} ms: its gaps are ${gaps.join()}`;
}

/** What was told more often than the alert was set. */
function repeated(told, alerts) {
  const counts = new Map();
  for (const { alert, last, clock, processor, session } of told) {
    const key = `${processor} ${alert} ${session} ${last}`;
    const known = counts.get(key) ?? { count: 0, clocks: [], of: `${processor} ${alert}` };
    counts.set(key, { ...known, count: known.count + 1, clocks: [...known.clocks, clock] });
  }
  return [...counts].flatMap(([key, { count, clocks, of }]) => {
    const { changes = 0 } = alerts.get(of) ?? {};
    return count > Math.max(1, changes) ? [`a silence was told ${count} times: ${key}, at ${clocks.join()}`] : [];
  });
}

/** The silences that deliveries tell of: `alert processor session last`. */
function delivered(hooks) {
  const entries = new Set();
  for (const { body, isAccepted } of hooks) {
    if (!isAccepted || !body.startsWith('{"data"')) continue;
    const { data, type } = JSON.parse(body);
    if (type !== "noema.silent") continue;
    const { alert, id, silence, session, others = [] } = data;
    for (const one of [{ ...silence, session }, ...others])
      entries.add(`${alert} ${id} ${one.session ?? ""} ${one.last_observed}`);
  }
  return entries;
}

/** What deliveries tell that was not queued. */
function invented(hooks, told) {
  const known = new Set(told.map(({ alert, last, processor, session }) => `${alert} ${processor} ${session} ${last}`));
  return [...delivered(hooks)].filter((entry) => !known.has(entry)).map((entry) => `told and not queued: ${entry}`);
}

/**
 * The silences that an alert that lasts had to tell of a memory: `{ last, isAtEnd }`.
 *
 * @param {{ arrivals: number[], endings: number[], mayExpire: boolean }} memory endings: when its session was ended;
 *   mayExpire: whether it may also have ended by itself, after which it begins anew with the next call
 */
function due({ arrivals, endings, mayExpire }, waitMs, setAt) {
  return arrivals.flatMap((at, index) => {
    const next = arrivals[index + 1];
    const by = Math.max(at + waitMs, setAt) + SLACK_MS;
    if (next === undefined) return [{ last: lastOf(at), isAtEnd: true }];
    const isEnded = mayExpire || endings.some((end) => end >= at && end <= by);
    return next > by && !isEnded ? [{ last: lastOf(at), isAtEnd: false }] : [];
  });
}

/** A memory: see {@link due}. isNew: whether nothing has arrived since its session was ended. */
function memoryAt(place, { arrivals, endings, expiring }) {
  const own = endings.get(place) ?? [];
  const all = arrivals.get(place) ?? [];
  const isNew = all.length > 0 && own.some((end) => end >= all.at(-1));
  const [processor, session] = place.split("/");
  return { arrivals: all, endings: own, isNew, mayExpire: session !== "" && expiring.has(processor) };
}

/** The processors whose sessions end by themselves. */
function expiringOf(steps) {
  const changes = steps.filter(({ call, body }) => call === "POST genes/change" && body.data.session_ttl > 0);
  return new Set(changes.map(({ processor }) => processor));
}

/** What an alert should have told of a memory and did not. */
function missingOf({ alert, processor, session }, due, { came, told }) {
  const key = (last) => `${alert} ${processor} ${session} ${last}`;
  const known = new Set(told.map((one) => `${one.alert} ${one.processor} ${one.session} ${one.last}`));
  return due.flatMap(({ last, isAtEnd }) => {
    const about = `the silence of ${placeOf(processor, session)} since ${last}`;
    if (!known.has(key(last))) return [`${about} was never told by ${alert}`];
    // What is told of a memory again, while the first waits for its delivery, takes its place.
    return isAtEnd && !came.has(key(last)) ? [`${about} never came to the webhook of ${alert}`] : [];
  });
}

/** The alerts that were set once and for good: `{ alert, processor, waitMs, delivers, setAt }`. */
function lastingAlerts(alerts, setAt) {
  return [...alerts].flatMap(([key, { changes, conditions, delivers, isPut }]) => {
    const [processor, alert] = key.split(" ");
    const [seconds] = conditions;
    if (changes !== 1 || !isPut || !(seconds > 0)) return [];
    return [{ alert, delivers, processor, setAt: setAt.get(key) ?? Number.POSITIVE_INFINITY, waitMs: 1_000 * seconds }];
  });
}

/** What should have been told and was not. */
function missing({ alerts, devices, hooks, memoryOf, setAt, told }) {
  const happened = { came: delivered(hooks), told };
  return lastingAlerts(alerts, setAt).flatMap(({ alert, delivers, processor, waitMs, setAt: from }) =>
    devices.flatMap((device) => {
      if (device.processor !== processor) return [];
      const session = device.session ?? "";
      const place = placeOf(processor, session);
      const memory = memoryOf(place);
      if (memory.isNew) return [];
      const wrong = device.silent ? [] : [`${place} is silent, and is not called so`];
      if (!delivers) return wrong;
      return [...wrong, ...missingOf({ alert, processor, session }, due(memory, waitMs, from), happened)];
    }),
  );
}

/**
 * Judges what was told of silent memories.
 *
 * @param {{ steps: object[], end: object[], world: object, arrivals: Map<string, number[]>,
 *   endings: Map<string, number[]>, setAt: Map<string, number> }} happened arrivals: by `processor/session`, when
 *   records arrived, epoch milliseconds; endings: by the same, when sessions were ended; setAt: by processor and name,
 *   when the alerts were set, as far as it has become durable
 * @returns {string[]} what is wrong, in sentences
 */
export function judgeSilence({ steps, end, world, arrivals, endings, setAt }) {
  const alerts = alertsOf(steps);
  const told = toldOf(world);
  const isTimely = !steps.some(
    ({ call, faults }) => call === "POST sleeping/start" || faults.some(({ fault }) => fault === "set-clock"),
  );
  const wrong = told.flatMap((one) => {
    const own = arrivals.get(placeOf(one.processor, one.session)) ?? [];
    return wrongSilence(one, own, { alerts, isTimely }) ?? [];
  });
  if (isTimely) wrong.push(...repeated(told, alerts));
  wrong.push(...invented(world.hooks, told));
  const list = end.find(({ path }) => path === "/devices")?.outcome;
  if (list?.status !== 200 || !isTimely) return wrong;
  const devices = JSON.parse(list.text).message;
  const expiring = expiringOf(steps);
  const memoryOf = (place) => memoryAt(place, { arrivals, endings, expiring });
  return [...wrong, ...missing({ alerts, devices, hooks: world.hooks, memoryOf, setAt, told })];
}
