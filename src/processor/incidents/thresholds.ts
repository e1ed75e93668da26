/** The self-adjusting thresholds of a processor's alerts, shared by all its memories. */

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
 * Thresholds by the numbers of their alerts. They have no row of their own: each memory keeps a copy in the row that an
 * observation writes anyway, and each incident one in its row; when a memory ends, its alert keeps a copy. Of several
 * copies, the one that has seen the most events counts. To find it, all memories are read when the processor is opened:
 * the times of rows do not say which is the newest, because the clock may have been set back, and a row of its own
 * would be a second one for each observation.
 */
export class Thresholds {
  readonly #byAlert = new Map<number, DailyThreshold>();
  /** The number of events that copies handed out by {@link unkept} had seen. */
  readonly #kept = new Map<number, number>();
  /**
   * What both maps had of what has changed since {@link keepChanges}; `undefined` where nothing is to be taken back.
   */
  #undoing:
    | { readonly byAlert: Map<number, DailyThreshold | undefined>; readonly kept: Map<number, number> }
    | undefined;

  /** From now on, keeps what {@link takeBack} needs. What was kept before is dropped. */
  keepChanges(): void {
    this.#undoing = { byAlert: new Map(), kept: new Map(this.#kept) };
  }

  /** Takes back all changes since {@link keepChanges}. Nothing more is kept. */
  takeBack(): void {
    const undoing = this.#undoing;
    if (undoing === undefined) return;
    this.#undoing = undefined;
    for (const [alert, before] of undoing.byAlert) {
      if (before === undefined) this.#byAlert.delete(alert);
      else this.#byAlert.set(alert, before);
    }
    this.#kept.clear();
    for (const [alert, events] of undoing.kept) this.#kept.set(alert, events);
  }

  #set(alert: number, threshold: DailyThreshold): void {
    const { byAlert } = this.#undoing ?? {};
    if (byAlert !== undefined && !byAlert.has(alert)) byAlert.set(alert, this.#byAlert.get(alert));
    this.#byAlert.set(alert, threshold);
  }

  /** Takes over copies that have seen more events. */
  adopt(kept: readonly KeptThreshold[]): void {
    for (const { alert, numbers } of kept) {
      const threshold = thresholdOf(numbers);
      if (threshold === undefined || threshold.events <= (this.#byAlert.get(alert)?.events ?? 0)) continue;
      this.#set(alert, threshold);
    }
  }

  /**
   * Whether an event passes the threshold of an alert. The threshold takes the event into account.
   *
   * @param alert the alert's number
   * @param perDay wanted number of passing events a day
   */
  passes(alert: number, perDay: number, event: DatedBits): boolean {
    const { after, passes } = compared(this.#byAlert.get(alert) ?? NEW_THRESHOLD, perDay, event);
    this.#set(alert, asKept(after));
    return passes;
  }

  /** The threshold of an alert in bits; `undefined` before there is one. */
  bits(alert: number): number | undefined {
    const threshold = this.#byAlert.get(alert);
    // Rounded as stored, so that it is the same after a restart and a restore.
    const kept = threshold && thresholdOf(thresholdNumbers(threshold));
    return kept && bitsOf(kept);
  }

  /** Copies of the thresholds that have seen events since the last call, to be kept with their alerts. */
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
