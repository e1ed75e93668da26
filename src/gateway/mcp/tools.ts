/**
 * The tools of the Model Context Protocol: the arguments of each, and the operation of the HTTP interface that answers
 * it. The operation checks the arguments; this file checks only the rest: unknown names, and the choice of a memory.
 */

import { GetForecastRequest, ListIncidentsRequest, ListPage } from "../../gen/limits";
import { excerpt } from "../../text/excerpt";
import { isJsonObject, type JsonObject } from "../../text/located";

/** A request to an operation: the path follows the processor, and the session if there is one. */
export interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The member `data` of the body; absent without a body. */
  readonly data?: unknown;
  /** Whether it is about one memory. */
  readonly inSession: boolean;
}

/** A tool. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For a language model: what it answers, and when to use it. */
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: JsonObject;
  /** The subject of its answer, for the answer's reader: "what comes next in". */
  readonly about: string;
  /** The request that answers it. @throws WrongArgument */
  ask(given: JsonObject): Ask;
  /** The request that follows, for the member `learned` of the answer. @throws WrongArgument */
  afterwards?(given: JsonObject): Ask | undefined;
  /** Makes a long answer shorter. @param message the operation's */
  shorten?(message: unknown, given: JsonObject): unknown;
}

/** A wrong argument. The message names it, and says what is accepted. */
export class WrongArgument extends Error {
  override readonly name = "WrongArgument";
}

/** Number of models that `what_is_known` lists by default, and at most. */
const MAX_MODELS = 20;
const MAX_LISTED = ListPage.limit.most;

const SYMBOLS = { type: "array", items: { type: "string" } } as const;

const SEQUENCE = {
  type: "array",
  items: { ...SYMBOLS, minItems: 1 },
  description:
    "Events, the oldest first, each a list of its symbols. Takes the place of working memory; nothing is observed.",
} as const;

const { horizon: FORECAST_HORIZON, top: FORECAST_TOP } = GetForecastRequest;

const HORIZON = {
  type: "integer",
  minimum: 1,
  maximum: FORECAST_HORIZON.most,
  description: "How many events ahead; 1 if absent.",
};

/** The arguments of every tool. */
const PLACE = {
  processor: {
    type: "string",
    description: "Identifier or friendly name of the processor; if absent, the first one that the key opens.",
  },
  session: {
    type: "string",
    description: "Name of a session, a working memory of its own; if absent, the processor's own memory.",
  },
} as const;

const READING = { readOnlyHint: true, openWorldHint: false } as const;
const WRITING = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;

function schemaOf(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return {
    type: "object",
    properties: { ...properties, ...PLACE },
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  };
}

/** The members of an object without the undefined ones. */
function givenOf(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function post(path: string, data?: unknown): Ask {
  return data === undefined
    ? { method: "POST", path, inSession: true }
    : { method: "POST", path, data, inSession: true };
}

function isTrue(given: JsonObject, name: string): boolean {
  const value = given[name];
  if (value !== undefined && typeof value !== "boolean") {
    throw new WrongArgument(`${name} must be true or false, got ${excerpt(value)}`);
  }
  return value === true;
}

/** A query string. The operation checks the values, and its messages say `limit in the query`. */
function queryOf(values: JsonObject): string {
  const given = Object.entries(givenOf(values)).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
  ]);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** The number of models to list. @throws WrongArgument */
function limitOf({ limit = MAX_MODELS }: JsonObject): number {
  if (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MAX_LISTED) return Number(limit);
  throw new WrongArgument(`limit must be a whole number from 1 to ${MAX_LISTED}, got ${excerpt(limit)}`);
}

