/** Reports what is unclear in a file: which rows were skipped, and how its times are interpreted. */

import type { Survey } from "./groups";

/** Lines about unreadable rows and about times without a zone; empty if there is nothing to report. */
export function plainRemarks({ bad, lacksZone, rows, reasons }: Remarked): string[] {
  const zone = lacksZone ? ["Times without a zone count as UTC."] : [];
  if (bad === 0) return zone;
  const left = bad - reasons.length;
  return [
    `${bad} of ${bad + rows} rows cannot be read and are left out:`,
    ...reasons.map((reason) => `  ${reason}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...zone,
  ];
}

type Remarked = Pick<Survey, "bad" | "lacksZone" | "reasons" | "rows">;
