/** Plays and judges plans of issued keys: see plan/keys.mjs. */

import { armFault, isPassing, pathOf, send } from "./clients.mjs";
import { judgeKeyStreams } from "./key-streams.mjs";

/** After this a key that was made works everywhere, and one that was deleted is refused everywhere, in milliseconds. */
const MADE_MS = 1_000;
const DELETED_MS = 30_000;

/** How long a client tries to delete a key. */
const MAX_ATTEMPTS = 60;

const AGENT = [
  { id: "p1", name: "P1", targets: [] },
  { id: "p2", name: "P2", targets: [] },
];

/** The keys that were made, by name: the newest of a name is used. */
class Keys {
  #world;
  /** `{ id, text, rights, madeAt, deletedAt, deletingAt }`; times as the simulation's. */
  all = [];
  #newest = new Map();

  constructor(world) {
    this.#world = world;
  }

  newest(name) {
    return this.#newest.get(name);
  }

  async make(step) {
    const body = { data: { name: step.makes, ...step.rights } };
    step.outcome = await send(this.#world, { id: step.id, call: "POST keys", path: "/keys", body });
    if (step.outcome.status !== 200) return;
    const { id, key: text } = JSON.parse(step.outcome.text).message;
    const made = { id, text, rights: step.rights, madeAt: this.#world.scheduler.now, taken: [] };
    this.all.push(made);
    this.#newest.set(step.makes, made);
  }

  async delete(step, random) {
    const key = this.newest(step.deletes);
    if (key === undefined) return;
    const { scheduler } = this.#world;
    key.deletingAt ??= scheduler.now;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && key.deletedAt === undefined; attempt++) {
      if (attempt > 0) await this.#world.pause(50 + random.fraction() * 500);
      step.outcome = await send(this.#world, { id: step.id, call: "DELETE keys", path: `/keys/${key.id}` });
      if (step.outcome.status === 200) key.deletedAt = scheduler.now;
    }
  }

  async use(step) {
    const key = this.newest(step.uses);
    if (key === undefined) return;
    const { scheduler } = this.#world;
    const sent = { at: scheduler.now, clock: this.#world.clock };
    step.outcome = await send(this.#world, { ...step, path: pathOf(step), apiKey: key.text });
    step.used = { key, sent, answered: { at: scheduler.now, clock: this.#world.clock } };
    const { status } = step.outcome;
    if (status === 200 || status === 403) key.taken.push(sent.at);
  }
}

async function run(world, keys, steps) {
  const random = world.stream(`client ${steps[0].client}`);
  for (const step of steps) {
    await world.pause(step.pause + random.fraction());
    for (const fault of step.faults) armFault(world, fault);
    if (step.makes !== undefined) await keys.make(step);
    else if (step.deletes !== undefined) await keys.delete(step, random);
    else await keys.use(step);
    world.note(`${step.id} ${step.client} ${step.makes ?? step.deletes ?? step.uses}: ${step.outcome?.status}`);
  }
}

/** Whether a key opens a step, when it is valid. */
function isOpen({ roles, processors, sessions }, { processor, session, role, call }) {
  if (processors !== undefined && !processors.includes(processor)) return false;
  if (sessions !== undefined && session === "") return false;
  // Who observes may read the memory.
  return roles.includes(role) || (call === "GET working-memory" && roles.includes("observe"));
}

/** Whether a key was valid during a request: `undefined` when it may have been or not. */
function isValid({ rights, madeAt, deletingAt, deletedAt }, { sent, answered }) {
  const expiresMs = 1_000 * (rights.expires ?? Number.POSITIVE_INFINITY);
  if (sent.clock >= expiresMs || sent.at > (deletedAt ?? Number.POSITIVE_INFINITY) + DELETED_MS) return false;
  const isSure = sent.at > madeAt + MADE_MS && answered.clock < expiresMs && answered.at < (deletingAt ?? Infinity);
  return isSure ? true : undefined;
}

/** What is wrong with an answer to a step that used a key; `undefined` for nothing. */
function wrongUse(step) {
  const { outcome, used, id, call } = step;
  if (used === undefined) return undefined;
  if (outcome.threw) return `step ${id}, ${call}, made the Worker throw: ${outcome.text}`;
  if (isPassing(outcome) || outcome.status === 429) {
    const isLimited = outcome.status !== 429 || used.key.rights.per_minute !== undefined;
    return isLimited ? undefined : `step ${id} was answered 429, and its key has no limit`;
  }
  const validity = isValid(used.key, used);
  const expected = isOpen(used.key.rights, step) ? 200 : 403;
  const may = new Set([...(validity === false ? [] : [expected]), ...(validity === true ? [] : [500])]);
  if (may.has(outcome.status)) return undefined;
  const said = `${outcome.status} ${outcome.text}`;
  return `step ${id}, ${call}, with key ${used.key.id} was answered ${said}, and not ${[...may].join(" or ")}`;
}

/** Whether a key made more requests than a bucket in each isolate and each life of the server allows. */
function wrongCount({ id, rights, taken }, buckets) {
  const { per_minute: most } = rights;
  if (most === undefined || taken.length === 0) return undefined;
  const minutes = (taken.at(-1) - taken[0]) / 60_000 + 0.1;
  const allowed = Math.ceil(buckets * most * (1 + minutes));
  return taken.length > allowed ? `key ${id} made ${taken.length} requests, and ${allowed} are allowed` : undefined;
}

/** The keys that there are at the end are those that were made and not deleted. */
function wrongList({ outcome }, { all }, attempts) {
  if (outcome.status !== 200) return [`the keys could not be read: ${outcome.status} ${outcome.text}`];
  const ids = JSON.parse(outcome.text).message.map(({ id }) => id);
  const wrong = [];
  if (ids.length > attempts) wrong.push(`there are ${ids.length} keys, and ${attempts} were asked for`);
  for (const { id, deletingAt, deletedAt } of all) {
    if (deletingAt === undefined && !ids.includes(id)) wrong.push(`key ${id} was made, and is gone`);
    if (deletedAt !== undefined && ids.includes(id)) wrong.push(`key ${id} was deleted, and is there`);
  }
  return wrong;
}

/** Plays a plan, and judges it: see areas.mjs. */
export async function playKeys(stage, { steps, isolates, program }) {
  const { world } = stage;
  await stage.setUp(program, AGENT);
  const keys = new Keys(world);
  const clients = new Map();
  for (const step of steps) clients.set(step.client, [...(clients.get(step.client) ?? []), step]);
  await stage.until(Promise.all([...clients.values()].map((own) => run(world, keys, own))));
  await stage.quiet();
  const list = { id: "end", client: "end", call: "GET keys", path: "/keys", pause: 0 };
  const end = await stage.read([list]);
  const attempts = steps.filter(({ makes }) => makes !== undefined).length;
  const counts = keys.all.map((key) => wrongCount(key, isolates * (1 + world.counts.kills)));
  const streams = await judgeKeyStreams(stage);
  const wrong = [...steps.map(wrongUse), ...counts, ...wrongList(list, keys, attempts), ...streams];
  return { wrong: wrong.filter((sentence) => sentence !== undefined), end };
}
