/** The verbs of AlertService: the webhooks that a processor calls when something happens in its memories. */

import { excerpt } from "../../../text/excerpt";
import type { Mind } from "../../mind";
import { type Alert, MAX_ALERTS, type StoredAlert } from "../../ports/alert";
import { Fault } from "../../ports/fault";
import type { HeldAlert } from "../../processor-core";
import { checkAlert } from "./alert-input";
import { tell } from "./alerting";

/** One method per rpc of AlertService. */
export class AlertVerbs {
  readonly #mind: Mind;

  /** @param mind the processor's own memory */
  constructor(mind: Mind) {
    this.#mind = mind;
  }

  /**
   * Alerts by name, in the order of UTF-8 bytes.
   * @param name the wanted alert; all if absent
   * @throws Fault `unknown` when no alert has this name
   */
  getAlerts(name?: string): StoredAlert[] {
    const all = this.#mind.store.alerts();
    if (name === undefined) return all;
    const wanted = this.#named(name);
    return all.filter((alert) => alert.name === wanted.name);
  }

  /**
   * Adds or replaces an alert. Notices already waiting are delivered as the new definition says.
   * @throws Fault `invalid` when a member is wrong; `over-limit` if the maximum number of alerts is reached
   */
  putAlert(alert: Alert): void {
    checkAlert(alert);
    const { alerts } = this.#mind.shared;
    if (alerts.length >= MAX_ALERTS && !alerts.some(({ name }) => name === alert.name)) {
      throw new Fault("over-limit", `a processor may have ${MAX_ALERTS} alerts; delete one first`);
    }
    this.#mind.store.record({ kind: "alert-put", alert, at: this.#mind.shared.now() });
    this.#mind.shared.readAlerts();
  }

  /** Removes an alert and its waiting notices. Does nothing if there is none. */
  deleteAlert(name: string): void {
    this.#mind.store.record({ kind: "alert-removed", name });
    this.#mind.shared.readAlerts();
  }

  /**
   * Queues a test delivery.
   *
   * @returns its identifier
   * @throws Fault `unknown` when there is no such alert; `invalid` when it has no url
   */
  testAlert(name: string): string {
    const alert = this.#named(name);
    if (!alert.delivers) throw new Fault("invalid", `the alert ${excerpt(name)} has no url, so it delivers nothing`);
    return tell(this.#mind, alert, { kind: "test" });
  }

  /** The threshold of a self-adjusting alert in bits; `undefined` before there is one, and for other alerts. */
  thresholdOf({ number, when }: Pick<StoredAlert, "number" | "when">): number | undefined {
    return when.kind === "daily" ? this.#mind.shared.thresholds.bits(number) : undefined;
  }

  #named(wanted: string): HeldAlert {
    const alert = this.#mind.shared.alerts.find(({ name }) => name === wanted);
    if (alert !== undefined) return alert;
    throw new Fault("unknown", `there is no alert named ${excerpt(wanted)}`);
  }
}
