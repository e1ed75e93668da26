/** `noema keys`: lists the keys that the agent has issued, issues one, and deletes one. */

import { type Command, Option } from "commander";
import { createKey, deleteKey, listKeys, ROLES, type Schemas } from "../../../client";
import { collect, wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { noemaOf, type ServerOptions, withServer } from "../../terminal/place";

const NAMES: readonly string[] = ROLES.map(({ role }) => role);

const ID = /^[0-9a-f]{16}$/;

interface CreateOptions extends ServerOptions, Form {
  readonly role: readonly string[];
  readonly processor?: readonly string[];
  readonly session?: readonly string[];
  readonly expires?: string;
  readonly perMinute?: string;
}

/** Adds the commands. */
export function addKeys(program: Command, context: Context): void {
  const keys = program
    .command("keys")
    .description("List the keys that the agent has issued, issue one, or remove one. Needs the role admin.");
  withServer(keys.command("list"))
    .description("List the issued keys, without their secrets.")
    .action(async (options: ServerOptions & Form) => {
      const all = await listKeys(noemaOf(options, context), { signal: context.signal });
      await context.output.result(options, all, () => plain(all, context));
    });
  withServer(keys.command("create"))
    .description("Issue a key and print it: it cannot be shown again.")
    .argument("<name>", "a name for the key, such as sensor-7")
    .addOption(
      new Option("--role <role>", "what it may do (repeatable)")
        .choices(NAMES)
        .argParser((role: string, before?: readonly string[]) => several(roleOf(role), before))
        .makeOptionMandatory(),
    )
    .option("--processor <id>", "limits the key to a processor (repeatable)", several)
    .option(
      "--session <name>",
      "limits the key to a session, or with name* to all whose names begin so (repeatable)",
      several,
    )
    .option("--expires <date>", "when it expires, such as 2027-01-31 or 2027-01-31T12:00Z")
    .option("--per-minute <requests>", "how many requests it may make in a minute")
    .action((name: string, options: CreateOptions) => create(name, options, context));
  withServer(keys.command("remove"))
    .description("Delete an issued key. After 30 seconds at most, it is refused everywhere.")
    .argument("<id>", "its identifier, as `noema keys list` shows it")
    .action(async (id: string, options: ServerOptions & Form) => {
      // The argument is not repeated in the error, because it may be a whole key.
      if (!ID.test(id)) {
        throw new UsageError(
          "that is not the identifier of a key: 16 hex digits, the middle part of noema_<id>_<secret>",
        );
      }
      await deleteKey(noemaOf(options, context), id, { signal: context.signal });
      await context.output.result(options, { id, deleted: true }, () => `Key ${id} is deleted.`);
    });
}

/** For options that may be given several times; `undefined` if none is given. */
function several(text: string, before: readonly string[] = []): string[] {
  return collect(text, before);
}

function roleOf(role: string): string {
  if (NAMES.includes(role)) return role;
  throw new UsageError(`--role is ${JSON.stringify(role)}; accepted is one of ${NAMES.join(", ")}`);
}

async function create(name: string, options: CreateOptions, context: Context): Promise<void> {
  const { role, processor, session, expires, perMinute } = options;
  const rights = {
    name,
    roles: [...role],
    ...(processor !== undefined && { processors: [...processor] }),
    ...(session !== undefined && { sessions: [...session] }),
    ...(expires !== undefined && { expires: timeOf(expires) }),
    ...(perMinute !== undefined && { per_minute: wholeNumber("--per-minute", perMinute, 1, 1_000_000) }),
  } as Schemas.NewKey;
  const key = await createKey(noemaOf(options, context), rights, { signal: context.signal });
  // A script that reads stdout gets only the key.
  await context.output.result(options, key, () => key.key);
  context.output.note(`The key ${key.id} is issued. Keep it now: it cannot be shown again.`);
}

/** A date in epoch seconds. */
function timeOf(text: string): number {
  const ms = Date.parse(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && Number.isFinite(ms)) return Math.floor(ms / 1000);
  throw new UsageError(
    `--expires is ${JSON.stringify(text)}; accepted is a date such as 2027-01-31 or 2027-01-31T12:00Z`,
  );
}

function plain(all: readonly Schemas.IssuedKey[], { output }: Context): string {
  if (all.length === 0) return "The agent has issued no keys.";
  const rows = all.map(({ id, name, roles, created, ...limits }) => [
    id,
    name,
    roles.join(", "),
    dateOf(created),
    limits.expires === undefined ? "never" : dateOf(limits.expires),
    limitsOf(limits),
  ]);
  return output.table(["id", "name", "roles", "issued", "expires", "limits"], rows);
}

function limitsOf({
  processors,
  sessions,
  per_minute: perMinute,
}: Omit<Schemas.IssuedKey, "created" | "id" | "name" | "roles">) {
  return [
    ...(processors === undefined ? [] : [`processors ${processors.join(" ")}`]),
    ...(sessions === undefined ? [] : [`sessions ${sessions.join(" ")}`]),
    ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
  ].join("; ");
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}
