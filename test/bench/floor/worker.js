/**
 * The floor for the observe benchmark: the least that a Worker with a Durable Object can do for a request. It passes the body to the
 * object in one native call. The object writes one row and answers.
 */

import { DurableObject } from "cloudflare:workers";

/** Keeps the last body of one processor. */
export class FloorObject extends DurableObject {
  #count = 0;

  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS body (row INTEGER PRIMARY KEY, text TEXT)");
  }

  keep(text) {
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO body (row, text) VALUES (0, ?)", text);
    this.#count += 1;
    return `{"count":${this.#count}}`;
  }
}

const worker = {
  async fetch(request, env) {
    // The address may come without a host: the processor is before the operation, at the end.
    const text =
      request.method === "POST"
        ? await env.FLOOR.getByName(request.url.split("/").at(-2)).keep(await request.text())
        : "{}";
    return new Response(text, { headers: { "content-type": "application/json; charset=utf-8" } });
  },
};

// biome-ignore lint/style/noDefaultExport: the runtime asks for one
export default worker;
