/**
 * Hosts: those of this machine, their forms in addresses and variables, and the variable that lists those to which
 * alerts may be delivered.
 */

import { excerpt } from "./excerpt";
import { wordsOf } from "./variables";

/** The domain whose names all resolve to the local machine. */
export const LOCAL_DOMAIN = "localhost";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether a host is `localhost` or a loopback address. @param hostname from a URL: lower case, without a port */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Whether a host is one of a domain's names: `a.b.org` and `x.a.b.org` are below `b.org`, which itself is not. */
export function isBelow(hostname: string, domain: string): boolean {
  return hostname.endsWith(domain) && hostname.charAt(hostname.length - domain.length - 1) === ".";
}

/** A host without the final dot of an absolute name: `example.org.` is `example.org`. */
export function withoutRootDot(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

/** Whether a text is a host in the form of URLs, with its port unless that is the protocol's default. */
export function isHost(text: string): boolean {
  // URLs accept an asterisk as an ordinary character, but a user who writes one means every host.
  return !text.includes("*") && ["https", "http"].some((protocol) => parsedUrl(`${protocol}://${text}`)?.host === text);
}

/** A text as a URL; `undefined` if it is not one. */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // URL throws only if the text is not a URL.
    return undefined;
  }
}

/** The part of the Worker's environment about where alerts go, and their links. */
export interface AlertHostsEnv {
  /** The hosts, each with its port, which may be left out if it is 443, separated by white space or commas. */
  readonly NOEMA_ALERT_HOSTS?: string;
  /** The server's public URL, for links in deliveries; none if absent. */
  readonly NOEMA_PUBLIC_URL?: string;
}

/** The hosts to which alerts may be delivered; none if the variable is not set. */
export function alertHosts(env: AlertHostsEnv): string[] {
  return wordsOf(env.NOEMA_ALERT_HOSTS);
}

/** Why the variable is not valid, as a sentence; `undefined` if it is valid. */
export function alertHostsRefusal(env: AlertHostsEnv): string | undefined {
  const wrong = alertHosts(env).find((host) => !isHost(host));
  if (wrong === undefined) return undefined;
  return (
    `the variable NOEMA_ALERT_HOSTS has ${excerpt(wrong)}; it must list hosts as URLs have them, ` +
    "in lower case and without https://, such as hooks.example.org or hooks.example.org:8443"
  );
}
