/** What the documents say of the lists in src/gateway/operations/knowledge.ts: models, symbols and vectors, sorted and searched, a page at a time. */

import { ListPageSchema } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { schemaOf } from "../from-contract";
import type { Reference } from "./entry";
import { choice, envelope, list, ref, text } from "./schemas/schema";

/** The query that every list knows. @param sorts what it can be sorted by */
function pageQuery(sorts: readonly string[]) {
  return {
    sort: choice(
      sorts,
      `What to sort by; ${sorts[0]} if absent. Of equals, the one that was learned first is the lesser.`,
    ),
    direction: choice(["asc", "desc"], "Whether the least or the greatest comes first. desc if absent."),
    cursor: text(
      "What an answer gave as next or previous, with the same sort and direction. The first page if absent.",
    ),
    limit: schemaOf(ListPageSchema.field.limit),
  };
}

/** What every list says of its query and of its pages. */
const PAGE_TAKES =
  "`direction`: `desc` or `asc`; `limit`: 1 to 500, 50 if absent; `cursor`: what an answer gave as `next` or `previous`.";
const PAGE_RETURNS =
  "`first` is how many rows of the search come before the page, `total` how many there are; `next` and `previous` are cursors, or null. A page of long rows may have fewer than `limit`. [lists.md](lists.md#while-others-learn) says what holds while others learn.";

/** By row. */
export const listReference: Reference = {
  "GET /:id/models": {
    operationId: ["listModels"],
    doc: [
      "A page of the models, newest first unless `sort` and `direction` say otherwise.",
      "@throws NoemaError 400 if something in the query is not accepted, 413 if the search is too much work",
    ],
    takes: `None. In the query, \`sort\`: \`order\` of learning, \`learned_at\`, \`frequency\`, \`length\` or \`name\`; ${PAGE_TAKES} Sought are models that hold every \`symbol\` and a match of every \`pattern\` (both may be given several times), and whose name begins with \`name\`.`,
    returns: `\`{first, models, next, previous, total}\`; a model is \`{frequency, learned_at, length, name, order, sequence}\`. \`learned_at\` is when it was learned last, in seconds since 1970, or null. ${PAGE_RETURNS}`,
    query: {
      ...pageQuery(["order", "learned_at", "frequency", "length", "name"]),
      name: text("What the hash begins with, at most 40 hex digits, with `MODEL|` or without."),
      symbol: list("Symbols that a model holds, all of them: one, or the parameter several times.", text("A symbol.")),
      pattern: list(
        "Regular expressions as Python's `re` has them. Each must match a whole symbol of the model. One, or the parameter several times.",
        text("A pattern."),
      ),
    },
    answer: envelope(ref("ModelPage")),
    example: {
      request: { method: "GET", path: "/p46b6b076c/models?sort=frequency&name=dd&limit=10" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          first: 0,
          models: [
            {
              frequency: 1,
              learned_at: 1795250628,
              length: 3,
              name: "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
              order: 1,
              sequence: [["coffee", "morning"], ["bus"]],
            },
          ],
          next: null,
          previous: null,
          total: 1,
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/symbols": {
    operationId: ["listSymbols"],
    doc: [
      "A page of the symbols in models, the most frequent first unless `sort` and `direction` say otherwise.",
      "@throws NoemaError 400 if something in the query is not accepted, 413 if the search is too much work",
    ],
    takes: `None. In the query, \`sort\`: \`frequency\`, \`model_member_frequency\` or \`name\`; ${PAGE_TAKES} Sought are symbols that begin with \`name\` and match every \`pattern\`.`,
    returns: `\`{first, next, previous, symbols, total}\`; a symbol is as GET symbol returns it. Names are sorted by code point, by their first 1,000 characters. ${PAGE_RETURNS}`,
    query: {
      ...pageQuery(["frequency", "model_member_frequency", "name"]),
      name: text("What the symbol begins with."),
      pattern: list(
        "Regular expressions as Python's `re` has them. Each must match the whole symbol. One, or the parameter several times.",
        text("A pattern."),
      ),
    },
    answer: envelope(ref("SymbolPage")),
    example: {
      request: { method: "GET", path: "/p46b6b076c/symbols?sort=name&direction=asc&limit=1" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          first: 0,
          next: "name:asc:after:2:bus",
          previous: null,
          symbols: [{ features: { frequency: 1, model_member_frequency: 1 }, name: "bus" }],
          total: 3,
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/vectors": {
    operationId: ["listVectors"],
    doc: [
      "A page of the learned vectors, newest first unless `sort` and `direction` say otherwise.",
      "@throws NoemaError 400 if something in the query is not accepted",
    ],
    takes: `None. In the query, \`sort\`: \`order\` of learning, \`frequency\` or \`name\`; ${PAGE_TAKES} Sought are vectors whose hash begins with \`name\`.`,
    returns: `\`{first, next, previous, total, vectors}\`; a vector is \`{features, hash, length, name, order}\`, and GET vector has its components. \`features\` are its counters as a symbol. ${PAGE_RETURNS}`,
    query: {
      ...pageQuery(["order", "frequency", "name"]),
      name: text("What the hash begins with, at most 40 hex digits, with `VECTOR|` or without."),
    },
    answer: envelope(ref("VectorPage")),
    example: {
      after: [
        { method: "POST", path: "/p46b6b076c/observe", body: { data: { vectors: [[3, 4]] } } },
        { method: "POST", path: "/p46b6b076c/learn" },
      ],
      request: { method: "GET", path: "/p46b6b076c/vectors" },
      response: {
        id: "p46b6b076c",
        interval: 4,
        message: {
          first: 0,
          next: null,
          previous: null,
          total: 1,
          vectors: [
            {
              features: { frequency: 1, model_member_frequency: 1 },
              hash: "33f9e6a09aa622f5e8a6e3338f1ce4e988a7f660",
              length: 5,
              name: "VECTOR|33f9e6a09aa622f5e8a6e3338f1ce4e988a7f660",
              order: 1,
            },
          ],
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
};
