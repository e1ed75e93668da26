/** Parses options that are numbers or lists. */

import { UsageError } from "./failure";

/** For options that may be given several times. */
export const collect = (text: string, before: readonly string[]): string[] => [...before, text];

/**
 * An integer in a range.
 *
 * @param option the option's name, for the error
 * @throws UsageError if the text is not one
 */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${option} is ${JSON.stringify(text)}; accepted is a whole number from ${least} to ${most}`);
}
