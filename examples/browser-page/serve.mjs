/**
 * A plain file server for the page. At the start it issues a key for the page, with the few rights that the page needs: everybody who opens a page
 * can read the key in it. Environment: PORT (8080) besides that of own-processor.mjs.
 */

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createKey, deleteKey, listKeys } from "noema/client";
import { ownProcessor, SERVER } from "../own-processor.mjs";

const ID = "day-board";
const KEY_NAME = "day board";
const PORT = Number(process.env.PORT || 8080);
/** Browsers tell Noema from where a page came. It answers pages of this origin if NOEMA_ALLOW_ORIGINS names it. */
const ORIGIN = `http://127.0.0.1:${PORT}`;
const DAY_S = 24 * 60 * 60;

const here = (file) => new URL(file, import.meta.url);

/** What there is to get: nothing but these files, and the connection. */
const FILES = {
  "/": [here("index.html"), "text/html; charset=utf-8"],
  "/board.css": [here("board.css"), "text/css"],
  "/board.mjs": [here("board.mjs"), "text/javascript"],
  "/days.mjs": [here("days.mjs"), "text/javascript"],
  "/noema-client.js": [here("../../dist/client/index.js"), "text/javascript"],
};

async function assertAllowed() {
  const { headers } = await fetch(`${SERVER.address}/agent/ping`, { headers: { origin: ORIGIN } });
  if (headers.get("access-control-allow-origin") === ORIGIN) return;
  console.error(`Noema does not answer pages of ${ORIGIN}. Start it with NOEMA_ALLOW_ORIGINS=${ORIGIN} npm start`);
  process.exit(1);
}

/** A key that opens sessions of pages at this processor, for a day. That of the last start is no longer needed. */
async function issueKey({ noema }) {
  const issued = await listKeys(noema);
  for (const { id, name } of issued) if (name === KEY_NAME) await deleteKey(noema, id);
  const { key } = await createKey(noema, {
    name: KEY_NAME,
    roles: ["observe", "learn", "read"],
    processors: [ID],
    sessions: ["page-*"],
    expires: Math.floor(Date.now() / 1000) + DAY_S,
  });
  return key;
}

const processor = await ownProcessor(ID);
await assertAllowed();
const connection = JSON.stringify({ address: SERVER.address, key: await issueKey(processor) });

const server = createServer(async ({ url }, outgoing) => {
  if (url === "/connection.json") return outgoing.end(connection);
  const [file, type] = FILES[url] ?? [];
  if (file === undefined) return outgoing.writeHead(404).end();
  outgoing.writeHead(200, { "content-type": type }).end(await readFile(file));
});
await once(server.listen(PORT, "127.0.0.1"), "listening");
console.log(`Open ${ORIGIN}`);
