/** Formats numbers and times for display. Show the exact value next to them, as a title. */

const TWO_DIGITS = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

const THREE_DIGITS = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A number with two significant digits, three from 10 on, or whole from 1,000 on. */
export function short(value: number): string {
  if (Math.abs(value) >= 1000) return WHOLE.format(value);
  return (Math.abs(value) < 10 ? TWO_DIGITS : THREE_DIGITS).format(value);
}

/** A whole number with thousands separators. */
export function whole(value: number): string {
  return WHOLE.format(value);
}

/**
 * A probability in per cent. Never rounds to 0 % or 100 % what is only nearly so.
 * @param probability 0 to 1
 */
export function chance(probability: number): string {
  const percent = 100 * probability;
  if (percent === 0 || percent === 100) return `${percent} %`;
  if (percent < 0.1) return "< 0.1 %";
  if (percent > 99.9) return "> 99.9 %";
  return `${percent.toFixed(percent < 9.95 || percent > 99 ? 1 : 0)} %`;
}

/** Bytes in a fitting unit. */
export function bytes(value: number): string {
  if (value < 1024) return `${whole(value)} B`;
  if (value < 1024 ** 2) return `${short(value / 1024)} KiB`;
  return value < 1024 ** 3 ? `${short(value / 1024 ** 2)} MiB` : `${short(value / 1024 ** 3)} GiB`;
}

/** The time of a day. @param ms in milliseconds of the clock */
export function clock(ms: number): string {
  return CLOCK.format(ms);
}

/** Day and time with seconds. @param ms in milliseconds of the clock */
export function moment(ms: number): string {
  return MOMENT.format(ms);
}

/** Day and time. @param ms in milliseconds of the clock */
export function day(ms: number): string {
  return DAY.format(ms);
}
