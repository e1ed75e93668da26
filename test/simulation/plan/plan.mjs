/**
 * A plan: what clients do, in which order each, and which faults happen meanwhile. It is plain JSON, so a failing one
 * can be kept, shrunk and played again.
 */

/** What the clock of the server shows when a simulation begins, in seconds since 1970: 2026-01-01. */
export const EPOCH_S = 1_767_225_600;

/** The version of plans that this simulator plays. A plan means the same only to the generator that made it. */
export const PLAN_VERSION = 8;

/**
 * What plans are of: `agent` of observing and learning in processors that tell each other, judged by the model;
 * `watching` of all that goes on around it, judged by a twin; `keeping` of backups that are restored and genomes that
 * change, judged by what was read before; `keys` of keys that are made and deleted, judged by what is promised of them;
 * `mqtt` of clients of MQTT, judged by what its qualities of service promise; `parts` of processors whose models are
 * spread over parts, judged by a twin in which they are not.
 */
export const AREAS = ["agent", "watching", "keeping", "keys", "mqtt", "parts"];
