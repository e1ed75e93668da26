/**
 * Notices that somebody else has told workerd to stop, with SIGTERM. workerd says nothing of it: it keeps its port,
 * takes no more connections, and closes those on which no request is under way. So a few connections are kept on
 * which nothing is ever sent.
 */

import { connect } from "node:net";

/** How often a connection is opened, in milliseconds. workerd closes each after 15 s. */
const OPEN_EVERY_MS = 5000;

/**
 * workerd never closes a connection so soon, in milliseconds, unless it ends. At least one of those that
 * are open is always younger.
 */
const EARLY_MS = 14_000;

/**
 * Keeps connections to workerd until its process ends.
 *
 * @param {import("node:child_process").ChildProcess} child workerd
 * @param {{ host: string, port: number }} place where it listens
 * @param {() => void} closed called when workerd has closed a connection too early: it stops, or has ended. May
 *   be called more than once
 */
export function watchForStop(child, { host, port }, closed) {
  const open = () => {
    // Before the connection is there: it never seems younger than workerd knows it to be.
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
    // Without this, nobody would hear of its end.
    socket.resume();
    socket.unref();
  };
  open();
  const opening = setInterval(open, OPEN_EVERY_MS);
  child.once("exit", () => clearInterval(opening));
}
