/** Compares bytes in a time that depends only on their number. */

/** Whether two arrays of the same length are equal. Does not stop at the first difference. */
export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (typeof crypto.subtle.timingSafeEqual === "function") return crypto.subtle.timingSafeEqual(a, b);
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}
