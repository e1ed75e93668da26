/**
 * Counts how often slots got other models, or another tenant was entered: whatever was found out about the models in
 * slots before is void then. Models that are only added change no slot.
 */

let count: u32 = 1;

/** Call this before slots get other models, and when another tenant is entered. */
export function changeSlots(): void {
  count++;
}

/** Number of these changes, above 0. */
export function slotChanges(): u32 {
  return count;
}
