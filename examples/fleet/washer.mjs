/** A washing machine that reports to Noema: numbers its records, watches for what the fleet's knowledge does not explain, and learns. */

import { clearWorkingMemory, getPredictions, getTime, learn, observe, session } from "noema/client";

/** One record that the knowledge does not explain is a misreading; two in a row are a fault. */
const IN_A_ROW = 2;

export class Washer {
  /** How many records it has reported. A real washer stores this number before it sends the record. */
  records = 0;
  /** The cycles that it has let the processor learn, each a list of records. */
  learned = [];
  /** The alarms: in which cycle, that cycle's first record, at which record it was noticed, and why. */
  alarms = [];
  #memory;

  /**
   * @param {string} name a name that no other has: it names the session, and the source of the records
   * @param {import("noema/client").Processor} fleet the processor that all washers share, reached by this one's link
   */
  constructor(name, fleet) {
    this.name = name;
    this.#memory = session(fleet, name);
  }

  /** Reports a cycle while it runs. Learns it at the end, unless it was watched and there was an alarm. */
  async run(cycle, records, isWatched) {
    const first = this.records + 1;
    let inARow = 0;
    let alarm;
    for (const strings of records) {
      await this.#report(strings);
      const unexplained = isWatched ? await this.#unexplained(strings) : [];
      inARow = unexplained.length > 0 ? inARow + 1 : 0;
      if (inARow === IN_A_ROW) alarm ??= { cycle, first, record: this.records, strings, unexplained };
    }
    // The client gives learn and clear a key of their own, so that these take effect once, too.
    if (alarm === undefined) {
      await learn(this.#memory);
      this.learned.push(records);
    } else {
      await clearWorkingMemory(this.#memory);
      this.alarms.push(alarm);
    }
  }

  /** How many records the processor has counted. */
  counted() {
    return getTime(this.#memory);
  }

  /** The client sends a record until it is answered. By its number the processor takes it once. */
  async #report(strings) {
    this.records++;
    await observe(this.#memory, { strings }, { delivery: { source: this.name, number: this.records } });
  }

  /** What the best model does not explain of the record that came last. */
  async #unexplained(strings) {
    const [best] = await getPredictions(this.#memory, { top: 1, fields: ["extras"] });
    return strings.filter((symbol) => best === undefined || best.extras.includes(symbol));
  }
}
