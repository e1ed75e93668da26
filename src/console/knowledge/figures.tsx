/** Moments and counts, short for the eye and whole where one looks closer. */

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DATE = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit" });

/** @param seconds since 1970; `null` when nobody noted it */
export function Moment({ seconds }: { readonly seconds: number | null }) {
  if (seconds === null) return <span title="Nobody noted when.">not noted</span>;
  const at = new Date(seconds * 1000);
  const isToday = DATE.format(at) === DATE.format(new Date());
  return (
    <time dateTime={at.toISOString()} title={`${at.toISOString()}, ${seconds} s since 1970`}>
      {isToday ? TIME.format(at) : `${DATE.format(at)} ${TIME.format(at).slice(0, 5)}`}
    </time>
  );
}

const COUNT = new Intl.NumberFormat("en");

/** As in "1 model" and "2,034 models". */
export function countOf(count: number, noun: string): string {
  return `${COUNT.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}
