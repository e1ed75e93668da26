/** Errors that the operator of a server can fix. */

/** An error that the operator can fix; its message says how. */
export class Complaint extends Error {}
