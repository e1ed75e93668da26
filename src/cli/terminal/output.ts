/**
 * Writes results to stdout and everything else to stderr: plain lines, tables, or JSON. Uses colours only on terminals,
 * and never with NO_COLOR. Knows no command.
 */

import { once } from "node:events";
import Table from "cli-table3";
import { createColors } from "picocolors";
import type { TextStream } from "./progress";
import { type Progress, progressOn } from "./progress";

/** Whether results are wanted as JSON: every command's flag `--json`. */
export interface Form {
  readonly json?: true;
}

/** A table without borders. */
const PLAIN = Object.fromEntries(
  [
    ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"],
    ["left", "left-mid", "mid", "mid-mid", "right", "right-mid"],
  ]
    .flat()
    .map((part) => [part, ""]),
);

const HOME = "\x1b[H";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";

/** Where a command writes. */
export class Output {
  readonly #stdout: TextStream;
  readonly #stderr: TextStream;
  /** Colours for stdout; each leaves text unchanged if colours are not wanted. */
  readonly colors: ReturnType<typeof createColors>;

  constructor(stdout: TextStream, stderr: TextStream, env: { readonly [name: string]: string | undefined }) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.colors = createColors(stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb");
  }

  /** Whether results go to a terminal, so that lines may be redrawn. */
  get isTerminal(): boolean {
    return this.#stdout.isTTY === true;
  }

  /** The terminal's width in columns; 80 if stdout is not a terminal. */
  get width(): number {
    return this.#stdout.columns ?? 80;
  }

  /**
   * Writes a result: with `--json` the value as one line of JSON, else the text from `plain`. An empty text writes
   * nothing.
   */
  async result({ json }: Form, value: unknown, plain: () => string): Promise<void> {
    const text = json === true ? JSON.stringify(value) : plain();
    if (text !== "") await this.write(`${text}\n`);
  }

  /** Writes text or bytes to stdout unchanged, and waits until they are accepted. */
  async write(piece: string | Uint8Array): Promise<void> {
    if (!this.#stdout.write(piece)) await once(this.#stdout, "drain");
  }

  /** Replaces the terminal's content by a text of several lines, cut to the terminal's height. */
  async redraw(text: string): Promise<void> {
    const lines = text.split("\n").slice(0, (this.#stdout.rows ?? 24) - 1);
    // Each line overwrites the previous one: clearing the screen first would flicker.
    await this.write(`${HOME}${lines.map((line) => `${line}${CLEAR_LINE}\n`).join("")}${CLEAR_BELOW}`);
  }

  /** Writes a message to stderr. */
  note(line: string): void {
    this.#stderr.write(`${line}\n`);
  }

  /**
   * Shows the progress of a long run on stderr: a bar on a terminal, otherwise a line for every 10 %. Must be stopped,
   * or the bar stays.
   *
   * @param name the name of the task, such as `Learning`
   * @param total the number of steps; absent if unknown
   */
  progress(name: string, total?: number): Progress {
    return progressOn(this.#stderr, name, total);
  }

  /**
   * Rows in columns, with a heading in bold.
   *
   * @param widths widths of the columns; longer cells are cut. If absent, columns are as wide as their cells
   */
  table(
    heading: readonly string[],
    rows: readonly (readonly (string | number)[])[],
    widths?: readonly number[],
  ): string {
    const table = new Table({
      head: heading.map((title) => this.colors.bold(title)),
      chars: { ...PLAIN, middle: "  " },
      style: { head: [], border: [], compact: true, "padding-left": 0, "padding-right": 0 },
      ...(widths !== undefined && { colWidths: [...widths] }),
    });
    table.push(...rows.map((row) => row.map(String)));
    const lines = table.toString().split("\n");
    return lines.map((line) => line.trimEnd()).join("\n");
  }
}
