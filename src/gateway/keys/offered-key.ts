/** Where the headers of a request hold its key, and what tells one key from another. Decides nothing about keys. */

import { API_KEY_HEADER } from "../../rpc/transport/endpoint-transport";
import type { Rights } from "./rights";

const BEARER = /^bearer +(.*)$/i;

/**
 * The key in the header Authorization; `undefined` when it holds none. Another scheme, such as
 * a proxy's own, is no key.
 */
export function bearerIn({ headers }: Request): string | undefined {
  const [, key] = BEARER.exec(headers.get("authorization") ?? "") ?? [];
  return key;
}

/**
 * What tells the key of a request from all others: the identifier of an issued one; else the key itself,
 * which must not be shown.
 *
 * @param rights those of the key
 */
export function keyNameOf(request: Request, { keyId }: Rights): string {
  return keyId || (request.headers.get(API_KEY_HEADER) ?? bearerIn(request) ?? "");
}
