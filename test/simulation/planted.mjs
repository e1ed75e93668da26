/**
 * Faults that are planted in the Worker to see that the simulator finds them: each is one change of a source, which
 * works only while the fault's name is set.
 */

import { FOUND } from "./found.mjs";
import { planOf } from "./plan/generate.mjs";
import { PLANNED } from "./planned.mjs";

/** A seed whose plan finds each fault. When plans change, `npm run simulate -- --plant all` tells others. */
const FOUND_WITH = {
  "commit-forgotten": 2,
  "transaction-rolled-back": 1,
  "event-removed-early": 3,
  "event-sent-twice": 2,
  "number-not-stored": 33,
  "repetition-taken": 33,
  "answer-not-kept": 3,
  "answer-kept-later": 3,
  "row-halved": 2,
  "frequency-not-stored": 6,
  "model-not-deleted": 2,
  "blacklist-not-stored": 8,
  "genes-lost": 3,
  "slot-reused-early": 11,
  "notice-dropped": 5,
  "notice-removed-early": 3,
  "notice-not-removed": 5,
  "encoder-not-stored": 12,
  "bins-lost": 3,
  "session-not-deleted": 6,
  "vector-not-stored": 104,
  "seal-not-kept": 10,
  "restore-forgets-alerts": 17,
  "restore-keeps-events": 91,
  "name-not-stored": 8,
  "key-not-deleted": 2,
  "key-not-stored": 2,
  "old-keys-believed": 9,
  "expiry-ignored": 2,
  "roles-ignored": 2,
  "limit-ignored": 184,
  "keys-of-streams-not-asked": 2,
  "stream-of-deleted-key-stays": 2,
  "stream-of-expired-key-stays": 2,
  "tentative-change-kept": 62,
  "acknowledged-early": 30,
  "lost-pipe-kept": 172,
  "inbox-not-stored": 99,
  "queue-not-stored": 154,
  "queue-not-removed": 5,
  "queue-out-of-order": 154,
  "subscription-not-stored": 154,
  "will-of-all": 31,
  "session-not-ended": 117,
  "session-kept-for-good": 56,
  "events-dropped": 154,
  "untold-forgotten": 74,
  "foreseen-forgotten": 68,
  "removed-key-stays": 47,
  "keys-not-asked-asleep": 13,
  "retained-not-sent": 12,
};

/** The seed whose plan finds others, and the seed of the world in which it does. */
const FOUND_IN_WORLD = {
  "alarm-lost": [21, 27],
  "incident-not-stored": [16, 3],
  "change-made-twice": [133, 0],
  "observing-stops": [73, 0],
};

/** The plan of found.mjs that finds others. */
const FOUND_BY = {
  "threshold-of-others-lost": "a threshold of another memory",
  "threshold-of-ended-lost": "a threshold of an ended session",
  "record-lost": "a record of forecasts of nothing",
  "will-not-stored": "a will on its way",
  "written-while-sealed": "a write that a restore replaces",
  "frame-overtaken": "a frame that was overtaken",
  "change-marked-early": "a call that learns and waits",
};

function foundIn(name, area) {
  const [plan, world] = FOUND_IN_WORLD[name] ?? [];
  return plan === undefined ? undefined : { ...planOf(plan, { area }), seed: world };
}

const on = (name) => `__platform.planted === ${JSON.stringify(name)}`;

/** A place in a source where a fault is planted. */
const planted = (name, about, file, find, replace, area = "agent") => ({
  name,
  about,
  area,
  seed: FOUND_WITH[name],
  plan: FOUND[FOUND_BY[name]] ?? PLANNED[name] ?? foundIn(name, area),
  change: { file: `src/${file}`, find, replace: replace(on(name)) },
});

/** What the faults need besides their place. */
const HELPERS = [
  {
    file: "src/object/stored-processor.ts",
    find: "class Rehearsed extends",
    insert:
      "function rolledBack<Reply>(transaction: (work: () => void) => void, verb: () => Reply): Reply {\n" +
      "  let reply: Reply | undefined;\n" +
      "  try { transaction(() => { reply = verb(); throw new Rehearsed(); }); }\n" +
      "  catch (error) { if (!(error instanceof Rehearsed)) throw error; }\n" +
      "  return reply as Reply;\n}\n",
  },
];

