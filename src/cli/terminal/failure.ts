/** How the command line fails: the exit codes, and the error of a command that was written wrongly. */

/** The exit codes. docs/command-line.md has them, too. */
export const EXIT = {
  okay: 0,
  /** The server refused, did not answer, or a file could not be read or written. */
  failed: 1,
  /** The command line itself is wrong: nothing was sent. */
  usage: 2,
  /** Ctrl-C, as shells have it: 128 and the number of the signal. */
  interrupted: 130,
  terminated: 143,
} as const;

/**
 * The command line asks for something that cannot be. The message is one sentence, which names the
 * value and what is accepted.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A signal has ended a command that runs until one comes. There is nothing to say about that. */
export class OrdinaryEnd extends Error {
  override readonly name = "OrdinaryEnd";
}
