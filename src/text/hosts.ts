/** Hosts: which of them mean this machine, and their forms in addresses and variables. */

/** The domain whose names all resolve to the local machine. */
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