const watched = (...fault) => planted(...fault, "watching");
const kept = (...fault) => planted(...fault, "keeping");
const issued = (...fault) => planted(...fault, "keys");
const carried = (...fault) => planted(...fault, "mqtt");
const split = (...fault) => planted(...fault, "parts");

/** Of alerts, incidents, encoders and sessions. */
const WATCHING = [
  watched(
    "notice-dropped",
    "what an alert tells is not queued, one memory after the other",
    "store/alerts/alert-queue-table.ts",
    "    this.#database.run(INSERT, alert, webhookId,",
    (is) => `    if (!(${is}) || session === "") this.#database.run(INSERT, alert, webhookId,`,
  ),
  watched(
    "notice-removed-early",
    "a notice leaves the queue before it is delivered",
    "object/alerts/alert-deliveries.ts",
    "    void send(found, notice, processor).then(",
    (is) => `    if (${is}) this.#queue.remove(notice);\n    void send(found, notice, processor).then(`,
  ),
  watched(
    "notice-not-removed",
    "a notice that was delivered is delivered again, as another",
    "object/alerts/alert-deliveries.ts",
    "    this.#parts.storage.transactionSync(() => {\n      if (isAsSent)",
    (is) =>
      `    if (${is} && notice.attempts === 0) this.#queue.add({ ...notice, webhookId: \`again-\${notice.webhookId}\` });\n` +
      "    this.#parts.storage.transactionSync(() => {\n      if (isAsSent)",
  ),
  watched(
    "content-not-fixed",
    "a notice that was sent, and is to be sent again, takes up what happens later",
    "store/alerts/alert-queue-table.ts",
    "this.#database.first<[number]>(UNBEGUN, alert,",
    (is) => `this.#database.first<[number]>(${is} ? UNBEGUN.replace("AND attempts = 0", "") : UNBEGUN, alert,`,
  ),
  watched(
    "incident-not-stored",
    "an incident that goes on is not stored",
    "store/writers.ts",
    "({ incident }) => incidents.put(incident)",
    (is) => `({ incident }) => ${is} && incident.events > 1 ? undefined : incidents.put(incident)`,
  ),
  watched(
    "encoder-not-stored",
    "a changed encoder is not stored",
    "store/writers.ts",
    "({ name, definition }) => encoders.put(name, definition)",
    (is) => `({ name, definition }) => ${is} ? undefined : encoders.put(name, definition)`,
  ),
  watched(
    "bins-lost",
    "where the last numbers were is not stored",
    "store/rows/memory-rows.ts",
    "function keptText({ running, thresholds, history }: MemoryState): string {\n",
    (is) =>
      "function keptText({ running, thresholds, history }: MemoryState): string {\n" +
      `  if (${is}) return historyText(history);\n`,
  ),
  watched(
    "threshold-ahead",
    "a threshold has more digits in memory than on the disk",
    "processor/incidents/thresholds.ts",
    "this.#set(alert, asKept(after));",
    (is) => `this.#set(alert, ${is} ? after : asKept(after));`,
  ),
  watched(
    "threshold-of-others-lost",
    "after a start a threshold is that of the memory that is read",
    "store/store.ts",
    "...this.#memories.thresholds()]",
    (is) => `...(${is} ? [] : this.#memories.thresholds())]`,
  ),
  watched(
    "threshold-of-ended-lost",
    "a threshold ends with the session that held it",
    "store/writers.ts",
    "({ threshold }) => alerts.keepThreshold(threshold)",
    (is) => `({ threshold }) => ${is} ? undefined : alerts.keepThreshold(threshold)`,
  ),
  watched(
    "record-lost",
    "a start forgets how good forecasts were when nothing is known",
    "processor/knowledge/knowledge.ts",
    "this.#models === 0 && isUngraded(record) ?",
    (is) => `this.#models === 0 && (${is} || isUngraded(record)) ?`,
  ),
  watched(
    "session-not-deleted",
    "a session that was ended stays on the disk",
    "store/writers.ts",
    "      memories.end(session);\n",
    (is) => `      if (!(${is})) memories.end(session);\n`,
  ),
  watched(
    "silence-not-kept",
    "that an alert was told of a silence is not stored, so it is told again",
    "store/writers.ts",
    "  silences.putAll(change.silences);\n",
    (is) => `  if (!(${is})) silences.putAll(change.silences);\n`,
  ),
  watched(
    "silence-never-told",
    "of the memories whose silence is due, the first is passed over",
    "object/silence-watch.ts",
    "    const sessions = schedule.take(now, TOLD_AT_ONCE);",
    (is) => `    const sessions = schedule.take(now, TOLD_AT_ONCE).slice(${is} ? 1 : 0);`,
  ),
  watched(
    "silence-told-early",
    "a memory is called silent after half of the time",
    "processor/silence/rules.ts",
    "    return [{ alert, at: from + afterMs, afterMs }];",
    (is) => `    return [{ alert, at: from + afterMs / (${is} ? 2 : 1), afterMs }];`,
  ),
  watched(
    "numbers-outlive-session",
    "the numbers of sources are remembered when their session is ended",
    "processor/verbs/deliveries.ts",
    "  if (known !== undefined) return known.number;\n",
    (is) =>
      `  if (${is}) {\n` +
      "    const all = ((mind.shared as any).outlived ??= new Map());\n" +
      '    const place = mind.session + "/" + source;\n' +
      "    if (known !== undefined) all.set(place, known.number);\n" +
      "    else if (all.has(place)) return all.get(place);\n" +
      "  }\n" +
      "  if (known !== undefined) return known.number;\n",
  ),
  watched(
    "merge-forgets-frequency",
    "a model of a file that is merged counts once, whatever the file says",
    "processor/verbs/knowledge/knowledge-merge.ts",
    "        knowledge.merge({ ...experienceOf(row), events,",
    (is) => `        knowledge.merge({ ...experienceOf(row), ...(${is} ? { frequency: 1 } : {}), events,`,
  ),
  watched(
    "vector-not-stored",
    "a vector is learned in memory only",
    "store/writers.ts",
    "(change) => knowledge.putVector(change.vector)",
    (is) => `(change) => ${is} ? undefined : knowledge.putVector(change.vector)`,
  ),
];

