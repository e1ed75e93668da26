/**
 * Makes one attempt to deliver a notice to its webhook, with the body and the headers of Standard Webhooks
 * (https://www.standardwebhooks.com), and reports the outcome. Follows no redirect and reads only the answer's status.
 * Never logs the address, which may hold a secret.
 */

import { Webhook } from "standardwebhooks";
import { version } from "../../../package.json";
import type { Alert, AlertFormat, LastDelivery, Told } from "../../processor/ports/alert";
import type { QueuedNotice } from "../../store/alerts/alert-queue-table";
import { MODEL_PREFIX } from "../../text/names";
import { type AlertEnv, alertUrlRefusal, isLocal } from "./alert-address";
import { titleOf, wordsOf } from "./alert-words";

/** The outcome of an attempt, and what the webhook asks for. */
export interface Outcome extends LastDelivery {
  /** The pause that it asks for, in milliseconds, from 0 to {@link MAX_RETRY_AFTER_MS}. */
  retryAfterMs?: number;
}

/** The status of a webhook that wants no more deliveries. */
export const GONE = 410;

/** Statuses that may come with a time to retry. */
const RETRY_LATER_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** The longest pause that a webhook may ask for at once, in milliseconds: notices are given up after a day. */
const MAX_RETRY_AFTER_MS = 2 * 3_600_000;

/** Time limit of a webhook's answer, in milliseconds. */
export const TIMEOUT_MS = 10_000;

/**
 * Makes one attempt.
 *
 * @param processor the identifier of the notifying processor
 * @returns how it ended; never rejects
 */
export type Send = (alert: Alert, notice: QueuedNotice, processor: string) => Promise<Outcome>;

/** Makes attempts over the network, within the environment's limits. */
export function sender(env: AlertEnv): Send {
  return async (alert, notice, processor) => {
    const refusal = alertUrlRefusal(alert.url, env);
    if (refusal !== undefined) return failed(undefined, `the address is refused: ${refusal}`);
    try {
      return outcomeOf(await post(alert, notice, processor, env));
    } catch (error) {
      return failed(undefined, reasonOf(error));
    }
  };
}

async function post(alert: Alert, notice: QueuedNotice, processor: string, env: AlertEnv): Promise<Response> {
  const { webhookId } = notice;
  const { body, ...form } = writtenAs(alert.format, notice, processor, env.NOEMA_PUBLIC_URL);
  const now = new Date();
  const url = new URL(alert.url);
  const network = isLocal(url, env) && env.LOOPBACK ? env.LOOPBACK : globalThis;
  const response = await network.fetch(url.href, {
    method: "POST",
    headers: {
      ...form.headers,
      "user-agent": `noema/${version}`,
      "webhook-id": webhookId,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(alert.secret).sign(webhookId, now, body),
    },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // Do not read the body: the answering server must not make this object hold it.
  await response.body?.cancel();
  return response;
}

function outcomeOf({ headers, status }: Response): Outcome {
  if (status >= 200 && status <= 299) return { at: Date.now(), status, failure: undefined };
  const retryAfterMs = RETRY_LATER_STATUSES.has(status)
    ? retryAfter(headers.get("retry-after"), Date.now())
    : undefined;
  return { ...failed(status, failureOf(status)), ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function failureOf(status: number): string {
  if (status === GONE) return "it answered 410 Gone: nothing more is sent until the alert is set or tested again";
  if (status >= 300 && status <= 399) return "it answered with a redirect, which is not followed";
  return "it did not answer with 2xx";
}

/**
 * The pause in a Retry-After header, which holds a number of seconds or a date.
 *
 * @param now epoch milliseconds
 * @returns milliseconds from now, from 0 to {@link MAX_RETRY_AFTER_MS}; `undefined` when the header is absent or
 *   malformed
 */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const isDate = header.endsWith(" GMT");
  if (!isDate && !/^\d+$/.test(header)) return undefined;
  const ms = isDate ? Date.parse(header) - now : 1_000 * Number(header);
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

function failed(status: number | undefined, failure: string): LastDelivery {
  return { at: Date.now(), status, failure };
}

/** Why there was no answer. Does not quote the error, which may name the address. */
function reasonOf(error: unknown): string {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  return isLate ? `it did not answer within ${TIMEOUT_MS / 1000} s` : "it could not be reached";
}

/** A delivery in its format. */
interface Written {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Writes a notice in a format.
 *
 * @param consoleUrl the server's public URL; absent if NOEMA_PUBLIC_URL is not set
 */
export function writtenAs(format: AlertFormat, notice: QueuedNotice, processor: string, consoleUrl?: string): Written {
  if (format === "standard") {
    return { body: bodyOf(notice, processor), headers: { "content-type": "application/json" } };
  }
  const [title, words] = [titleOf(notice), wordsOf(notice, processor)];
  const link = consoleUrl ? linkOf(consoleUrl, processor, notice) : undefined;
  if (format === "ntfy") {
    // The service decodes titles by RFC 2047, because a header is ASCII.
    const encoded = `=?UTF-8?B?${base64Of(title)}?=`;
    const headers = { "content-type": "text/plain; charset=utf-8", title: encoded, ...(link && { click: link }) };
    return { body: words, headers };
  }
  const text = [title, words, ...(link ? [link] : [])].join("\n");
  if (format === "text") return { body: text, headers: { "content-type": "text/plain; charset=utf-8" } };
  return { body: JSON.stringify({ text }), headers: { "content-type": "application/json" } };
}

/** The console's link to an incident, or to the memory of a notice; src/console/place.ts defines its form. */
function linkOf(consoleUrl: string, processor: string, { session, told }: QueuedNotice): string {
  const memory = session === "" ? [processor] : [processor, "sessions", session];
  const place = told.kind === "incident" ? ["incidents", processor, String(told.incident.id)] : [...memory, "now"];
  return `${consoleUrl.replace(/\/+$/, "")}/console#/${place.map(encodeURIComponent).join("/")}`;
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/**
 * The body of a notice in the standard format: the same bytes at each attempt, because each has the same `webhook-id`.
 */
export function bodyOf(notice: QueuedNotice, processor: string): string {
  const { alert, count, happenedAt, interval, session, told } = notice;
  const data = {
    alert,
    count,
    ...toldMembers(told),
    id: processor,
    interval,
    session: session === "" ? null : session,
  };
  const sorted = Object.fromEntries(Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1)));
  return JSON.stringify({ data: sorted, timestamp: new Date(happenedAt).toISOString(), type: `noema.${told.kind}` });
}

function toldMembers(told: Told): object {
  if (told.kind === "learned") return { model: MODEL_PREFIX + told.model };
  const { kind: _, ...members } = told;
  return members;
}
