/**
 * The types of alerts: conditions that clients set, and the notices they cause. The processor records both; its owner
 * delivers the notices.
 */

import { AlertCondition as BOUNDS, DailyCondition } from "../../gen/limits";
import type { Surprise } from "../../gen/plain";
import type { ShownIncident } from "./incident";

/** Maximum number of alerts of a processor. */
export const MAX_ALERTS = 100;

/** Maximum number of events a day that an alert may ask for. */
export const MAX_PER_DAY = DailyCondition.perDay.most;

/** Maximum number of seconds of silence that an alert may ask for: a year. */
export const MAX_SILENT_SECONDS = BOUNDS.silentFor.most;

/** When an alert fires. */
export type AlertCondition =
  /** The surprise of an event exceeds `above` bits, 0 or more. */
  | { kind: "surprise"; above: number }
  /** The surprise of an event exceeds a threshold that about `perDay` events a day exceed. */
  | { kind: "daily"; perDay: number }
  /** The probability, 0 to 1, that `symbol` is in one of the next `horizon` events rises above `above`. */
  | { kind: "forecast"; symbol: string; above: number; horizon: number }
  /**
   * A memory has not observed for `after` seconds, above 0, or for longer than the gaps between its arrivals suggest.
   */
  | { kind: "silent"; after: number | "expected" }
  /** A model is learned. */
  | { kind: "learned" };

/** The forms of a delivery. */
export const ALERT_FORMATS = ["standard", "slack", "ntfy", "text"] as const;

/** One of {@link ALERT_FORMATS}. */
export type AlertFormat = (typeof ALERT_FORMATS)[number];

/** An alert as a client has set it. */
export interface Alert {
  /** Chosen by the client. */
  name: string;
  when: AlertCondition;
  /** Where it is delivered; empty for an alert without deliveries. */
  url: string;
  format: AlertFormat;
  /**
   * Signs deliveries: `whsec_` and base64. Never logged, and shown only in the answer to the call that generated it.
   * May be empty without a url.
   */
  secret: string;
}

/** The outcome of an alert's last delivery attempt. */
export interface LastDelivery {
  /** Epoch milliseconds. */
  at: number;
  /** The HTTP status; `undefined` when there was no answer. */
  status: number | undefined;
  /** Why it failed, in a sentence; `undefined` when it succeeded. */
  failure: string | undefined;
}

/** An alert as it is stored. */
export interface StoredAlert extends Alert {
  /**
   * The number by which memories refer to it, 1 or more. A changed condition gets a new number;
   * numbers are never reused.
   */
  number: number;
  /** `undefined` before the first attempt. */
  last: LastDelivery | undefined;
  /** Number of waiting deliveries. */
  waiting: number;
  /** The restored state of the threshold, as its tracker stores it; `undefined` for none. */
  threshold: number[] | undefined;
}

/** An alert as a restore sets it. */
export type RestoredAlert = Alert & Pick<StoredAlert, "number" | "threshold">;

/** The content of a notice. The members are named as in the interface. */
export type Told =
  | { kind: "surprise"; surprise: Surprise }
  | {
      kind: "forecast";
      forecast: { horizon: number; models: string[]; probability: number; support: number; symbol: string };
    }
  /** An incident began. */
  | { kind: "incident"; incident: ShownIncident }
  /**
   * A memory is silent. A joined delivery lists `others`; `more` is the number of silent memories that are not listed.
   */
  | { kind: "silent"; silence: Silence; more?: number; others?: SilentMemory[] }
  /** `model` is the name without its prefix. */
  | { kind: "learned"; model: string }
  /** A test delivery that a client has requested. */
  | { kind: "test" };

/** A memory has not observed for `after` seconds; its last observation was at `last_observed`, whole epoch seconds. */
interface Silence {
  after: number;
  last_observed: number;
}

/** Another silent memory in the same delivery. The members are named as in the interface. */
export interface SilentMemory extends Silence {
  /** The time of the memory. */
  interval: number;
  /** The session; null for the processor's own memory. */
  session: string | null;
}

/** A notice that an alert delivers. */
export interface Notice {
  /** The name of the alert. */
  alert: string;
  /** Stays the same when the delivery is repeated. */
  webhookId: string;
  told: Told;
  /** The session; empty for the processor's own memory. */
  session: string;
  /** The time of the memory. */
  interval: number;
  /** When it happened, epoch milliseconds. */
  happenedAt: number;
}

/** What an alert of silence has to report. */
export type SilenceNotice = Notice & { told: Extract<Told, { kind: "silent" }> };

/** The content of a notice of any other alert. */
export type ToldEvent = Exclude<Told, { kind: "silent" }>;

/** What any other alert has to report. */
export type EventNotice = Notice & { told: ToldEvent };

/** Maximum number of waiting notices of a processor; beyond it the oldest are dropped. */
export const MAX_WAITING = 1_000;

/**
 * With this number of waiting notices, those of silence are joined: one notice reports several memories of its alert.
 */
export const JOINED_FROM = 900;