/** Of restores, and changes of genomes. */
const KEEPING = [
  kept(
    "written-while-sealed",
    "a call that has waited writes although a restore is yet to be decided",
    "object/stored-processor.ts",
    '    if (writes && kind !== "" && this.#parts.isSealed?.()) throw',
    (is) => {
      const all = [is, on("written-while-decided"), on("frames-while-decided")].join(" || ");
      return `    if (writes && kind !== "" && this.#parts.isSealed?.() && !(${all})) throw`;
    },
  ),
  kept(
    "seal-not-kept",
    "a processor forgets that it waits for its agent's decision",
    "object/restore/processor-restore.ts",
    "    this.#staging.seal(restoreId, agent);",
    (is) => `    if (!(${is})) this.#staging.seal(restoreId, agent);`,
  ),
  kept(
    "restore-forgets-alerts",
    "a restore leaves alerts out",
    "object/restore/restore-staging.ts",
    "staged.takeOver(alerts.map(alertFrom), lastIncident);",
    (is) => `staged.takeOver(${is} ? [] : alerts.map(alertFrom), lastIncident);`,
  ),
  kept(
    "restore-keeps-events",
    "a restore leaves what was on its way to others",
    "store/restore-store.ts",
    '["outbox", "alert_queue", "restore"]',
    (is) => `(${is} ? ["alert_queue"] : ["outbox", "alert_queue", "restore"])`,
  ),
  kept(
    "written-while-decided",
    "a processor goes on while its agent decides about a restore",
    "object/processor-object.ts",
    "      if (this.#restore.isSealed && !RESTORING.has(path)) return",
    (is) => `      if (!(${is}) && this.#restore.isSealed && !RESTORING.has(path)) return`,
  ),
  kept(
    "frames-while-decided",
    "a stream goes on while its agent decides about a restore",
    "object/streams/streams.ts",
    "    if (this.#parts.isSealed()) {\n      // The message",
    (is) => `    if (!(${is}) && this.#parts.isSealed()) {\n      // The message`,
  ),
  kept(
    "staged-for-good",
    "what a restore has staged stays when it is given up",
    "object/restore/processor-restore.ts",
    "    else if (row.touchedAt + ABANDONED_MS <= this.#now()) await",
    (is) =>
      `    else if (${is}) this.#staging.touch(row.restoreId);\n` +
      "    else if (row.touchedAt + ABANDONED_MS <= this.#now()) await",
  ),
  kept(
    "parts-of-old-number",
    "a part of a processor that now has another number of parts is taken for filled",
    "object/parts/part-host.ts",
    "  return one.count === other.count && ",
    (is) => `  return (${is} && one.count !== other.count) || one.count === other.count && `,
  ),
  kept(
    "name-not-stored",
    "a changed name is not stored",
    "object/stored-processor.ts",
    "      writeIdentity(sql, after);\n",
    (is) => `      if (before === undefined || !(${is})) writeIdentity(sql, after);\n`,
  ),
];

