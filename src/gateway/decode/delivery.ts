/** Reads the delivery in a body: the source and number by which a record or a sequence is accepted once. */

import type { Delivery } from "../../gen/noema/v1/memory_service_pb";
import { nameRefusal } from "../../text/chosen-names";
import { isJsonObject } from "../../text/located";
import type { Body } from "../json/body";
import { Refusal } from "../refusal";
import { asObject, asString, asWhole, memberOf, wrong } from "./value";

/** The member of a body that holds its delivery. */
export const DELIVERY = "delivery";

const BESIDE_DATA = "delivery must stand beside data: {data: ..., delivery: {source, number}}";

const MEMBERS = ["source", "number"];

/**
 * The delivery next to the data of a body. Records unknown members of it.
 *
 * @returns `undefined` for none
 * @throws Refusal 400 if there is no data, the source is not a name, or the number is not valid
 */
export function deliveryIn(body: Body): Delivery | undefined {
  const root = body.root();
  if (!isJsonObject(root.value) || !Object.hasOwn(root.value, DELIVERY)) return undefined;
  if (!Object.hasOwn(root.value, "data")) throw new Refusal(400, BESIDE_DATA);
  const located = { value: root.value[DELIVERY], way: [DELIVERY], path: DELIVERY };
  const delivery = asObject(located, "an object {source: name, number: whole number}");
  body.unknown.note(delivery, MEMBERS);
  const source = memberOf(delivery, "source");
  const name = asString(source.value, source.path);
  const refusal = nameRefusal(name);
  if (refusal !== undefined) throw wrong(source.path, refusal, name);
  const number = memberOf(delivery, "number");
  return {
    $typeName: "noema.v1.Delivery",
    source: name,
    number: asWhole(number.value, number.path, 1, Number.MAX_SAFE_INTEGER),
  };
}
