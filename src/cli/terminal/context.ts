/** What every command gets: the environment, the streams and the abort signal. Tests pass their own. */

import type { Output } from "./output";

/** The surroundings of one run of the command line. */
export interface Context {
  readonly env: { readonly [name: string]: string | undefined };
  readonly stdin: NodeJS.ReadableStream;
  readonly output: Output;
  /**
   * Aborted by Ctrl-C and by SIGTERM, with the signal's name as the reason: pass it to every call, and stop at once.
   */
  readonly signal: AbortSignal;
}
