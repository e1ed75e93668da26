/**
 * The nouns of alerts: what a client wants to be told of, and what there is to tell. The processor records
 * both; its owner delivers.
 */

import type { Surprise } from "./witness";

/** How many alerts a processor may have. */
export const MOST_ALERTS = 100;

/** The most events ahead that an alert looks; the same as a forecast. */
export const MOST_ALERT_HORIZON = 10;

/** When an alert tells. */
export type AlertCondition =
  /** An event surprises with more than `above` bits, 0 or more. */
  | { kind: "surprise"; above: number }
  /** The probability, 0 to 1, that `symbol` is in one of the next `horizon` events rises above `above`. */
  | { kind: "forecast"; symbol: string; above: number; horizon: number }
  /** A model is learned. */
  | { kind: "learned" };

/** An alert as a client has set it. */
export interface Alert {
  /** Chosen by the client. */
  name: string;
  when: AlertCondition;
  /** Where it is delivered. */
  url: string;
  /**
   * Signs what is delivered: `whsec_` and base64. No answer and no log ever holds it, but the
   * answer to whoever had it made.
   */
  secret: string;
}

/** How the last attempt of an alert to deliver ended. */
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
   * Memories name it by this number, 1 or more. An alert gets another one with another condition; no number comes back.
   */
  number: number;
  /** `undefined` before the first attempt. */
  last: LastDelivery | undefined;
  /** How many deliveries wait. */
  waiting: number;
}

/** What there is to tell. The members are named as in the interface. */
export type Told =
  | { kind: "surprise"; surprise: Surprise }
  | {
      kind: "forecast";
      forecast: { horizon: number; models: string[]; probability: number; support: number; symbol: string };
    }
  /** `model` is the name without its prefix. */
  | { kind: "learned"; model: string }
  /** A client has asked for a delivery, to see whether it arrives. */
  | { kind: "test" };

/** Something that an alert tells. */
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

/** So many notices wait for each processor; then the oldest are dropped. */
export const MOST_WAITING = 1_000;
