/** The thresholds that the alerts of a processor choose for themselves, shared by all its memories. */

import type { KeptThreshold } from "../ports/incident";
import {
  asKept,
  bitsOf,
  compared,
  type DailyThreshold,
  type DatedBits,
  NEW_THRESHOLD,
  thresholdNumbers,
  thresholdOf,
} from "./daily-threshold";

/**
 * Thresholds by the numbers of their alerts. No row is written for them while memories last: each memory keeps a copy
 * in the row that its observation writes anyway, and each incident one in its own; when a memory ends, its alert keeps
 * one. Of several copies, that which has seen most counts.
 */
export class Thresholds {
  readonly #byAlert = new Map<number, DailyThreshold>();
  /** How many events those had seen that were handed out by {@link unkept}. */
  readonly #kept = new Map<number, number>();

  /** Takes over copies that have seen more events. */
  adopt(kept: readonly KeptThreshold[]): void {
    for (const { alert, numbers } of kept) {
      const threshold = thresholdOf(numbers);
      if (threshold === undefined || threshold.events <= (this.#byAlert.get(alert)?.events ?? 0)) continue;
      this.#byAlert.set(alert, threshold);
    }
  }

  /**
   * Whether an event passes the threshold of an alert, which takes it into account.
   *
   * @param alert the alert's number
   * @param perDay how many events a day are to pass
   */
  passes(alert: number, perDay: number, event: DatedBits): boolean {
    const { after, passes } = compared(this.#byAlert.get(alert) ?? NEW_THRESHOLD, perDay, event);
    this.#byAlert.set(alert, asKept(after));
    return passes;
  }

  /** The threshold of an alert in bits; `undefined` while there is none. */
  bits(alert: number): number | undefined {
    const threshold = this.#byAlert.get(alert);
    // As it is kept, so that it is the same after a restart and a restore.
    const kept = threshold && thresholdOf(thresholdNumbers(threshold));
    return kept && bitsOf(kept);
  }

  /** Copies of those that have seen more than when this was called last: they are to be kept with their alerts. */
  unkept(alerts: readonly number[]): KeptThreshold[] {
    const changed = alerts.filter((alert) => this.#eventsOf(alert) > (this.#kept.get(alert) ?? 0));
    for (const alert of changed) this.#kept.set(alert, this.#eventsOf(alert));
    return this.copies(changed);
  }

  #eventsOf(alert: number): number {
    return this.#byAlert.get(alert)?.events ?? 0;
  }

  /** Copies of the thresholds of some alerts. */
  copies(alerts: readonly number[]): KeptThreshold[] {
    return alerts.flatMap((alert) => {
      const threshold = this.#byAlert.get(alert);
      return threshold === undefined ? [] : [{ alert, numbers: thresholdNumbers(threshold) }];
    });
  }
}
