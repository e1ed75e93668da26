/** `noema init`: makes a project that the user can deploy. */

import type { Command } from "commander";
import { makeProject } from "../../project/project";
import type { Context } from "../../terminal/context";
import type { Form } from "../../terminal/output";
import { withJson } from "../../terminal/place";

interface InitOptions extends Form {
  readonly package?: string;
}

/** Adds the command. */
export function addInit(program: Command, context: Context): void {
  withJson(program.command("init").argument("<folder>", "a new folder, or an empty one"))
    .description("Make a project of your own, to deploy.")
    .option("--package <spec>", "where npm finds the package noema: a version or a tarball (default: this one)")
    .action(async (folder: string, options: InitOptions) => {
      const project = makeProject(folder, options.package);
      const next = [`cd ${quoted(folder)}`, "npm install", "npm start", "", "npx wrangler login", "npm run deploy"];
      const steps = [...next, "npx wrangler secret put API_KEYS"].map((step) => (step === "" ? "" : `  ${step}`));
      await context.output.result(options, project, () =>
        [`Made ${project.folder}: ${project.files.join(", ")}.`, "Next:", ...steps].join("\n"),
      );
    });
}

/** A word, quoted for a shell. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