/** Of issued keys. */
const KEYS = [
  issued(
    "key-not-deleted",
    "a key that is deleted stays on the disk",
    "object/stored-keys.ts",
    "if (found !== undefined) this.#table.delete(id);",
    (is) => `if (found !== undefined && !(${is})) this.#table.delete(id);`,
  ),
  issued(
    "key-not-stored",
    "a key is answered and not stored",
    "object/stored-keys.ts",
    "      this.#table.insert(key);",
    (is) => `      if (!(${is})) this.#table.insert(key);`,
  ),
  issued(
    "old-keys-believed",
    "a gateway believes what it knows of keys, however old",
    "gateway/keys/issued-keys.ts",
    "    const neededMs = now - (key === undefined ? ASK_EVERY_MS : STALE_MS);",
    (is) =>
      `    if (key !== undefined && ${is}) return key;\n` +
      "    const neededMs = now - (key === undefined ? ASK_EVERY_MS : STALE_MS);",
  ),
  issued(
    "expiry-ignored",
    "a key that has expired is accepted",
    "gateway/keys/issued-keys.ts",
    'if (nowMs >= this.#expiresMs) throw keyRefusal("the API key has expired");',
    (is) => `if (nowMs >= this.#expiresMs && !(${is})) throw keyRefusal("the API key has expired");`,
  ),
  issued(
    "roles-ignored",
    "a key may do what it has no role for",
    "gateway/keys/rights.ts",
    'if (rights.roles.includes("admin") ||',
    (is) => `if (${is} || rights.roles.includes("admin") ||`,
  ),
  issued(
    "limit-ignored",
    "a key makes as many requests as it wants",
    "gateway/keys/issued-keys.ts",
    "    if (retryAfterS === 0) return;",
    (is) => `    if (retryAfterS === 0 || ${is}) return;`,
  ),
  issued(
    "keys-of-streams-not-asked",
    "an object with open streams of issued keys wakes for nothing",
    "object/streams/key-watch.ts",
    "    return this.#watched().length === 0 ? undefined",
    (is) => `    return ${is} || this.#watched().length === 0 ? undefined`,
  ),
  issued(
    "stream-of-deleted-key-stays",
    "a stream stays open though its key is deleted",
    "object/streams/key-watch.ts",
    "if (until === undefined || until <= now) link.close(",
    (is) => `if (until === undefined ? !(${is}) : until <= now) link.close(`,
  ),
  issued(
    "stream-of-expired-key-stays",
    "a stream stays open though its key has expired",
    "object/streams/key-watch.ts",
    "      rights?.expires === undefined ? Number",
    (is) => `      ${is} || rights?.expires === undefined ? Number`,
  ),
];

