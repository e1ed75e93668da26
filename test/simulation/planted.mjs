/**
 * Faults that are planted in the Worker to see that the simulator finds them: each is one change of a source, which
 * works only while the fault's name is set.
 */

/** A seed whose plan finds each fault. When plans change, `npm run simulate -- --plant all` tells others. */
const FOUND_WITH = {
  "commit-forgotten": 2,
  "transaction-rolled-back": 1,
  "event-dropped": 8,
  "event-removed-early": 3,
  "event-sent-twice": 2,
  "number-not-stored": 3,
  "repetition-taken": 3,
  "answer-not-kept": 3,
  "answer-kept-later": 3,
  "alarm-lost": 21,
  "row-halved": 2,
  "frequency-not-stored": 6,
  "model-not-deleted": 2,
  "blacklist-not-stored": 8,
  "genes-lost": 3,
  "slot-reused-early": 11,
};

const on = (name) => `__platform.planted === ${JSON.stringify(name)}`;

/** A place in a source where a fault is planted. */
const planted = (name, about, file, find, replace) => ({
  name,
  about,
  seed: FOUND_WITH[name],
  change: { file: `src/${file}`, find, replace: replace(on(name)) },
});

/** What the faults need besides their place. */
const HELPERS = [
  {
    file: "src/object/stored-processor.ts",
    find: "/** Ends the transaction of a rehearsal. */",
    insert:
      "function rolledBack<Reply>(transaction: (work: () => void) => void, verb: () => Reply): Reply {\n" +
      "  let reply: Reply | undefined;\n" +
      "  try { transaction(() => { reply = verb(); throw new Rehearsed(); }); }\n" +
      "  catch (error) { if (!(error instanceof Rehearsed)) throw error; }\n" +
      "  return reply as Reply;\n}\n",
  },
];

/** The faults, each with what it does. */
export const PLANTED = [
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
    "store/tables/knowledge-tables.ts",
    "      elementsToColumn(symbols),",
    (is) => `      elementsToColumn(${is} ? symbols.slice(0, Math.ceil(symbols.length / 2)) : symbols),`,
  ),
  planted(
    "frequency-not-stored",
    "a model that is learned again keeps its frequency on the disk",
    "store/tables/knowledge-tables.ts",
    "    this.#database.run(statement, frequency, ",
    (is) => `    if (!(${is})) this.#database.run(statement, frequency, `,
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
    "slot-reused-early",
    "a row of a memory is written over while it is needed",
    "store/logs/memory-log.ts",
    "this.#fillHead(rowAt(this.#free.pop() ??",
    (is) => `this.#fillHead(rowAt((${is} ? this.#full[0] : undefined) ?? this.#free.pop() ??`,
  ),
];

/** The changes of sources that plant all of them: see Program.load and Program.plant. */
export const PLANTED_CHANGES = [...HELPERS, ...PLANTED.map(({ change }) => change)];
