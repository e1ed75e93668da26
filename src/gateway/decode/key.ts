/** Decodes the rights of a new key. */

import { getOption, type MessageInitShape } from "@bufbuild/protobuf";
import { bounds } from "../../gen/noema/v1/bounds_pb";
import { KeyRightsSchema } from "../../gen/noema/v1/key_service_pb";
import { nameRefusal } from "../../text/chosen-names";
import type { JsonObject } from "../../text/located";
import type { Body, LocatedInBody } from "../json/body";
import { isRole, ROLES, type Role } from "../keys/role";
import { Refusal } from "../refusal";
import type { Address } from "../request-context";
import { asBounded, asList, asObject, dataOf, memberOf, noteAll, wrong } from "./value";

const { expires, perMinute, processors } = KeyRightsSchema.field;

/** Maximum number of processors, and of sessions, that a key may name. */
const MOST_LIMITS = getOption(processors, bounds).mostElements ?? 0;

/** The latest time at which a key may expire, in seconds since 1970. */
const LATEST_S = getOption(expires, bounds).most ?? 0;

const MEMBERS = ["name", "roles", "processors", "sessions", "expires", "per_minute"];

/**
 * Reads the rights of a new key.
 *
 * @param nowS the time in seconds since 1970
 * @throws Refusal 400 naming the wrong value and the accepted ones
 */
export function decodeKeyRights(body: Body, nowS: number): MessageInitShape<typeof KeyRightsSchema> {
  const data = asObject(dataOf(body, []), 'an object such as {"name": "sensor-7", "roles": ["observe"]}');
  body.unknown.note(data, MEMBERS);
  const rights = {
    name: nameAt(memberOf(data, "name")),
    roles: rolesAt(memberOf(data, "roles")),
    processors: limitsAt(data, "processors"),
    sessions: limitsAt(data, "sessions"),
    ...optional("expires", memberOf(data, "expires"), (value, path) => expiryAt(value, path, nowS)),
    ...optional("perMinute", memberOf(data, "per_minute"), (value, path) => asBounded(value, path, perMinute)),
  };
  const limit = (["processors", "sessions"] as const).find((member) => rights[member].length > 0);
  if (limit !== undefined && rights.roles.includes("admin")) {
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

function nameAt({ value, path }: LocatedInBody): string {
  if (typeof value === "string" && nameRefusal(value) === undefined) return value;
  throw wrong(path, nameRefusal("") ?? "", value);
}

function rolesAt({ value, path }: LocatedInBody): Role[] {
  const accepted = `a list of one or more of ${ROLES.join(", ")}`;
  const roles = asList(value, path, accepted);
  const unknown = roles.findIndex((role) => !isRole(role));
  if (unknown >= 0) throw wrong(`${path}[${unknown}]`, `one of ${ROLES.join(", ")}`, roles[unknown]);
  if (roles.length === 0) throw wrong(path, accepted, roles);
  return ROLES.filter((role) => roles.includes(role));
}

/** The processors or sessions that a key is limited to; none if it is not limited. */
function limitsAt(data: LocatedInBody<JsonObject>, member: string): string[] {
  const { value, path } = memberOf(data, member);
  if (value === undefined) return [];
  const limits = asList(value, path, `a list of 1 to ${MOST_LIMITS} names`);
  // An empty list is refused: if a program computed it, the key would open everything.
  if (limits.length === 0 || limits.length > MOST_LIMITS) {
    throw new Refusal(400, `${path} must have 1 to ${MOST_LIMITS} names, got ${limits.length}`);
  }
  const names = limits.map((name, at) => nameAt({ value: name, path: `${path}[${at}]`, way: [] }));
  return [...new Set(names)];
}

function expiryAt(value: unknown, path: string, nowS: number): number {
  if (typeof value === "number" && value > nowS && value <= LATEST_S) return value;
  throw wrong(path, `a time in the future, in seconds since 1970 (now it is ${Math.floor(nowS)})`, value);
}

function optional<Name extends string>(
  name: Name,
  { value, path }: LocatedInBody,
  read: (value: unknown, path: string) => number,
): { [member in Name]?: number } {
  return value === undefined ? {} : ({ [name]: read(value, path) } as { [member in Name]: number });
}
