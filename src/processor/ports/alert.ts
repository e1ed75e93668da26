/**
 * The types of alerts: conditions that clients set, and the notices they cause. The processor records
 * both; its owner delivers.
 */

import type { Surprise } from "./activity";
import type { ShownIncident } from "./incident";

/** Maximum number of alerts of a processor. */
export const MOST_ALERTS = 100;

/** Maximum number of events a day that an alert may ask for. */
export const MOST_PER_DAY = 10_000;

/** Maximum number of seconds of silence that an alert may ask for: a year. */
export const MOST_SILENT_SECONDS = 31_536_000;

/** When an alert fires. */
export type AlertCondition =
  /** An event surprises with more than `above` bits, 0 or more. */
  | { kind: "surprise"; above: number }
  /** An event passes a threshold of surprise that about `perDay` events a day pass. */
  | { kind: "daily"; perDay: number }
  /** The probability, 0 to 1, that `symbol` is in one of the next `horizon` events rises above `above`. */
  | { kind: "forecast"; symbol: string; above: number; horizon: number }
  /**
   * A memory has not observed for `after` seconds, above 0, or for longer than the gaps between its arrivals let
   * expect.
   */
  | { kind: "silent"; after: number | "expected" }
  /** A model is learned. */
  | { kind: "learned" };

/** The forms of a delivery. */
export const ALERT_FORMATS = ["standard", "slack", "ntfy", "text"] as const;

/** One of them. */
export type AlertFormat = (typeof ALERT_FORMATS)[number];

/** An alert as a client has set it. */
export interface Alert {
  /** Chosen by the client. */
  name: string;
  when: AlertCondition;
  /** Where it is delivered; empty for an alert that delivers nothing. */
  url: string;
  format: AlertFormat;
  /**
   * Signs what is delivered: `whsec_` and base64. Never in a log, and only in the answer to the call that had it made.
   * May be empty where there is no url.
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
  /** How many deliveries wait. */
  waiting: number;
  /** The threshold as it was restored, as its tracker keeps it; `undefined` for none. */
  threshold: number[] | undefined;
}

/** An alert as a restore puts it back. */
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
  /** A memory is silent. A joined delivery lists `others`; `more` is the number of silent memories that are not listed. */
  | { kind: "silent"; silence: Silence; more?: number; others?: SilentMemory[] }
  /** `model` is the name without its prefix. */
  | { kind: "learned"; model: string }
  /** A test delivery that a client has requested. */
  | { kind: "test" };

/** A memory has not observed for `after` seconds, nor since `last_observed`, whole epoch seconds. */
interface Silence {
  after: number;
  last_observed: number;
}

/** Another memory of which the same delivery tells. The members are named as in the interface. */
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
  /** The same at each attempt to deliver it. */
  webhookId: string;
  told: Told;
  /** The session; empty for the processor's own memory. */
  session: string;
  /** The time of the memory. */
  interval: number;
  /** When it happened, epoch milliseconds. */
  happenedAt: number;
}

/** Maximum number of waiting notices of a processor; beyond it the oldest are dropped. */
export const MOST_WAITING = 1_000;

/** From this number of waiting notices on, one that says that a memory is silent joins another of its alert. */
export const JOINED_FROM = 900;
