/** What the outboxes of this isolate have done since it started. Plain numbers, which nobody waits for. */

/** The counts of all outboxes together. */
export const outboxes = {
  /** Events recorded for other processors. */
  recorded: 0,
  /** Events that have left an outbox: their targets have them, or never can. */
  delivered: 0,
  /** Attempts to deliver that failed. */
  failures: 0,
  /** Deliveries that had come before and had no effect. */
  redeliveries: 0,
  /** How many events wait for another attempt, by object; an object where none waits is not in it. */
  waiting: new Map<string, number>(),
};
