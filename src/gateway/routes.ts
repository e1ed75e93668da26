/** Finds the operation of a request: itty-router's Router, built from the table, and what is said when nothing fits. */

import { type IRequest, Router } from "itty-router";
import { excerpt } from "../text/excerpt";
import type { Operation } from "./operations/operation";
import { Refusal } from "./refusal";
import type { Address, Params } from "./request-context";

/** An operation that was asked for, and what the address says. */
export interface Match extends Address {
  readonly operation: Operation;
}

/** What is said of paths that are in no row. */
const ACCEPTED =
  "a path is the id or name of a processor and an operation, such as /P1/status, or /connect or /agent/ping";

/** Finds the operation of a request. */
export type Route = (request: Pick<Request, "method" | "url">) => Promise<Match>;

/** So many addresses are remembered with what was found for them. All are forgotten when there are more. */
const MOST_REMEMBERED = 512;

/** Longer addresses are not remembered, so that all together are no more than some hundred kilobytes. */
const LONGEST_REMEMBERED = 256;

/**
 * Builds the router of a table, which remembers what it has found: clients ask for the same addresses again and again. It throws
 * Refusal 404 for a path that is in no row, 405 for a verb that is in no row of its path, with the methods that are, and 400 for a path
 * whose percent-encoding is broken.
 */
export function routesOf(table: readonly Operation[]): Route {
  const router = Router<IRequest, [], Match>();
  for (const operation of table) {
    for (const verb of operation.methods) {
      router[verb.toLowerCase() as "get"](operation.path, ({ params, query }) => ({
        operation,
        params: decoded(params),
        query,
      }));
    }
  }
  const verbsOf = (path: string) => router.routes.filter(([, pattern]) => pattern.test(path)).map(([verb]) => verb);
  const remembered = new Map<string, Match>();
  return async ({ method, url }) => {
    const address = `${method} ${url}`;
    const known = remembered.get(address);
    if (known !== undefined) return known;
    // Not the request itself: the router lays what it finds on what it is given.
    const match: Match | undefined = await router.fetch({ method, url });
    if (match === undefined) {
      const path = new URL(url).pathname;
      throw misdirected(method, path, [...new Set(verbsOf(path))].sort());
    }
    if (remembered.size === MOST_REMEMBERED) remembered.clear();
    if (address.length <= LONGEST_REMEMBERED) remembered.set(address, match);
    return match;
  };
}

function misdirected(method: string, path: string, methods: readonly string[]): Refusal {
  if (methods.length === 0) return new Refusal(404, `there is no operation at ${excerpt(path)}; ${ACCEPTED}`);
  const allow = methods.join(", ");
  return new Refusal(405, `the method ${method} is not known at ${excerpt(path)}; accepted: ${allow}`, { allow });
}

function decoded(params: Params): Params {
  for (const segment of Object.values(params)) {
    if (segment?.includes("%")) return decodedAll(params);
  }
  return params;
}

function decodedAll(params: Params): Params {
  return Object.fromEntries(Object.entries(params).map(([name, segment]) => [name, decodedSegment(segment ?? "")]));
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // The only error there is: an escape that is cut short or does not give UTF-8.
    throw new Refusal(400, `the path segment ${excerpt(segment)} is not percent-encoded UTF-8`);
  }
}
