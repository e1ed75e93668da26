/**
 * Finds the operation of a request with itty-router's Router, built from the table, and refuses
 * a request that has none.
 */

import { type IRequest, Router } from "itty-router";
import { nameRefusal } from "../text/chosen-names";
import { excerpt } from "../text/excerpt";
import { shownPath } from "./keys/rights";
import { MCP_PATH } from "./mcp/endpoint";
import type { Operation } from "./operations/operation";
import { PAGE_SEGMENTS, pageMethods } from "./pages";
import { Refusal } from "./refusal";
import type { Address, Params, Query } from "./request-context";
import { checkSessionPath } from "./request-target";

/** The operation of a request, and the request's address. */
export interface Match extends Address {
  readonly operation: Operation;
}

const NO_QUERY: Query = Object.freeze({});

/** What programs add to an address so that no cache answers: it is ignored. */
const CACHE_BUSTER = "_";

/** Maximum number of unknown query parameters that a message names. */
const MAX_NAMED = 5;

/** For a client whose path has no operation: the paths that do. */
const ACCEPTED_PATHS =
  "a path is the id or name of a processor and an operation, such as /P1/status, or /connect or /agent/ping";

/**
 * Finds the operation of a request by its method and its URL as the sender wrote it: synchronously if the address is
 * cached.
 */
type Route = (request: Pick<Request, "method" | "url">) => Match | Promise<Match>;

/** Route cache size; the cache is emptied when full. */
const MAX_CACHED = 512;

/** Addresses longer than this, in UTF-16 units, are not cached. Bounds the cache to a few hundred kilobytes. */
const MAX_CACHED_LENGTH = 256;

/**
 * Builds the router of a table. HEAD finds the operation of GET. Results are cached, because clients use the same
 * addresses again and again; a request in a session is looked up without the session, so that the cache does not have
 * to hold every session of a fleet. Throws, or rejects with, Refusal 404 for a path without an operation, 405 for a
 * method that the path does not have, and 400 for broken percent-encoding and for a wrong session's path.
 */
export function routesOf(table: readonly Operation[]): Route {
  const router = Router<IRequest, [], Match>();
  const own = ownSegments(table);
  for (const operation of table) {
    for (const method of operation.methods) {
      router[method.toLowerCase() as "get"](operation.path, ({ params }) => ({
        operation,
        params: decodeParams(params),
        query: NO_QUERY,
      }));
    }
  }
  const cached = new Map<string, Match>();
  const find = async (method: string, url: string, address: string): Promise<Match | undefined> => {
    // Do not pass the request itself: the router writes its results onto its argument.
    const [path = ""] = url.split("?", 1);
    const routed: Match | undefined = await router.fetch({ method: method === "HEAD" ? "GET" : method, url: path });
    if (routed === undefined || isShadowed(routed, own)) return undefined;
    const match = path === url ? routed : { ...routed, query: queryOf(url) };
    if (cached.size === MAX_CACHED) cached.clear();
    if (address.length <= MAX_CACHED_LENGTH) cached.set(address, match);
    return match;
  };
  const methodsAt = (url: string, among: readonly Operation[], others = (_path: string): readonly string[] => []) => {
    const { pathname } = new URL(url);
    const isOwn = own.has(firstSegment(pathname));
    const fitting = router.routes.filter(
      ([, pattern, , path]) =>
        pattern.test(pathname) && !(isOwn && isOfProcessor(path)) && among.some((one) => one.path === path),
    );
    return [...new Set([...fitting.map(([method]) => method), ...others(pathname)])].sort();
  };
  const inSessions = table.filter((operation) => operation.inSessions);
  return ({ method, url }) => {
    const inside = insideOf(url);
    const sought = inside?.url ?? url;
    const address = `${method} ${sought}`;
    const known = cached.get(address);
    if (known !== undefined && inside === undefined) return known;
    const matched = (match: Match | undefined): Match => {
      if (inside === undefined) {
        if (match === undefined) throw noOperation(method, url, methodsAt(url, table, pageMethods), ACCEPTED_PATHS);
        return match;
      }
      if (match?.operation.inSessions) return { ...match, session: inside.session };
      const accepted = `in a session there are ${pathsOf(inSessions)}`;
      throw noOperation(method, url, methodsAt(inside.url, inSessions), accepted, inside.session);
    };
    return known === undefined ? find(method, sought, address).then(matched) : matched(known);
  };
}

/**
 * The first segments of pages, and of operations beyond the interface specification: they win over a processor of that
 * name. `genome` is older than that rule.
 */
