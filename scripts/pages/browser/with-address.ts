/** Replaces the address of `npm start` in examples. Knows no page. */

/** Where `npm start` serves. */
export const LOCAL = "http://127.0.0.1:8787";

/** The address of an agent of that server. */
const AGENT = /http:\/\/([a-z][a-z0-9-]*)\.localhost:8787/g;

/** An IP address, below which no agent has a name. */
const IP_ADDRESS = /^[\d.]+$|^\[/;

/**
 * A text with the address of `npm start` replaced.
 *
 * @param origin such as `https://noema.example`
 */
export function withAddress(text: string, origin: string): string {
  const { protocol, host, hostname, port } = new URL(origin);
  const below = IP_ADDRESS.test(hostname) ? `localhost${port === "" ? "" : `:${port}`}` : host;
  return text.replaceAll(LOCAL, origin).replace(AGENT, (_, agent: string) => `${protocol}//${agent}.${below}`);
}
