/**
 * The page at `/`: what Noema is, something to try, and where to go on. For people as HTML, for programs as
 * JSON. Needs no other file but the mark.
 */

import { PLACES } from "./layout";
import { ICON, MARK_PATH } from "./mark";

const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --soft: #545b64; --back: #fdfdfc; --box: #f1f2f4; --edge: #d5d8dd; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --soft: #a9b1ba; --back: #16181b; --box: #212429; --edge: #3a3f47; --link: #7cb7f5; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1.0625rem/1.6 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; padding: 0.6rem 1rem; border-bottom: 1px solid var(--edge); font-size: 0.9375rem; }
header a { padding: 0.25rem 0; color: var(--soft); text-decoration: none; }
header a:hover { color: var(--link); }
header .name { display: flex; gap: 0.5rem; align-items: center; margin-right: 0.25rem; color: var(--text); font-weight: 650; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { margin: 0; font-size: 2.25rem; line-height: 1.2; letter-spacing: -0.02em; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.25rem; }
p.lead { margin: 0.5rem 0 0; color: var(--soft); font-size: 1.1875rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font: 0.9375rem/1.55 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { margin: 0.75rem 0; padding: 0.9rem 1rem; overflow-x: auto; background: var(--box); border: 1px solid var(--edge); border-radius: 0.4rem; }
dt { margin-top: 0.75rem; font-weight: 600; }
dd { margin: 0; color: var(--soft); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--edge); color: var(--soft); font-size: 0.9375rem; }
`;

/**
 * Puts the address under which the reader has found the page into the commands. Without it they say
 * where \`npm start\` serves.
 */
const SCRIPT = `for (const place of document.querySelectorAll("[data-address]")) place.textContent = location.origin;`;

const ADDRESS = `<span data-address>http://127.0.0.1:8787</span>`;

/** The style and the script of the page, which its security policy names by their hashes. */
export const inline = { style: STYLE, script: SCRIPT } as const;

/**
 * The page as HTML.
 *
 * @param version the version of Noema
 */
export function frontPage(version: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Is this reading normal, and what comes next? Noema learns what usually happens, and answers over HTTP.">
${ICON}
<title>Noema</title>
<style>${STYLE}</style>
</head>
<body>
<header><a class="name" href="/"><img src="${MARK_PATH}" alt="" width="22" height="22"> Noema</a>
${PLACES.map(({ path, title }) => `<a href="${path}">${title}</a>`).join("\n")}</header>
<main>
<h1>Is this reading normal, and what comes next?</h1>
<p class="lead">Noema learns from events and readings what usually happens, and answers both over plain HTTP and JSON, for one device or for thousands.</p>

<h2>Try it</h2>
<p>Show it two events and let it learn them. Then show it the first one again, and ask what comes next.
<code>ABCD-1234</code> is the key of a server on your own machine; a deployment has keys of its own.</p>
<pre tabindex="0" role="region" aria-label="Commands to try"><code>P=${ADDRESS}/p46b6b076c
KEY='X-API-KEY: ABCD-1234'

curl -H "$KEY" $P/observe -d '{"data": {"strings": ["coffee"]}}'
curl -H "$KEY" $P/observe -d '{"data": {"strings": ["bus"]}}'
curl -H "$KEY" $P/learn -d '{}'

curl -H "$KEY" $P/observe -d '{"data": {"strings": ["coffee"]}}'
curl -H "$KEY" $P/predictions -d '{}'
</code></pre>
<p>The prediction has <code>"future":[["bus"]]</code>: the bus comes after the coffee.</p>

<h2>What to read next</h2>
<dl>
<dt><a href="/console">Console</a></dt>
<dd>Which device needs a look, why, and what it will do next. It asks for the key.</dd>
<dt><a href="/docs/guides">Guides</a></dt>
<dd>Begin with the <a href="/docs/guides/quick-start">quick start</a>, or with <a href="/docs/guides/watching-a-machine">watching a machine</a>, from readings to alerts.</dd>
<dt><a href="/docs">Reference</a></dt>
<dd>Every operation, to read and to try, with examples for curl, TypeScript and Python.</dd>
<dt><a href="/openapi.json">openapi.json</a></dt>
<dd>The same operations as an OpenAPI 3.1 document. Programs that make clients read it.</dd>
<dt><a href="/health">health</a></dt>
<dd>Says whether the server's storage works.</dd>
<dt>agent/ping</dt>
<dd>Says whether the server runs. It needs the key, as most other paths of this server do.</dd>
</dl>

<footer>Noema ${version}</footer>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/**
 * The page for programs: canonical JSON.
 *
 * @param version the version of Noema
 */
export function frontJson(version: string): string {
  return JSON.stringify({
    links: { console: "/console", docs: "/docs", health: "/health", openapi: "/openapi.json", ping: "/agent/ping" },
    name: "Noema",
    version,
  });
}
