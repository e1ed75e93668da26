/**
 * Detects that another process has sent SIGTERM to workerd. workerd does not report it: it keeps its port, accepts no
 * more connections, and closes idle ones. So a few idle connections are kept open to watch for that.
 */

import { connect } from "node:net";

/** How often a connection is opened, in milliseconds. workerd closes each after 15 s. */
const OPEN_EVERY_MS = 5000;

/**
 * Age in milliseconds before which workerd closes a connection only if it is stopping. At least one open
 * connection is always younger.
 */
const EARLY_MS = 14_000;

/**
 * Keeps connections to workerd until its process ends.
 *
 * @param {import("node:child_process").ChildProcess} child workerd
 * @param {{ host: string, port: number }} place where it listens
 * @param {() => void} closed called when workerd has closed a connection early: it is stopping or has ended. May
 *   be called more than once
 */
export function watchForStop(child, { host, port }, closed) {
  const open = () => {
    // Taken before the connection exists, so that it never seems younger than it is to workerd.
    const since = performance.now();
    const socket = connect({ port, host });
    let isOpen = false;
    socket.once("connect", () => {
      isOpen = true;
    });
    // It was refused or reset: workerd has ended.
    socket.on("error", () => {});
    socket.once("close", () => {
      if (isOpen && performance.now() - since < EARLY_MS) closed();
    });
    // Without this, the end event is never emitted.
    socket.resume();
    socket.unref();
  };
  open();
  const opening = setInterval(open, OPEN_EVERY_MS);
  child.once("exit", () => clearInterval(opening));
}
