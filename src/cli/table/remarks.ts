/** Says what a file leaves open: which rows were left out, and what its times count as. */

import type { Survey } from "./groups";

/** Lines about the rows that could not be read, and about times without a zone; none where all is clear. */
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
