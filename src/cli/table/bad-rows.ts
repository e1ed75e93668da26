/** Says which rows of a file were left out. */

import type { Survey } from "./groups";

/** Lines about the rows that could not be read; none where all could. */
export function plainBad({ bad, rows, reasons }: Pick<Survey, "bad" | "reasons" | "rows">): string[] {
  if (bad === 0) return [];
  const left = bad - reasons.length;
  return [
    `${bad} of ${bad + rows} rows cannot be read and are left out:`,
    ...reasons.map((reason) => `  ${reason}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}
