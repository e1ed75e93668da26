/**
 * Hosts: those that mean this machine, wherever their names are looked up, and how addresses and variables name them.
 */

/** The domain whose names all mean the machine that asks. */
export const LOCAL_DOMAIN = "localhost";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether a host is `localhost` or a loopback address. @param hostname as URLs have it: lower case, without a port */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Whether a host is one of a domain's names: `a.b.org` and `x.a.b.org` are below `b.org`, which itself is not. */
export function isBelow(hostname: string, domain: string): boolean {
  return hostname.endsWith(domain) && hostname.charAt(hostname.length - domain.length - 1) === ".";
}

/** A host without the dot at its end that makes a name absolute: `example.org.` is `example.org`. */
export function withoutRootDot(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

/** Whether a text is the host of an address as URLs have it, with its port where that is not the protocol's own. */
export function isHost(text: string): boolean {
  // URLs take an asterisk for a letter like others; whoever writes one means every host.
  return !text.includes("*") && ["https", "http"].some((protocol) => parsedUrl(`${protocol}://${text}`)?.host === text);
}

/** A text as a URL; `undefined` when it is none. */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // The only error that URL throws: the text is no URL.
    return undefined;
  }
}
