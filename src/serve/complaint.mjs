/** What the person who starts a server can mend. */

/** Something that the person who starts the server can mend; its message says how. */
export class Complaint extends Error {}
