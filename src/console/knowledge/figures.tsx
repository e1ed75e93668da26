/** Times and counts in the knowledge view: short, with the exact value as the title. */

import { clock, moment, whole } from "../parts/figures";

/** @param seconds since 1970; `null` if it was not recorded */
export function Moment({ seconds }: { readonly seconds: number | null }) {
  if (seconds === null) return <span title="The time was not recorded.">not noted</span>;
  const at = new Date(seconds * 1000);
  const isToday = at.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at.toISOString()} title={`${at.toISOString()}, ${seconds} s since 1970`}>
      {isToday ? clock(at.getTime()) : moment(at.getTime())}
    </time>
  );
}

/** As in "1 model" and "2,034 models". */
export function countOf(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** How often something was learned: "once", "3 times". */
export function timesOf(count: number): string {
  return count === 1 ? "once" : `${whole(count)} times`;
}
