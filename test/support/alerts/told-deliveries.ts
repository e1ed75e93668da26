/** The deliveries of a processor's alerts without a network: a test says how each attempt ends, tells what has happened, and lets time pass. */

import { vi } from "vitest";
import { AlertDeliveries } from "../../../src/object/alerts/alert-deliveries";
import type { Outcome } from "../../../src/object/alerts/alert-delivery";
import { ObjectAlarm } from "../../../src/object/object-alarm";
import type { Alert, Told } from "../../../src/processor/ports/alert";
import type { QueuedNotice } from "../../../src/store/alerts/alert-queue-table";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { SqliteStore } from "../../../src/store/store";

/**
 * Deliveries whose attempts end as a test says. Needs vitest's fake timers.
 *
 * @param endOf how an attempt for an alert ends: with what differs from a success, or never
 */
export function deliveriesOn(
  storage: DurableObjectStorage,
  endOf: (alert: Alert) => Promise<Partial<Outcome>> | "never",
) {
  migrate(storage.sql, PROCESSOR_MIGRATIONS);
  const store = new SqliteStore(storage.sql);
  const sent: { alert: string; at: number; notice: QueuedNotice; url: string }[] = [];
  const service = { isIn: true };
  const deliveries = new AlertDeliveries({
    storage,
    alarm: new ObjectAlarm(storage),
    objectId: "o",
    speaker: () => (service.isIn ? "p" : undefined),
    send: async (alert, notice) => {
      sent.push({ alert: alert.name, at: Date.now(), notice, url: alert.url });
      const end = endOf(alert);
      if (end === "never") return new Promise(() => {});
      return { at: Date.now(), status: 204, failure: undefined, ...(await end) };
    },
  });
  const set = (name: string, url = `https://${name}.example/`, change: Partial<Alert> = {}) => {
    const alert: Alert = {
      name,
      when: { kind: "learned" },
      url,
      format: "standard",
      secret: "whsec_x",
      ...change,
    };
    store.record({ kind: "alert-put", alert, at: Date.now() });
    deliveries.changed(name);
  };
  /** Queues notices about memories, as a verb does in its transaction. */
  const record = (alert: string, sessions: readonly string[], told: Told) => {
    const notices = sessions.map((session) => {
      return { alert, webhookId: `w${session}`, session, interval: 1, happenedAt: Date.now() };
    });
    if (told.kind === "silent") {
      store.record({ kind: "silences-told", silences: [], notices: notices.map((notice) => ({ ...notice, told })) });
      return;
    }
    for (const notice of notices) store.record({ kind: "alert-told", notice: { ...notice, told } });
  };
  const tell = (alert: string, session = "", told: Told = { kind: "learned", model: "m" }) => {
    record(alert, [session], told);
    deliveries.queued(1, 0);
  };
  /** Lets time pass, with the alarms that come in it. */
  const pass = async (ms: number) => {
    for (const end = Date.now() + ms; Date.now() < end; ) {
      await vi.advanceTimersByTimeAsync(Math.min(5_000, end - Date.now()));
      await deliveries.wake();
    }
  };
  return { deliveries, store, sent, service, set, record, tell, pass };
}