/** Of MQTT: sessions, what is under way both ways, wills, and what is retained. */
const MQTT = [
  carried(
    "message-number-not-stored",
    "the number of a message is not stored with its effect",
    "object/mqtt/publication-service.ts",
    "  if (isNumbered && !isInTransaction && !redelivered) putNumber(",
    (is) => `  if (isNumbered && !isInTransaction && !redelivered && !(${is})) putNumber(`,
  ),
  carried(
    "acknowledged-early",
    "a message is acknowledged before its effect",
    "object/mqtt/connection.ts",
    "    const { outcomes, later } = await this.#host.publish(",
    (is) =>
      `    if (${is}) {\n      for (const { packet } of items) this.#answer(session, packet, undefined);\n` +
      "      this.#host.publish(processorId, session.numberedBy, items, holder).catch(() => {});\n      return;\n    }\n" +
      "    const { outcomes, later } = await this.#host.publish(",
  ),
  carried(
    "lost-pipe-kept",
    "a pipe that was lost is used for later calls",
    "rpc/transport/pipe.ts",
    "    this.#socket = undefined;\n    this.#frequent = 0;\n",
    (is) => `    if (!(${is})) this.#socket = undefined;\n    this.#frequent = 0;\n`,
  ),
  carried(
    "inbox-not-stored",
    "what is under way of a kept session is not stored before its effect",
    "object/mqtt/connection.ts",
    "    if (session.isKept && !session.maySaveLate) session.save();",
    (is) => `    if (session.isKept && !session.maySaveLate && !(${is})) session.save();`,
  ),
  carried(
    "foreseen-forgotten",
    "what a lost server has foreseen is not asked for",
    "mqtt/session/inbox.ts",
    "    if (ahead !== undefined) this.#lost = ",
    (is) => `    if (ahead !== undefined && !(${is})) this.#lost = `,
  ),
  carried(
    "queue-not-stored",
    "a message for a kept session is queued in memory only",
    "object/mqtt/session.ts",
    "      add: (message) => this.isKept && queues",
    (is) => `      add: (message) => this.isKept && !(${is}) && queues`,
  ),
  carried(
    "queue-not-removed",
    "a message that was acknowledged stays in its queue on the disk",
    "object/mqtt/session.ts",
    "      remove: (message) => this.isKept && queues",
    (is) => `      remove: (message) => this.isKept && !(${is}) && queues`,
  ),
  carried(
    "queue-out-of-order",
    "the newest message is sent first",
    "mqtt/session/outbox.ts",
    "    const entry = this.#entries.find(({ isSent }) => !isSent);",
    (is) => `    const entry = this.#entries[${is} ? "findLast" : "find"](({ isSent }) => !isSent);`,
  ),
  carried(
    "subscription-not-stored",
    "a kept session has its subscriptions in memory only",
    "object/mqtt/session.ts",
    "expiryS, subscriptions, processors: [...processors], endedAt };",
    (is) => `expiryS, subscriptions: ${is} ? [] : subscriptions, processors: [...processors], endedAt };`,
  ),
  carried(
    "will-not-stored",
    "a will that is to be published is in memory only",
    "object/mqtt/due-wills.ts",
    "    this.#parts.tables.addDueWill(",
    (is) => `    if (!(${is})) this.#parts.tables.addDueWill(`,
  ),
  carried(
    "will-of-all",
    "a client that leaves has its will published, too",
    "object/mqtt/endpoint.ts",
    "    if (isOrderly) session.will = undefined;",
    (is) => `    if (isOrderly && !(${is})) session.will = undefined;`,
  ),
  carried(
    "will-numbered-anew",
    "a will that is sent again has another number",
    "object/mqtt/due-wills.ts",
    "[{ publication, number: 1 }]",
    (is) => `[{ publication, number: ${is} ? one.pauseMs : 1 }]`,
  ),
  carried(
    "session-not-ended",
    "a client that begins anew is given its old session",
    "object/mqtt/endpoint.ts",
    "(!isClean && !this.#hasExpired(session))",
    (is) => `((!isClean || ${is}) && !this.#hasExpired(session))`,
  ),
  carried(
    "session-kept-for-good",
    "a session stays after its time",
    "object/mqtt/endpoint.ts",
    "    return endedAt !== undefined && Date.now()",
    (is) => `    return !(${is}) && endedAt !== undefined && Date.now()`,
  ),
  carried(
    "events-dropped",
    "what happens while the endpoint is told of something else is not told",
    "object/mqtt/event-watch.ts",
    "    this.#waiting.push(event);",
    (is) => `    if (${is} && this.#isTelling) return;\n    this.#waiting.push(event);`,
  ),
  carried(
    "keys-not-asked-asleep",
    "an endpoint that has left memory is not woken to ask for the keys of its connections",
    "object/mqtt/endpoint.ts",
    "    const check = keyRef.startsWith(ISSUED)",
    (is) => `    const check = !(${is}) && keyRef.startsWith(ISSUED)`,
  ),
  carried(
    "removed-key-stays",
    "the connection of a key that is deleted stays",
    "object/mqtt/endpoint.ts",
    "    if (this.#keysDue(now) <= now) await",
    (is) => `    if (!(${is}) && this.#keysDue(now) <= now) await`,
  ),
  carried(
    "untold-forgotten",
    "a processor that could not be told what is to be heard is not told again",
    "object/mqtt/hearing.ts",
    "      this.#untold.add(processorId);",
    (is) => `      if (!(${is})) this.#untold.add(processorId);`,
  ),
  carried(
    "retained-not-sent",
    "a client is not told of the latest forecast when it subscribes",
    "object/mqtt/hearing.ts",
    "    let left = most;\n    for (const processor of processors) {",
    (is) => `    let left = most;\n    for (const processor of ${is} ? [] : processors) {`,
  ),
];

