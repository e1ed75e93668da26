/** Formats numbers and times for display. Show the exact value next to them, as a title. */

/** Made when first used: the first one of a page takes 20 ms, as long as Home takes to be drawn. */
function whenUsed<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make());
}

const twoDigits = whenUsed(() => new Intl.NumberFormat("en", { maximumSignificantDigits: 2 }));

const threeDigits = whenUsed(() => new Intl.NumberFormat("en", { maximumSignificantDigits: 3 }));

/** As on the axes of charts. */
const HOURS = { hourCycle: "h23" } as const;

const timeOfDay = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;

const clockFormat = whenUsed(() => new Intl.DateTimeFormat(undefined, { ...timeOfDay, ...HOURS }));

const momentFormat = whenUsed(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", ...HOURS }),
);

const dayFormat = whenUsed(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", ...HOURS }),
);

/** A number with two significant digits, three from 10 on, or whole from 1,000 on. */
export function short(value: number): string {
  if (Math.abs(value) >= 1000) return whole(value);
  return (Math.abs(value) < 10 ? twoDigits() : threeDigits()).format(value);
}

/** A number rounded to a whole one, with thousands separators. */
export function whole(value: number): string {
  const digits = String(Math.round(Math.abs(value))).replace(/\B(?=(\d{3})+$)/g, ",");
  return value < 0 && digits !== "0" ? `-${digits}` : digits;
}

/** Probabilities nearer to 0 or 1 than this are said in words, because a number would round them. */
const MIN_SHOWN = 0.001;

/**
 * A probability in per cent, short enough for a column. Never rounds to 0% or 100% what is only nearly so.
 * @param probability 0 to 1
 */
export function chance(probability: number): string {
  const percent = 100 * probability;
  if (probability === 0 || probability === 1) return `${percent}%`;
  if (probability < MIN_SHOWN) return "< 0.1%";
  if (probability > 1 - MIN_SHOWN) return "> 99.9%";
  return `${percent.toFixed(percent < 0.95 || percent > 99.05 ? 1 : 0)}%`;
}

/**
 * A probability in whole per cent, for a column that is compared at a glance. Never rounds to 0% or 100% what is only
 * nearly so.
 * @param probability 0 to 1
 */
export function wholeChance(probability: number): string {
  const percent = Math.round(100 * probability);
  if (percent === 0 && probability > 0) return "< 1%";
  if (percent === 100 && probability < 1) return "> 99%";
  return `${percent}%`;
}

/**
 * A probability as people say it, for sentences: what would round to 0% or 100% is said in words.
 * @param probability 0 to 1
 */
export function likelihood(probability: number): string {
  if (probability < MIN_SHOWN) return "practically impossible";
  return probability > 1 - MIN_SHOWN ? "practically certain" : chance(probability);
}

/** From this many bits on, what happened counts as impossible: about one in a million. */
const IMPOSSIBLE_BITS = 20;

/**
 * How rare something is, as people say it.
 * @param bits -log2 of its probability, 0 or more
 */
export function rarity(bits: number): string {
  if (bits >= IMPOSSIBLE_BITS) return "practically impossible";
  const probability = 2 ** -bits;
  return probability >= 0.1 ? `${chance(probability)} likely` : `1 in ${twoDigits().format(1 / probability)}`;
}

/** Milliseconds in a second. */
export const MS_PER_SECOND = 1_000;

const MINUTE_MS = 60 * MS_PER_SECOND;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/**
 * How long ago something was, as people say it; a week and more as a date. Show the exact time as a title.
 * @param ms in milliseconds of the clock
 * @param now in milliseconds of the clock
 */
export function ago(ms: number, now: number = Date.now()): string {
  const past = now - ms;
  if (past < MINUTE_MS) return past < -MINUTE_MS ? day(ms) : "just now";
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ago`;
  if (past < DAY_MS) return `${Math.floor(past / HOUR_MS)} h ago`;
  if (past < 2 * DAY_MS) return "1 day ago";
  if (past < WEEK_MS) return `${Math.floor(past / DAY_MS)} days ago`;
  return day(ms);
}

/** Bytes in a fitting unit. */
export function bytes(value: number): string {
  if (value < 1024) return `${whole(value)} B`;
  if (value < 1024 ** 2) return `${short(value / 1024)} KiB`;
  return value < 1024 ** 3 ? `${short(value / 1024 ** 2)} MiB` : `${short(value / 1024 ** 3)} GiB`;
}

/** The time of a day. @param ms in milliseconds of the clock */
export function clock(ms: number): string {
  return clockFormat().format(ms);
}

/** Day and time with seconds. @param ms in milliseconds of the clock */
export function moment(ms: number): string {
  return momentFormat().format(ms);
}

/** Day and time. @param ms in milliseconds of the clock */
export function day(ms: number): string {
  return dayFormat().format(ms);
}
