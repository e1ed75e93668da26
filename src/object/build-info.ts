/** Which build is running. The bundler writes date and number in; a bundle that was made without them says so by its zeros. */

import { version } from "../../package.json";
import type { Build } from "../rpc/services/inspection-service";

/** Set by the bundler: when the bundle was made, ISO 8601. */
declare const NOEMA_BUILD_DATE: string | undefined;

/** Set by the bundler: which build it is. */
declare const NOEMA_BUILD_NUMBER: string | undefined;

/** The build of this bundle. */
export const BUILD: Build = {
  version,
  date: typeof NOEMA_BUILD_DATE === "string" ? NOEMA_BUILD_DATE : "1970-01-01T00:00:00.000Z",
  number: typeof NOEMA_BUILD_NUMBER === "string" ? NOEMA_BUILD_NUMBER : "0",
};