function ownSegments(table: readonly Operation[]): ReadonlySet<string> {
  const own = table.filter(({ isOwn, path }) => isOwn && !isOfProcessor(path));
  return new Set([
    ...PAGE_SEGMENTS,
    firstSegment(MCP_PATH),
    ...own.map(({ path }) => firstSegment(path)).filter((segment) => segment !== "genome"),
  ]);
}

/**
 * The members of a URL's query. The router copies its list of a name's values for each of them: a head of 60 KB took
 * 0.3 s.
 */
function queryOf(url: string): Query {
  const lists = new Map<string, string[]>();
  for (const [name, value] of new URL(url).searchParams) {
    const list = lists.get(name);
    // As the router does, an empty first value gives way to the next.
    if (list === undefined || (list.length === 1 && list[0] === "")) lists.set(name, [value]);
    else list.push(value);
  }
  return Object.fromEntries([...lists].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** Whether a match is for a processor whose name is the first segment of other operations. */
function isShadowed({ operation, params }: Match, own: ReadonlySet<string>): boolean {
  return isOfProcessor(operation.path) && own.has(params.id ?? "");
}

function isOfProcessor(path: string | undefined): boolean {
  return path?.startsWith("/:id/") === true;
}

function firstSegment(path: string): string {
  return path.split("/", 2)[1] ?? "";
}

/** Processor, session and the rest of a URL in a session, all as the sender wrote them. */
const IN_SESSION = /^(https?:\/\/[^/?#]*\/[^/?#]+)\/sessions\/([^/?#]+)(\/[^/?#].*)$/is;

/**
 * Splits a URL in a session.
 *
 * @returns the session's name, and the URL without it; `undefined` for a URL outside sessions
 * @throws Refusal 400 for a path that leads out of a session, and for a name that no session can have
 */
function insideOf(url: string): { readonly session: string; readonly url: string } | undefined {
  if (!url.includes("sessions")) return undefined;
  checkSessionPath(url);
  const [, processor, segment = "", rest = ""] = IN_SESSION.exec(url) ?? [];
  if (processor === undefined) return undefined;
  const session = decodeSegment(segment);
  const refusal = nameRefusal(session);
  if (refusal === undefined) return { session, url: processor + rest };
  throw new Refusal(400, `the session in the path must be ${refusal}, got ${excerpt(session)}`);
}

function noOperation(
  method: string,
  url: string,
  methods: readonly string[],
  accepted: string,
  session?: string,
): Refusal {
  const path = excerpt(new URL(url).pathname);
  if (methods.length === 0) return new Refusal(404, `there is no operation at ${path}; ${accepted}`, { session });
  const allow = methods.join(", ");
  return new Refusal(405, `the method ${method} is not known at ${path}; accepted: ${allow}`, { allow, session });
}

/** The ends of the operations' paths, for a sentence. */
function pathsOf(operations: readonly Operation[]): string {
  const ends = operations.map(({ path }) => shownPath(path.replace("/:id/", "")));
  return [...new Set(ends)].sort().join(", ");
}

function decodeParams(params: Params): Params {
  for (const segment of Object.values(params)) {
    if (segment?.includes("%")) return decodeAll(params);
  }
  return params;
}

function decodeAll(params: Params): Params {
  return Object.fromEntries(Object.entries(params).map(([name, segment]) => [name, decodeSegment(segment ?? "")]));
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // The only possible error: an escape is cut short or is not UTF-8.
    throw new Refusal(400, `the path segment ${excerpt(segment)} is not percent-encoded UTF-8`);
  }
}

/**
 * @throws Refusal 400 naming the unknown query parameters of an operation of our own, or one that takes parameters of
 *   our own: a misspelt `mode` of load_kb would replace what it was meant to merge with
 */
export function checkQuery({ operation, query }: Match): void {
  if (query === NO_QUERY || (!operation.isOwn && operation.query === undefined)) return;
  const accepted = operation.query ?? [];
  const unknown = Object.keys(query).filter((name) => name !== CACHE_BUSTER && !accepted.includes(name));
  if (unknown.length === 0) return;
  const [first, ...others] = unknown.map((name) => excerpt(name)).slice(0, MAX_NAMED);
  const names = [first, ...others].join(", ");
  const parameters = unknown.length === 1 ? `parameter ${names} is` : `parameters ${names} are`;
  throw new Refusal(400, `the query ${parameters} unknown (accepted: ${accepted.join(", ") || "none"})`);
}
