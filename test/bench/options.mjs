/** What the command line of the benchmarks says. */

/** The value of `--name=value`; `undefined` where it is not given. */
export function option(name) {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** A whole number of 1 or more. @throws Error that names what is accepted */
export function countOption(name, otherwise) {
  const text = option(name);
  if (text === undefined) return otherwise;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`--${name} must be a whole number of 1 or more, got ${text}`);
  return count;
}
