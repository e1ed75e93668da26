/** `noema health`: whether a server's storage works. */

import type { Command } from "commander";
import { connect, getHealth } from "../../../client";
import type { Context } from "../../terminal/context";
import type { Form } from "../../terminal/output";
import { accepted, type ServerOptions, withAddress } from "../../terminal/place";

/** Adds the command. It needs no key, so it takes none. */
export function addHealth(program: Command, context: Context): void {
  withAddress(program.command("health"))
    .description("Check whether a server's storage works.")
    .action(async (options: Pick<ServerOptions, "address"> & Form) => {
      // The client sends no request without a key; the server does not check the key here.
      const noema = accepted(() => connect({ address: options.address, key: "none" }));
      const health = await getHealth(noema, { signal: context.signal });
      await context.output.result(options, health, () => `${options.address} works.`);
    });
}
