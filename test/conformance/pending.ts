/**
 * Operations that the examples use and the gateway does not have yet. Until it does, each must answer 404, so that an entry
 * which is out of date fails the test that relies on it.
 */

import type { Step } from "./example";

/** An operation that is not there yet. */
export interface Pending {
  method: string;
  /** The path after the processor's id. */
  path: RegExp;
  /** Whether it leaves the processor as it is, so that the steps after it can be played without it. */
  reads: boolean;
}

const PENDING: readonly Pending[] = [
  { method: "GET", path: /^get_kb$/, reads: true },
  { method: "GET", path: /^model\//, reads: true },
  { method: "GET", path: /^list-blacklisted-symbols$/, reads: true },
  { method: "POST", path: /^get-models-with-(symbols|patterns)$/, reads: true },
  { method: "POST", path: /^load_kb$/, reads: false },
  { method: "PUT", path: /^(add-model$|model\/)/, reads: false },
  {
    method: "DELETE",
    path: /^(model\/|symbols\/remove$|patterns\/remove$|blacklisted-symbols\/remove$)/,
    reads: false,
  },
  { method: "POST", path: /^blacklisted-symbols\/add$/, reads: false },
];

/** Genomes that are not the default one come with `POST genome/hotswap`, which is not there yet either. */
export const PENDING_GENOME = "abstraction";

/** The pending operation that a step uses, if it uses one. */
export function pendingIn({ method, path }: Step): Pending | undefined {
  const operation = path.split("/").slice(2).join("/");
  return PENDING.find((each) => each.method === method && each.path.test(operation));
}
