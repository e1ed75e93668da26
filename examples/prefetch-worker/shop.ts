/**
 * The Worker of a web shop. It asks Noema, by a service binding, which page the visitor will open next, and tells the browser, which loads that
 * page before the click. It never lets a visitor wait for Noema, and serves pages without it.
 */

import { connect, endSession, getPredictions, learn, observe, type Processor, processor, session } from "noema/client";

interface Env {
  /** Noema, another Worker of the same account. */
  readonly NOEMA: Fetcher;
  readonly NOEMA_KEY: string;
}

/** How long a page waits for a guess, in milliseconds of silence. One try: a missing guess costs less than a late page. */
const IN_A_HURRY = { timeout: 250, retries: 0 };

const COOKIE = /(?:^|; )visit=([0-9a-f-]{36})(?:;|$)/;

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const shop = processorOf(env);
    const { pathname } = new URL(request.url);
    const visit = COOKIE.exec(request.headers.get("cookie") ?? "")?.[1];
    // Pages send this when they are closed: navigator.sendBeacon("/visit-ended").
    if (request.method === "POST" && pathname === "/visit-ended") {
      if (visit !== undefined) context.waitUntil(learnVisit(shop, visit));
      return new Response(null, { status: 204, headers: { "set-cookie": "visit=; Max-Age=0; Path=/" } });
    }
    const visitor = visit ?? crypto.randomUUID();
    const [page, next] = await Promise.all([renderPage(pathname), nextPage(shop, visitor, pathname)]);
    page.headers.append("set-cookie", `visit=${visitor}; Path=/; HttpOnly; Secure; SameSite=Lax`);
    if (next !== undefined) page.headers.append("link", `<${next}>; rel=prefetch`);
    return page;
  },
} satisfies ExportedHandler<Env>;

function processorOf({ NOEMA, NOEMA_KEY }: Env): Processor {
  // This host is never looked up: the binding leads to Noema. It names this machine because the local key, which is for
  // development, counts for no other host.
  const address = "http://localhost";
  return processor(connect({ address, key: NOEMA_KEY, fetch: (url, init) => NOEMA.fetch(url, init) }), "P1");
}

/**
 * The page that came next in earlier visits like this one; `undefined` when there was none, or no answer in time. A visit counts as often as
 * it was learned, and by the share of the pages seen that it explains. The power lets those win that explain nearly all.
 */
async function nextPage(shop: Processor, visitor: string, page: string): Promise<string | undefined> {
  // A working memory for each visitor.
  const visit = session(shop, visitor);
  try {
    await observe(visit, { strings: [page] }, IN_A_HURRY);
    const predictions = await getPredictions(visit, { fields: ["frequency", "future", "snr"] }, IN_A_HURRY);
    const votes = new Map<string, number>();
    for (const { frequency = 0, future, snr = 0 } of predictions) {
      const next = future?.[0]?.[0];
      if (next !== undefined) votes.set(next, (votes.get(next) ?? 0) + frequency * snr ** 4);
    }
    const [best] = [...votes].sort(([, a], [, b]) => b - a);
    // A symbol may be any text. The path of a URL is safe in a header.
    return best && new URL(best[0], "https://shop").pathname;
  } catch (error) {
    console.warn(`no guess for ${page}: ${error}`);
    return undefined;
  }
}

/** Learns a visit that is over. The visitor does not wait: the client may take its time and repeat what fails. */
async function learnVisit(shop: Processor, visitor: string): Promise<void> {
  await learn(session(shop, visitor));
  await endSession(shop, visitor);
}

/** Stands for the shop itself, which would answer 404 for pages that there are not, and not tell Noema of them. */
async function renderPage(path: string): Promise<Response> {
  return new Response(`<!doctype html><title>${path}</title>`, { headers: { "content-type": "text/html" } });
}
