/** Puts the address under which the page was found into the examples. Without a script, they say where `npm start` serves. */

const LOCAL = "http://127.0.0.1:8787";

/** Changes all examples of the page. */
export function showAddress(): void {
  if (location.origin === LOCAL) return;
  for (const code of document.querySelectorAll("main pre code")) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.nodeValue?.includes(LOCAL)) node.nodeValue = node.nodeValue.replaceAll(LOCAL, location.origin);
    }
  }
}
