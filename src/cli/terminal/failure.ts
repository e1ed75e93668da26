/** How the command line fails: the exit codes, and the error for a mistake on the command line. */

/** The exit codes; docs/command-line.md lists them, too. */
export const EXIT = {
  okay: 0,
  /** The server refused, did not answer, or a file could not be read or written. */
  failed: 1,
  /** The command line itself is wrong: nothing was sent. */
  usage: 2,
  /** Ctrl-C, by the convention of shells: 128 plus the signal's number. */
  interrupted: 130,
  terminated: 143,
} as const;

/** The command line contains a mistake. The message is one sentence that names the value and says what is accepted. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A signal has ended a command that runs until one arrives. Nothing is printed about that. */
export class OrdinaryEnd extends Error {
  override readonly name = "OrdinaryEnd";
}
