/** Closes the objects of a JSON Schema: they refuse members that the schema does not mention. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** Schemas that stand beside others under `allOf`, which say what else there may be. */
const HALVES: readonly string[] = ["Envelope"];

/** The schemas of a document, closed. Objects that say themselves which other members they take stay as they are. */
export function closed(document: { readonly [member: string]: Json }): object {
  return close(document, "") as object;
}

/** @param name the member under which the value stands */
function close(value: Json, name: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => close(item, ""));
  if (typeof value !== "object" || value === null) return value;
  // Examples hold data, and under allOf each schema sees the members of the others.
  const members = Object.entries(value).map(([key, member]) => [
    key,
    key === "example" || key === "allOf" ? member : close(member, key),
  ]);
  const copy = Object.fromEntries(members) as { [member: string]: Json };
  const isObject = copy.type === "object" && "properties" in copy && !("additionalProperties" in copy);
  if ((isObject || "allOf" in copy) && !HALVES.includes(name)) copy.unevaluatedProperties = false;
  return copy;
}