/** All tools, in the order of the list. */
export const TOOLS: readonly Tool[] = [
  {
    name: "observe",
    title: "Observe an event",
    description:
      "Adds one event to working memory: what happened, as symbols, and readings of sensors as numbers. " +
      "With learn, the memory is then learned as a model and cleared.",
    inputSchema: schemaOf(
      {
        strings: { ...SYMBOLS, description: "The symbols of the event; may be empty where numbers are given." },
        numbers: {
          type: "object",
          additionalProperties: { type: "number" },
          description: "Readings by the name of their encoder.",
        },
        time: {
          type: ["number", "string"],
          description: "When it happened: seconds since 1970, or RFC 3339 text with an offset; now if absent.",
        },
        learn: { type: "boolean", description: "Learn the memory as a model afterwards." },
      },
      ["strings"],
    ),
    annotations: WRITING,
    about: "Result of the observation in",
    ask: ({ strings, numbers, time }) => post("observe", givenOf({ strings, numbers, time })),
    afterwards: (given) => (isTrue(given, "learn") ? post("learn") : undefined),
  },
  {
    name: "learn",
    title: "Learn working memory",
    description:
      "Learns the sequence in working memory as a model, then clears the memory. Answers the model's name, " +
      "or null if there were fewer than two symbols.",
    inputSchema: schemaOf({}),
    annotations: WRITING,
    about: "The model learned from",
    ask: () => post("learn"),
  },
  {
    name: "what_comes_next",
    title: "What comes next",
    description:
      "Forecasts the next events: symbols with their probabilities, most probable first, and how many models " +
      "support each.",
    inputSchema: schemaOf({
      sequence: SEQUENCE,
      horizon: HORIZON,
      top: {
        type: "integer",
        minimum: 1,
        maximum: FORECAST_TOP.most,
        description: "How many symbols a step lists; 10 if absent.",
      },
    }),
    annotations: READING,
    about: "What comes next in",
    ask: ({ sequence, horizon, top }) => post("forecast", givenOf({ sequence, horizon, top })),
  },
  {
    name: "how_unusual",
    title: "How unusual is this",
    description:
      "Says in bits how unexpected an event would be now (event, optionally after a sequence), " +
      "or how unusual a whole sequence is (sequence alone): 0 is expected, each bit more is half as likely. " +
      "Nothing is observed.",
    inputSchema: schemaOf({
      event: { ...SYMBOLS, description: "The symbols of one event." },
      sequence: SEQUENCE,
      complete: {
        type: "boolean",
        description: "Without event: whether the sequence has ended, so that what is missing counts; true if absent.",
      },
    }),
    annotations: READING,
    about: "How unusual it is in",
    ask: ({ event, sequence, complete }) => {
      if (event === undefined && sequence === undefined) {
        throw new WrongArgument("how_unusual needs an event, or a sequence");
      }
      if (event === undefined) return post("surprise/sequence", givenOf({ sequence, complete }));
      if (complete === undefined) return post("surprise/explain", givenOf({ event, sequence }));
      throw new WrongArgument("complete applies to a whole sequence: leave out complete, or the event");
    },
  },
  {
    name: "why",
    title: "Why a symbol is expected",
    description: "Explains the probability of a symbol in a forecast: the rules, their weights and the evidence.",
    inputSchema: schemaOf(
      { symbol: { type: "string", description: "The symbol." }, sequence: SEQUENCE, horizon: HORIZON },
      ["symbol"],
    ),
    annotations: READING,
    about: "Why the symbol has its probability in",
    ask: ({ symbol, sequence, horizon }) => post("forecast/explain", givenOf({ symbol, sequence, horizon })),
  },
  {
    name: "what_is_known",
    title: "What is known",
    description:
      "Lists learned models with their sequences, those learned last first; with symbols, " +
      "the names of the models that hold all of them.",
    inputSchema: schemaOf({
      symbols: { ...SYMBOLS, description: "Symbols that a model must hold." },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: MAX_LISTED,
        description: `How many models are listed; ${MAX_MODELS} if absent.`,
      },
    }),
    annotations: READING,
    about: "Models of",
    ask: (given) => {
      const limit = limitOf(given);
      if (given.symbols === undefined) return { method: "GET", path: `models${queryOf({ limit })}`, inSession: false };
      return { method: "POST", path: "get-models-with-symbols", data: given.symbols, inSession: false };
    },
    shorten: (message, given) => {
      const limit = limitOf(given);
      const names = isJsonObject(message) ? message.model_list : undefined;
      if (!Array.isArray(names) || names.length <= limit) return message;
      return { model_list: names.slice(0, limit), total: names.length };
    },
  },
  {
    name: "incidents",
    title: "Incidents",
    description: "Lists what stood out and was reported by alerts, newest first, with the symbols that caused it.",
    inputSchema: schemaOf({
      verdict: { type: "string", enum: ["open", "normal", "fault", "ignored"], description: "Only with this verdict." },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: ListIncidentsRequest.limit.most,
        description: `How many are listed; ${ListIncidentsRequest.limit.standard} if absent.`,
      },
    }),
    annotations: READING,
    about: "Incidents in",
    ask: ({ verdict, limit }) => ({ method: "GET", path: `incidents${queryOf({ verdict, limit })}`, inSession: true }),
  },
];

/**
 * Refuses unknown arguments of a tool, and missing required ones.
 *
 * @throws WrongArgument naming what the tool takes
 */
export function checkNames({ name, inputSchema }: Tool, given: JsonObject): void {
  const properties = isJsonObject(inputSchema.properties) ? inputSchema.properties : {};
  const unknown = Object.keys(given).find((one) => !Object.hasOwn(properties, one));
  if (unknown !== undefined) {
    throw new WrongArgument(`${name} takes ${Object.keys(properties).join(", ")}, got ${excerpt(unknown)}`);
  }
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  const missing = required.find((one: string) => given[one] === undefined);
  if (missing !== undefined) throw new WrongArgument(`${name} needs ${missing}`);
}
