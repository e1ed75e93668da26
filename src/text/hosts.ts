/** Hosts that mean this machine, wherever their names are looked up. */

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