/** Of processors whose models are in parts. */
const PARTS = [
  split(
    "part-adopted-stale",
    "a head that restarts takes a part for one that has all that is stored",
    "object/parts/part-host.ts",
    " && one.revision === other.revision;",
    (is) => ` && (${is} || one.revision === other.revision);`,
  ),
  split(
    "piece-graded-twice",
    "what is loaded is graded in pieces, of which each does again what the one before did last",
    "processor/prediction/estimator/gradings.ts",
    "graded: { count, spent, record: gradings.record } });",
    (is) =>
      `graded: { count: ${is} && count < this.#drawn.length ? count - 1 : count, spent, record: gradings.record } });`,
  ),
  split(
    "refused-event-dropped",
    "an event that a processor refuses because a part of it is away is given up",
    "object/outbox-relay.ts",
    "  return FINAL_CODES.has(error.code) || ",
    (is) => `  return (${is} && /cannot be reached/.test(error.message)) || FINAL_CODES.has(error.code) || `,
  ),
  split(
    "change-not-made",
    "a part leaves out a change that it was sent",
    "object/parts/part-host.ts",
    "    const left = changes.slice(at - from);",
    (is) => `    const left = changes.slice(at - from + (${is} ? 1 : 0));`,
  ),
  split(
    "change-made-twice",
    "a part makes a change again whose answer was lost",
    "object/parts/part-host.ts",
    "    for (const change of left) now.models.apply(change);",
    (is) => `    for (const change of ${is} ? changes : left) now.models.apply(change);`,
  ),
  split(
    "change-marked-early",
    "a part takes a change for stored that its head has not stored yet",
    "object/parts/parts-head.ts",
    "      mark: to === stored ? this.#mark : undefined,",
    (is) => `      mark: ${is} || to === stored ? this.#mark : undefined,`,
  ),
  split(
    "tentative-change-kept",
    "a part keeps the change of a call that was taken back",
    "object/parts/parts-head.ts",
    "    if ((log.known ?? 0) > (places[part] ?? 0)) log.renew();",
    (is) => `    if (!(${is}) && (log.known ?? 0) > (places[part] ?? 0)) log.renew();`,
  ),
  split(
    "partial-answer",
    "the answers of some parts are taken for those of all",
    "object/parts/parts-head.ts",
    "      if (!answers.has(part)) answers.set(part, await this.#askOne(part, question, places));\n    }\n" +
      "    return parts.map((part) => answers.get(part) as PartAnswer);",
    (is) =>
      `      if (${is} && answers.size > 0) continue;\n` +
      "      if (!answers.has(part)) answers.set(part, await this.#askOne(part, question, places));\n    }\n" +
      "    return parts.filter((part) => answers.has(part)).map((part) => answers.get(part) as PartAnswer);",
  ),
  split(
    "run-not-taken-back",
    "what a call did before it waited for parts stays in memory",
    "object/stored-processor.ts",
    "    if (isOrderly && !isChanged) {",
    (is) => `    if (${is} && error instanceof PartsNeeded) return;\n    if (isOrderly && !isChanged) {`,
  ),
  split(
    "filled-by-half",
    "a part is filled with what is stored but for its first models",
    "object/parts/fill.ts",
    "    this.#put({ models: this.#models }, this.#bytes);",
    (is) => `    if (!(${is})) this.#put({ models: this.#models }, this.#bytes);`,
  ),
  split(
    "parts-of-before",
    "the parts of a processor keep their models when a file replaces what is known",
    "object/parts/parts-head.ts",
    "    if (this.#isReplaced) this.#forgetAll();",
    (is) => `    if (this.#isReplaced && !(${is})) this.#forgetAll();`,
  ),
  split(
    "part-keeps-deleted",
    "a part is not told of a model that is deleted",
    "object/parts/parts-head.ts",
    "    this.#note(part, change.kind === ",
    (is) => `    if (${is} && change.kind === "remove") return;\n    this.#note(part, change.kind === `,
  ),
  split(
    "observing-stops",
    "a record is refused while a part is away",
    "processor/prediction/ensemble.ts",
    'if (error instanceof Fault && error.kind === "unavailable") return undefined;',
    (is) => `if (!(${is}) && error instanceof Fault && error.kind === "unavailable") return undefined;`,
  ),
  split(
    "frame-overtaken",
    "a frame is taken although the one before was refused because a part was away",
    "object/streams/streams.ts",
    'error.kind === "unavailable") link.endsWith = frame;',
    (is) => `error.kind === "unavailable" && !(${is})) link.endsWith = frame;`,
  ),
];

