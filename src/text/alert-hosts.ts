/** The variable that lists the hosts to which alerts may be delivered. Both towers read it. */

import { excerpt } from "./excerpt";
import { isHost } from "./hosts";
import { wordsOf } from "./variables";

/** The part of the Worker's environment for alert hosts. */
export interface AlertHostsEnv {
  /** The hosts, each with its port, which may be left out if it is 443, separated by white space or commas. */
  readonly NOEMA_ALERT_HOSTS?: string;
}

/** The hosts to which alerts may be delivered; none when the variable is not set. */
export function alertHosts(env: AlertHostsEnv): string[] {
  return wordsOf(env.NOEMA_ALERT_HOSTS);
}

/** Why the variable is not valid, as a sentence; `undefined` if it is valid. */
export function alertHostsRefusal(env: AlertHostsEnv): string | undefined {
  const wrong = alertHosts(env).find((host) => !isHost(host));
  if (wrong === undefined) return undefined;
  return `the variable NOEMA_ALERT_HOSTS has ${excerpt(wrong)}; it must list hosts as URLs have them, in lower case and without https://, such as hooks.example.org or hooks.example.org:8443`;
}
