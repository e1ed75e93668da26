/**
 * What is known to fall today, and why: an attack, or a part of one. The short form leaves it out and says so; the long form, and a run
 * that names it, attack it all the same. Delete a line when the cause is mended.
 */

/** @type {Record<string, string>} */
export const PENDING = {};
