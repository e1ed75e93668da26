/** A stream of text, which may be a terminal: stdout, stderr, or what a test passes in their place. */
export type TextStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};
