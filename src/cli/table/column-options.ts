/** The options of commands that read a table: its format, and what its columns mean. */

import { type Command, Option } from "commander";
import { collect } from "../terminal/arguments";
import type { ColumnOptions } from "./columns";
import type { FileOptions } from "./rows";

/** What {@link withColumns} reads. */
export interface TableOptions extends ColumnOptions, FileOptions {
  readonly skipBad?: true;
}

/** Adds the argument for the file and the options for its columns. */
export function withColumns(command: Command): Command {
  return command
    .argument("<file>", "a file .csv, .tsv, .jsonl or .ndjson, also with .gz; - for stdin")
    .option("--group-by <columns>", "the columns whose cells say which rows belong together, as one sequence")
    .option("--every <rows>", "number of consecutive rows that belong together")
    .option(
      "--symbol <column>",
      "its cells are symbols; <column>:named makes them <column>=<cell> (repeatable)",
      collect,
      [],
    )
    .option(
      "--number <column:bins>",
      "its numbers fall into bins: temp finds them; or temp:step=0.5, temp:edges=1,2,5, temp:quantiles=8 (repeatable)",
      collect,
      [],
    )
    .option("--vector <columns>", "its cells are the components of a vector: x,y,z (repeatable)", collect, [])
    .option("--emotive <column>", "its numbers are an emotive (repeatable)", collect, [])
    .option("--label <column>", "its cell, one for a group, is a last event of its own: the class of the group")
    .option(
      "--time <column>",
      "when a row happened: ISO 8601, or epoch seconds; the rows of a group are sorted by it, the earliest first",
    )
    .option("--skip-bad", "leave out the rows that cannot be read, and say how many and why")
    .option("--decimal-comma", "20,5 is a number")
    .option("--encoding <name>", "the encoding of the text, such as windows-1252 (default: utf-8)")
    .addOption(new Option("--format <format>", "the format, if the name does not show it").choices(["csv", "jsonl"]))
    .option(
      "--delimiter <character>",
      "the separator of cells (default: comma, semicolon or tab, whichever the first line has most of)",
    );
}
