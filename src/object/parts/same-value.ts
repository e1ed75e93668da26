/**
 * Whether two plain values are equal: numbers, texts, lists, typed arrays, and objects of these.
 *
 * @param without the name of members that need not be
 */
export function isSameValue(one: unknown, other: unknown, without?: string): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (isList(one) && isList(other)) {
    if (one.length !== other.length) return false;
    for (let at = 0; at < one.length; at++) if (!isSameValue(one[at], other[at], without)) return false;
    return true;
  }
  if (isList(one) || isList(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) =>
      name === without ||
      isSameValue((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name], without),
  );
}

function isList(value: object): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
}
