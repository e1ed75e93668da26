/** Puts the address under which the page was found into the examples. Without a script, they say where `npm start` serves. */

const LOCAL = "http://127.0.0.1:8787";

/** The address of an agent of that server. */
const AGENT = /http:\/\/([a-z][a-z0-9-]*)\.localhost:8787/g;

/** An IP address, below which no agent has a name. */
const IP_ADDRESS = /^[\d.]+$|^\[/;

/**
 * A text with another address in the place of that of `npm start`.
 *
 * @param origin such as `https://noema.example`
 */
export function withAddress(text: string, origin: string): string {
  const { protocol, host, hostname, port } = new URL(origin);
  const below = IP_ADDRESS.test(hostname) ? `localhost${port === "" ? "" : `:${port}`}` : host;
  return text.replaceAll(LOCAL, origin).replace(AGENT, (_, agent: string) => `${protocol}//${agent}.${below}`);
}

/** Changes all examples of the page, and links to the server. */
export function showAddress(): void {
  if (location.origin === LOCAL) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>(`main a[href^="${LOCAL}"]`)) {
    link.href = withAddress(link.href, location.origin);
  }
  for (const element of document.querySelectorAll("main pre code, main a")) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue ?? "";
      if (text.includes(":8787")) node.nodeValue = withAddress(text, location.origin);
    }
  }
}
