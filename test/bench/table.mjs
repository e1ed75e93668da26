/** Times actions, takes medians and percentiles, and prints tables as Markdown. */

/** The value below which a share of the values lies. @param share from 0 to 1 */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  return sorted[at] ?? Number.NaN;
}

/** The middle value. */
export function median(values) {
  return percentile(values, 0.5);
}

/** The duration of an action in milliseconds. */
export async function timed(action) {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** Prints a title and a table. Every row has a cell for every column. */
export function printTable(title, columns, rows) {
  const widths = columns.map((column, at) => Math.max(column.length, ...rows.map((row) => (row[at] ?? "").length)));
  const line = (cells) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, at) => `${"-".repeat(width + 1)}${at === 0 ? "-" : ":"}`).join("|")}|`;
  console.log([`\n${title}\n`, line(columns), rule, ...rows.map(line)].join("\n"));
}
