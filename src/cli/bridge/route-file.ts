/** Reads a route given on the command line. */

import { type Route, RouteFault, readRoute } from "../../mqtt/routes";
import { isJsonObject } from "../../text/located";
import type { Context } from "../terminal/context";
import { UsageError } from "../terminal/failure";
import { jsonIn } from "../terminal/input";

/** The name of a route that does not have one yet. */
const UNNAMED = "tried";

/**
 * The route that an argument gives, in the form that PUT accepts: with `data` around it or without.
 *
 * @throws UsageError that says what is wrong with it
 */
export async function routesIn(argument: string, context: Context): Promise<Route[]> {
  const value = await jsonIn("--route", argument, context);
  const isWrapped = isJsonObject(value) && Object.hasOwn(value, "data");
  try {
    return [isWrapped ? readRoute(UNNAMED, value.data) : readRoute(UNNAMED, value, "")];
  } catch (error) {
    if (error instanceof RouteFault) throw new UsageError(`--route: ${error.message}`);
    throw error;
  }
}
