/**
 * Ends workerd when the process that started it has ended, however that ended: after a SIGKILL nobody is left to do it.
 * A shell beside workerd reads from a socket that only that process writes to, and reads its end. It kills its own
 * parent and no other process.
 */

/**
 * The descriptor from which the shell reads. Those before it are the standard ones, workerd's reports and the
 * lock of the state folder.
 */
export const LEASH_FD = 5;

/**
 * Becomes the program that its arguments name, as the same process, with the shell as a child. When that process has
 * ended by then, the shell has another parent: its number may be another program's. Ctrl-C reaches all processes of a
 * terminal, and would end workerd in the middle of what it answers: it is to hear of it from us. A supervisor's SIGTERM
 * to all processes must not end the shell before workerd.
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
 * The command that runs a program on a leash. Windows has no such shell: there the program is on none.
 *
 * @param {string} path the program
 * @returns {string[]} a command, and arguments before the program's own. Give it a socket as the descriptor
 *   {@link LEASH_FD}, and hold the other end for as long as the program is to run
 */
export function leashed(path) {
  return process.platform === "win32" ? [path] : ["/bin/sh", "-c", SCRIPT, "sh", path];
}
