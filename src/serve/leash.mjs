/**
 * Ends workerd when the process that started it has ended, for whatever reason: after a SIGKILL that process
 * cannot do it itself. A shell beside workerd waits for the end of a socket whose other end that process holds.
 * It kills only its own parent.
 */

/**
 * The descriptor from which the shell reads. Those before it are the standard ones, workerd's reports and the
 * lock of the state folder.
 */
export const LEASH_FD = 5;

/**
 * Replaces itself with the program that its arguments name, as the same process, with the shell as a child. If that
 * process has already ended, the shell has another parent, and the process id may belong to another program. Ctrl-C
 * reaches all processes of a terminal and would end workerd in the middle of its answers, so workerd ignores it and is
 * stopped by us. A supervisor's SIGTERM to all processes must not end the shell before workerd.
 */
const SCRIPT = `
trap "" INT
(
  trap "" HUP TERM
  read -r line
  if [ -r /proc/self/stat ]; then
    read -r own name state parent rest </proc/self/stat
  else
    parent=$(ps -o ppid= -p "$(exec sh -c 'echo $PPID')")
  fi
  [ $((parent)) -eq $$ ] && kill -9 $$
) <&${LEASH_FD} ${LEASH_FD}<&- 3>&- 4>&- >/dev/null 2>&1 &
exec "$@" ${LEASH_FD}<&-
`;

/**
 * The command that runs a program on a leash. Windows has no such shell; there the program runs without a leash.
 *
 * @param {string} path the program
 * @returns {string[]} a command, and arguments before the program's own. Give it a socket as the descriptor
 *   {@link LEASH_FD}, and hold the other end for as long as the program is to run
 */
export function leashed(path) {
  return process.platform === "win32" ? [path] : ["/bin/sh", "-c", SCRIPT, "sh", path];
}
