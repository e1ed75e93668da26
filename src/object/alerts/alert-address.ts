/**
 * The addresses to which alerts may be delivered: https addresses of hosts that the deployment lists, and no private
 * ones. Checked when an alert is set, and again at every attempt. A listed name may still resolve to a private address;
 * the runtime's network refuses that.
 */

import ipaddr from "ipaddr.js";
import {
  type AlertHostsEnv,
  alertHosts,
  isBelow,
  isLoopback,
  LOCAL_DOMAIN,
  parsedUrl,
  withoutRootDot,
} from "../../text/hosts";

/** The part of the Worker's environment that says where alerts may go, and how. */
export interface AlertEnv extends AlertHostsEnv {
  /** "true" only in local use and in tests: it allows http to this machine. */
  readonly NOEMA_LOCAL?: string;
  /** Reaches this machine where the global `fetch` cannot. */
  readonly LOOPBACK?: { fetch(url: string, init: RequestInit): Promise<Response> };
}

/** Maximum length of an address, in characters. */
const MAX_URL_LENGTH = 2_048;

/** White space and control characters, some of which URLs silently drop. */
const INVISIBLE = /[\s\p{Cc}]/u;

/**
 * Why an alert may not be delivered to an address; `undefined` when it may.
 *
 * @returns the end of a sentence about the address, quoting at most its host
 */
export function alertUrlRefusal(text: string, env: AlertEnv): string | undefined {
  const url = INVISIBLE.test(text) ? undefined : parsedUrl(text);
  if (url === undefined || url.host === "") return "it must be a URL such as https://hooks.example.org/noema";
  if (text.length > MAX_URL_LENGTH) return `it must have at most ${MAX_URL_LENGTH} characters, got ${text.length}`;
  if (url.username !== "" || url.password !== "" || url.hash !== "")
    return "it must be a URL without user and fragment";
  if (!isLocal(url, env)) {
    if (url.protocol !== "https:") return "it must begin with https://";
    if (isPrivate(url.hostname)) return `its host ${url.host} is a private address, to which nothing is delivered`;
  }
  const hosts = alertHosts(env);
  if (hosts.includes(url.host) || hosts.includes(withPort(url))) return undefined;
  return hosts.length === 0
    ? "this deployment delivers to no host: the variable NOEMA_ALERT_HOSTS is not set"
    : `its host ${url.host} is not listed in the variable NOEMA_ALERT_HOSTS`;
}

/** The host of an address with its port, which `url.host` omits if it is the protocol's default. */
function withPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** Whether an address is http to this machine, and that is allowed. */
export function isLocal(url: URL, env: AlertEnv): boolean {
  return env.NOEMA_LOCAL === "true" && url.protocol === "http:" && isLoopback(url.hostname);
}

/**
 * Whether a host is this machine or an address that is not in the public network.
 *
 * @param hostname from a URL, which normalizes the spelling
 */
function isPrivate(hostname: string): boolean {
  const host = withoutRootDot(hostname);
  if (host === LOCAL_DOMAIN || isBelow(host, LOCAL_DOMAIN)) return true;
  const literal = host.startsWith("[") ? host.slice(1, -1) : host;
  if (!ipaddr.isValid(literal)) return false;
  const address = ipaddr.process(literal);
  if (address.range() !== "unicast") return true;
  // Only 2000::/3 of IPv6 is allocated; lower forms may embed an IPv4 address.
  return address instanceof ipaddr.IPv6 && ((address.parts[0] ?? 0) & 0xe000) !== 0x2000;
}
