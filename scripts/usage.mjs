/** What a script prints for `--help`, and how it refuses arguments that it does not know, before it has done anything. */

/**
 * The arguments of the script. With `--help` among them, prints the usage and ends the process with code 0; with one
 * that is not accepted, says which, prints the usage and ends with code 2.
 *
 * @param {string} usage
 * @param {(argument: string) => boolean} isAccepted accepts nothing if absent
 * @returns {string[]}
 */
export function acceptedArguments(usage, isAccepted = () => false) {
  const given = process.argv.slice(2);
  if (given.includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  const refused = given.find((argument) => !isAccepted(argument));
  if (refused === undefined) return given;
  console.error(`${JSON.stringify(refused)} is not accepted.\n\n${usage}`);
  process.exit(2);
}
