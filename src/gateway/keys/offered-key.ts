/** Finds the key in a request's headers, and a name to tell keys apart. Does not check keys. */

import { API_KEY_HEADER } from "../../rpc/transport/endpoint-transport";
import type { Rights } from "./rights";

const BEARER = /^bearer +(.*)$/i;

/** The key in the header Authorization; `undefined` for none. Another scheme, such as a proxy's own, does not count. */
export function bearerIn({ headers }: Request): string | undefined {
  const [, key] = BEARER.exec(headers.get("authorization") ?? "") ?? [];
  return key;
}

/**
 * A name that distinguishes a request's key from all others: the identifier of an issued key; otherwise the key itself,
 * which must not be shown.
 *
 * @param rights of the key
 */
export function keyNameOf(request: Request, { keyId }: Rights): string {
  return keyId || (request.headers.get(API_KEY_HEADER) ?? bearerIn(request) ?? "");
}
