/**
 * `npm run record:state [-- <folder> [<checkout>]]`: records what a release stores and answers, for the test that later
 * releases open it. The folder is one of test/fixtures, by default `state-` and the number of the newest migration; the
 * checkout is this one by default.
 */

import { join, resolve } from "node:path";
import { importTypeScript } from "./import-typescript.mjs";
import { ROOT } from "./project.mjs";
import { acceptedArguments } from "./usage.mjs";

const { newestFolder, record } = await importTypeScript(join("test", "support", "earlier-state", "record.ts"));
const USAGE =
  "npm run record:state [-- FOLDER [CHECKOUT]]: records what a release stores, into a folder of test/fixtures.";
const [folder = newestFolder(), checkout = ROOT] = acceptedArguments(USAGE, (argument) => !argument.startsWith("-"));
console.log(await record(resolve(checkout), join(ROOT, "test", "fixtures", folder)));
