/**
 * Puts the address under which the page was found into the examples. Without a script, they say
 * where `npm start` serves.
 */

import { LOCAL, withAddress } from "./with-address";

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
