/** Decodes the rights of a new key, as the contract describes them, and what depends on the roles and on the time. */

import { getOption, type MessageInitShape } from "@bufbuild/protobuf";
import { bounds } from "../../gen/noema/v1/bounds_pb";
import { KeyRightsSchema } from "../../gen/noema/v1/key_service_pb";
import type { Body, LocatedInBody } from "../json/body";
import { isRole, ROLES, type Role } from "../keys/role";
import { Refusal } from "../refusal";
import type { Address } from "../request-context";
import { decodeData } from "./from-contract";
import { asList, noteAll, wrong } from "./value";

/** The latest time at which a key may expire, in seconds since 1970. */
const LATEST_S = getOption(KeyRightsSchema.field.expires, bounds).most ?? 0;

const decodeRights = decodeData(KeyRightsSchema, { readers: { roles: rolesAt, expires: expiryAt } });

/**
 * Reads the rights of a new key, which expires in the future if at all.
 *
 * @throws Refusal 400 naming the wrong value and the accepted ones
 */
export function decodeKeyRights(body: Body): MessageInitShape<typeof KeyRightsSchema> {
  const rights = decodeRights(body);
  const limit = (["processors", "sessions"] as const).find((member) => rights[member] !== undefined);
  if (limit !== undefined && rights.roles?.includes("admin")) {
    throw new Refusal(400, `a key with the role admin opens the whole agent: it cannot have ${limit}`);
  }
  return rights;
}

/** Reads the identifier of the key from the path. @throws Refusal 400 when no key can have it */
export function decodeKeyId(body: Body, { params: { key = "" } }: Address): string {
  noteAll(body);
  if (/^[0-9a-f]{16}$/.test(key)) return key;
  // Do not quote it: the client may have sent the whole key.
  throw new Refusal(
    400,
    "the path must end with the id of a key, 16 hex digits, which is the middle part of noema_<id>_<secret>",
  );
}

function rolesAt({ value, path }: LocatedInBody): Role[] {
  const accepted = `a list of one or more of ${ROLES.join(", ")}`;
  const roles = asList(value, path, accepted);
  const unknown = roles.findIndex((role) => !isRole(role));
  if (unknown >= 0) throw wrong(`${path}[${unknown}]`, `one of ${ROLES.join(", ")}`, roles[unknown]);
  if (roles.length === 0) throw wrong(path, accepted, roles);
  return ROLES.filter((role) => roles.includes(role));
}

function expiryAt({ value, path }: LocatedInBody): number {
  const nowS = Date.now() / 1000;
  if (typeof value === "number" && value > nowS && value <= LATEST_S) return value;
  throw wrong(path, `a time in the future, in seconds since 1970 (now it is ${Math.floor(nowS)})`, value);
}
