/** `noema call`: every operation of the HTTP interface, as in the OpenAPI document. */

import { type Command, Option } from "commander";
import { nearestName } from "../../../text/nearest-name.mjs";
import { type OperationCall, type OperationSummary, type Parameter, sendOperation } from "../../operations/operations";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import { jsonOf, textIn } from "../../terminal/input";
import type { Form } from "../../terminal/output";
import {
  type MemoryOptions,
  memoryOf,
  noemaOf,
  processorOf,
  withJson,
  withMemory,
  withProcessor,
  withServer,
} from "../../terminal/place";

/** The names of operations that delete or replace stored data, besides those with the method DELETE. */
const DELETES = /^(?:clear|delete|forget|hotswap|load|remove|restore|swap)/i;

type CallOptions = MemoryOptions & Form & { readonly data?: string; readonly idempotencyKey?: string };

/** Adds the command, with a subcommand for each operation. */
export function addCall(program: Command, context: Context, operations: readonly OperationSummary[]): void {
  const call = withJson(program.command("call"))
    .description("Call any operation of the HTTP interface. Without one, list them.")
    .argument("[operation]", "the operation's name")
    .usage("[operation] [options]")
    .action(async (name: string | undefined, options: Form) => {
      if (name !== undefined) throw new UsageError(`there is no operation ${name}; ${hintFor(name, operations)}`);
      await context.output.result(options, operations, () => listOf(operations, context));
    });
  for (const operation of operations) addOperation(call, operation, context);
}

/** What the user may have meant: many know the path of an operation, and not its name. */
function hintFor(name: string, operations: readonly OperationSummary[]): string {
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  const meant = operations
    .filter(({ id, path }) => bare(id) === bare(name) || path.endsWith(`/${name.replace(/^\//, "")}`))
    .map(({ id }) => id);
  // An operation that deletes is never suggested.
  const near = nearestName(
    name,
    operations.filter(({ id, method }) => method !== "DELETE" && !DELETES.test(id)).map(({ id }) => id),
  );
  if (meant.length === 0 && near !== undefined) return `did you mean ${near}?`;
  return meant.length > 0 ? `did you mean ${meant.join(" or ")}?` : "noema call lists them";
}

function listOf(operations: readonly OperationSummary[], { output }: Context): string {
  const rows = operations.map(({ id, method, path, summary }) => [id, `${method} ${path}`, summary]);
  return output.table(["operation", "request", "what it does"], rows);
}

function addOperation(call: Command, operation: OperationSummary, context: Context): void {
  const { id, summary, pathParameters, query, body, isKeyed } = operation;
  const command = placed(call.command(id, { hidden: true }), operation).description(`${summary.replace(/\.$/, "")}.`);
  for (const { name, description } of pathParameters) command.argument(`<${name}>`, description);
  if (body !== undefined) command.option("--data <json>", "the body as JSON; @file reads a file, @- stdin");
  if (isKeyed === true) {
    command.option("--idempotency-key <key>", "repeated with the same key, the call takes effect once");
  }
  const asked = query.map((parameter) => ({ name: parameter.name, option: addQuery(command, parameter) }));
  command.addHelpText("after", helpOf(operation));
  command.action(async (...given: unknown[]) => {
    const path = given.slice(0, pathParameters.length) as string[];
    const values = asked.flatMap(({ name, option }) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      return value === undefined ? [] : [[name, String(value)] as [string, string]];
    });
    const options = given[pathParameters.length] as CallOptions;
    await send(operation, { path, query: new URLSearchParams(values) }, options, context);
  });
}

/**
 * Adds the option for a query parameter, named `--query-<name>` if another option already has its name. A boolean
 * parameter needs no value to be true.
 */
function addQuery(command: Command, { name, description, choices }: Parameter): Option {
  const plain = `--${name.replaceAll("_", "-")}`;
  const flag = command.options.some(({ long }) => long === plain) ? `--query-${plain.slice(2)}` : plain;
  const option = new Option(`${flag} ${choices?.includes("true") ? "[value]" : "<value>"}`, description);
  if (choices !== undefined) option.choices(choices);
  command.addOption(option);
  return option;
}

function placed(command: Command, { path, inSessions }: OperationSummary): Command {
  if (inSessions === true) return withMemory(command);
  return path.startsWith("/{id}/") ? withProcessor(command) : withServer(command);
}

function helpOf({ method, path, roles, body }: OperationSummary): string {
  const lines = [
    `Request: ${method} ${path}`,
    `Roles: ${roles.length === 0 ? "any key" : `${roles.join(", ")}; admin has all`}`,
  ];
  if (body?.example !== undefined) lines.push(`Example: --data '${JSON.stringify(body.example)}'`);
  return `\n${lines.join("\n")}`;
}

async function send(
  operation: OperationSummary,
  asked: Pick<OperationCall, "path" | "query">,
  options: CallOptions,
  context: Context,
): Promise<void> {
  const text = await sendOperation(operation, {
    place: placeOf(operation, options, context),
    ...asked,
    body: await bodyOf(operation, options, context),
    idempotencyKey: options.idempotencyKey,
    signal: context.signal,
  });
  await context.output.write(text.endsWith("\n") ? text : `${text}\n`);
}

function placeOf({ path, inSessions }: OperationSummary, options: CallOptions, context: Context) {
  if (inSessions === true) return memoryOf(options, context);
  return path.startsWith("/{id}/") ? processorOf(options, context) : noemaOf(options, context);
}

/**
 * The body exactly as given, once it has proved to be JSON: parsing it and writing it again could change its numbers.
 */
async function bodyOf({ id, body }: OperationSummary, { data }: CallOptions, context: Context) {
  // For operations without a body, `data` may be a query parameter.
  if (body === undefined) return undefined;
  if (data !== undefined) {
    const text = await textIn(data, context);
    jsonOf("--data", text);
    return text;
  }
  if (!body.isRequired) return undefined;
  throw new UsageError(`${id} needs a body: give --data <json>, --data @file or --data @-`);
}