/** The faults, each with what it does. */
export const PLANTED = [
  ...WATCHING,
  ...PARTS,
  ...KEEPING,
  ...KEYS,
  ...MQTT,
  planted(
    "commit-forgotten",
    "an observe is answered, and its row is not written",
    "store/store.ts",
    "if (held !== undefined) this.#write(",
    (is) => `if (held !== undefined && !(${is})) this.#write(`,
  ),
  planted(
    "transaction-rolled-back",
    "a learn is answered, and its transaction is taken back",
    "object/stored-processor.ts",
    "    if (!writes) return verb(processor);",
    (is) =>
      `    if (writes && !isMostlyOneRow && ${is})\n` +
      "      return rolledBack((work) => this.#storage.transactionSync(work), () => verb(processor));\n" +
      "    if (!writes) return verb(processor);",
  ),
  planted(
    "event-dropped",
    "an event that could not be delivered leaves the outbox",
    "object/outbox.ts",
    "      this.#pause();\n      outboxes.failures++;",
    (is) => `      if (${is}) delivered = last;\n      this.#pause();\n      outboxes.failures++;`,
  ),
  planted(
    "target-given-up",
    "an event whose target stays away leaves the outbox",
    "object/outbox.ts",
    "      outboxes.failures++;\n",
    (is) => `      if (${is} && this.#failures > 2) delivered = last;\n      outboxes.failures++;\n`,
  ),
  planted(
    "file-halved",
    "the first model of a file is left out",
    "store/writers.ts",
    "      else for (const model of change.models) staged.putModel(model);",
    (is) => `      else for (const model of change.models.slice(${is} ? 1 : 0)) staged.putModel(model);`,
  ),
  planted(
    "merge-halved",
    "the first model of a file that is merged is left out",
    "processor/verbs/knowledge/knowledge-merge.ts",
    "        // Its name was checked when it was staged.\n",
    (is) => `        if (!(${is} && last === 0))\n`,
  ),
  planted(
    "merge-in-halves",
    "each piece of a merge is stored by itself",
    "object/stored-processor.ts",
    "      await this.#storage.transaction(async () => {\n",
    (is) =>
      `      const each = (work: () => Promise<void>) => (${is} ? work() : this.#storage.transaction(work));\n` +
      "      await each(async () => {\n",
  ),
  planted(
    "event-removed-early",
    "an event leaves the outbox before it is delivered",
    "object/outbox.ts",
    "        await giveOthersATurn();",
    (is) => `        if (${is}) this.#table.removeUpTo(event.number);\n        await giveOthersATurn();`,
  ),
  planted(
    "event-sent-twice",
    "an event is sent once more, under the number of the next",
    "object/outbox-relay.ts",
    "    return await observe(event, sender, transportTo(event, sender, address, transports), mostDeliveries);",
    (is) =>
      "    const transport = transportTo(event, sender, address, transports);\n" +
      "    const caused = await observe(event, sender, transport, mostDeliveries);\n" +
      `    if (${is}) await observe({ ...event, number: event.number + 1 }, sender, transport, mostDeliveries);\n` +
      "    return caused;",
  ),
  planted(
    "number-not-stored",
    "the number of a source is not stored with its effect",
    "processor/verbs/deliveries.ts",
    "  const known = mind.state.sources.findIndex(isFrom(sender, source));",
    (is) => `  if (${is}) return;\n  const known = mind.state.sources.findIndex(isFrom(sender, source));`,
  ),
  planted(
    "repetition-taken",
    "a repeated delivery is taken again",
    "processor/verbs/deliveries.ts",
    "  return number <= lastNumber(mind, sender, source);",
    (is) => `  return !(${is}) && number <= lastNumber(mind, sender, source);`,
  ),
  planted(
    "answer-not-kept",
    "the answer to a call with a key is not kept",
    "object/kept-answers.ts",
    "    const begun = this.#rowOf(key);",
    (is) => `    if (${is}) return;\n    const begun = this.#rowOf(key);`,
  ),
  planted(
    "answer-kept-later",
    "the answer to a call with a key is stored a second after its effect",
    "object/kept-answers.ts",
    "    this.#table.put({ ...place, key, fingerprint, keptAt, isWhole, reply });",
    (is) =>
      `    if (${is}) setTimeout(() => this.#table.put({ ...place, key, fingerprint, keptAt, isWhole, reply }), 1000);\n` +
      "    else this.#table.put({ ...place, key, fingerprint, keptAt, isWhole, reply });",
  ),
  planted(
    "alarm-lost",
    "no alarm is set when events are recorded",
    "object/outbox.ts",
    "    this.#alarm.ringBy(this.#now() + SAFETY_MS);\n  }\n\n  /**\n   * Resolves when all events",
    (is) =>
      `    if (!(${is})) this.#alarm.ringBy(this.#now() + SAFETY_MS);\n  }\n\n  /**\n   * Resolves when all events`,
  ),
  planted(
    "row-halved",
    "of a model's symbols half are stored",
    "store/rows/knowledge-rows.ts",
    "  symbols: ({ symbols }) => elementsToColumn(symbols),",
    (is) =>
      `  symbols: ({ symbols }) => elementsToColumn(${is} ? symbols.slice(0, Math.ceil(symbols.length / 2)) : symbols),`,
  ),
  planted(
    "frequency-not-stored",
    "a model that is learned again keeps its frequency on the disk",
    "store/tables/knowledge-tables.ts",
    "    this.#database.run(this.#renewModel, ",
    (is) => `    if (!(${is})) this.#database.run(this.#renewModel, `,
  ),
  planted(
    "model-not-deleted",
    "a model that is forgotten stays on the disk",
    "store/tables/knowledge-tables.ts",
    `    this.#database.run(\`DELETE FROM \${this.#prefix}models WHERE id = ?\`, id);`,
    (is) => `    if (!(${is})) this.#database.run(\`DELETE FROM \${this.#prefix}models WHERE id = ?\`, id);`,
  ),
  planted(
    "blacklist-not-stored",
    "a symbol is put on the blacklist in memory only",
    "store/tables/blacklist-table.ts",
    "    for (const symbol of symbols) this.#database.run(statement, symbol);",
    (is) => `    for (const symbol of ${is} ? [] : symbols) this.#database.run(statement, symbol);`,
  ),
  planted(
    "genes-lost",
    "changed genes are deleted from the disk",
    "store/tables/state-table.ts",
    "    for (const [name, setting] of Object.entries(genes)) this.#database.run(",
    (is) => `    for (const [name, setting] of ${is} ? [] : Object.entries(genes)) this.#database.run(`,
  ),
  planted(
    "cleared-stays",
    "what was set aside to be deleted in pieces is not deleted",
    "object/deletions.ts",
    "    if (this.#retryAt === undefined) this.#alarm.ringBy(",
    (is) => `    if (this.#retryAt === undefined && !(${is})) this.#alarm.ringBy(`,
  ),
  planted(
    "new-rows-deleted",
    "what is learned while something that was cleared is deleted is deleted with it",
    "store/tables/discarded-tables.ts",
    "    const some = `SELECT ",
    (is) =>
      `    if (${is}) this.#database.run(\`DELETE FROM \${table.replace(/^[a-z]+_\\d+_/, "")}\`);\n    const some = \`SELECT `,
  ),
  planted(
    "slot-reused-early",
    "a row of a memory is written over while it is needed",
    "store/logs/memory-log.ts",
    "this.#fillHead(rowAt(this.#free.pop() ??",
    (is) => `this.#fillHead(rowAt((${is} ? this.#full[0] : undefined) ?? this.#free.pop() ??`,
  ),
];

/** The changes of sources that plant all of them: see Program.load and Program.plant. */
export const PLANTED_CHANGES = [...HELPERS, ...PLANTED.map(({ change }) => change)];
