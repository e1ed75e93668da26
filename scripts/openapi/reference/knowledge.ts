/** What the documents say of the other rows in src/gateway/operations/knowledge.ts: symbols, vectors, the blacklist and the whole knowledge base. */

import type { Example, Reference } from "./entry";
import { choice, closed, either, envelope, inData, list, ref, text, word } from "./schemas/schema";

/** The query of the operations that return a knowledge base. */
const ORDER_QUERY = {
  order: choice(
    ["true", "false"],
    "Whether models and vectors carry their order, and the metadata what past forecasts tell. With it, load_kb keeps every tie and every forecast. false if absent.",
  ),
};

/** The example of both operations that return a vector, without its request. */
const vectorExample: Omit<Example, "request"> = {
  after: [
    { method: "POST", path: "/p46b6b076c/observe", body: { data: { vectors: [[3, 4]] } } },
    { method: "POST", path: "/p46b6b076c/learn" },
  ],
  response: {
    id: "p46b6b076c",
    interval: 4,
    message: {
      hash: "33f9e6a09aa622f5e8a6e3338f1ce4e988a7f660",
      length: 5,
      name: "VECTOR|33f9e6a09aa622f5e8a6e3338f1ce4e988a7f660",
      vector: [3, 4],
    },
    status: "okay",
    time_stamp: 1795250628,
  },
};

/** The body of both operations that return a vector. */
const vectorRequest = either(
  "The name of the vector inside `data`, or by itself.",
  closed("The name inside `data`.", {
    data: text("The name of the vector, with `VECTOR|` or without."),
    "unique_id?": { description: "The original agent's client may send it; it has no effect." },
  }),
  text("The name of the vector, with `VECTOR|` or without."),
);

/** Their query. */
const vectorQuery = { data: text("The name of the vector, for clients that cannot send a body.") };

/** By row. */
export const knowledgeReference: Reference = {
  "GET /:id/symbol/:symbol+": {
    operationId: ["getSymbol"],
    doc: [
      "A symbol with its counters, or `null` if the symbol is unknown.",
      "@throws TypeError if the symbol is empty, `.` or `..`: no path can carry these",
    ],
    returns:
      "`{features: {frequency, model_member_frequency}, name}`, or `null`. `frequency` counts every occurrence in learned models, `model_member_frequency` each model once. The symbol is the rest of the path and may hold slashes.",
    answer: envelope(either("The symbol, or null if it is unknown.", ref("SymbolRecord"), { type: "null" })),
    example: {
      request: { method: "GET", path: "/p46b6b076c/symbol/coffee" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { features: { frequency: 1, model_member_frequency: 1 }, name: "coffee" },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/vector": {
    operationId: ["getVector"],
    doc: [
      "A learned vector.",
      "@param vector its name, `VECTOR|<hash>`",
      "@throws NoemaError if there is none of this name",
    ],
    takes: '`{"data": "VECTOR|<hash>"}`, or the string alone, or the query `?data=VECTOR%7C<hash>`.',
    returns:
      '`{hash, length, name, vector}`; `length` is the Euclidean norm. An unknown vector is answered with HTTP 200, `status` `"failed"` and `time_stamp` -1.',
    request: vectorRequest,
    isRequestOptional: true,
    query: vectorQuery,
    answer: either("The vector, or that there is none of this name.", envelope(ref("VectorRecord")), ref("Failure")),
    example: {
      ...vectorExample,
      request: { method: "GET", path: "/p46b6b076c/vector?data=VECTOR%7C33f9e6a09aa622f5e8a6e3338f1ce4e988a7f660" },
    },
  },
  "POST /:id/vector": {
    operationId: ["readVector"],
    takes: "As GET vector.",
    returns: "As GET vector.",
    request: vectorRequest,
    isRequestOptional: true,
    query: vectorQuery,
    answer: either("The vector, or that there is none of this name.", envelope(ref("VectorRecord")), ref("Failure")),
    example: {
      ...vectorExample,
      request: {
        method: "POST",
        path: "/p46b6b076c/vector",
        body: { data: "VECTOR|33f9e6a09aa622f5e8a6e3338f1ce4e988a7f660" },
      },
    },
  },
  "DELETE, POST /:id/symbols/remove": {
    operationId: ["removeSymbolsByDelete", "removeSymbols"],
    takes: '`{"data": [symbol, ...]}`, or the list alone.',
    returns: '`{models: {old hash: new hash or "deleted"}}`, or `{}` if no model changed.',
    request: inData(list("Symbols.", ref("Symbol"))),
    answer: envelope(ref("ChangedModels")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/symbols/remove", body: { data: ["coffee"] } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { models: { dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e: "fb4255800a05af52aa9df190b4fcd5d4761998f3" } },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "DELETE /:id/patterns/remove": {
    operationId: ["removePatterns"],
    takes: '`{"data": [pattern, ...]}`, or the list alone.',
    returns: "As symbols/remove.",
    request: inData(
      list(
        "Patterns: regular expressions as Python's `re` has them. Each must match a whole symbol.",
        text("A pattern."),
      ),
    ),
    answer: envelope(ref("ChangedModels")),
    example: {
      request: { method: "DELETE", path: "/p46b6b076c/patterns/remove", body: { data: ["b.*"] } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { models: { dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e: "43ed8440281b994f4744214f39d4a7ef19dd11c5" } },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/blacklisted-symbols/add": {
    operationId: ["addBlacklistedSymbols"],
    doc: ["Blacklists symbols, at most 100,000: later observations drop them."],
    takes: '`{"data": [symbol, ...]}`, or the list alone.',
    returns: '`"added-blacklisted-symbols"`',
    request: inData(list("Symbols.", ref("Symbol"))),
    answer: envelope(word("added-blacklisted-symbols", "All of them are on the blacklist.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/blacklisted-symbols/add", body: { data: ["noise"] } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "added-blacklisted-symbols",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/list-blacklisted-symbols": {
    operationId: ["listBlacklistedSymbols"],
    doc: ["The blacklisted symbols in the order in which they were added."],
    returns: "A list of strings.",
    answer: envelope(list("The symbols, in the order in which they were added.", ref("Symbol"))),
    example: {
      after: [{ method: "POST", path: "/p46b6b076c/blacklisted-symbols/add", body: { data: ["noise", "hum"] } }],
      request: { method: "GET", path: "/p46b6b076c/list-blacklisted-symbols" },
      response: { id: "p46b6b076c", interval: 3, message: ["noise", "hum"], status: "okay", time_stamp: 1795250628 },
    },
  },
  "DELETE /:id/blacklisted-symbols/remove": {
    operationId: ["removeBlacklistedSymbols"],
    doc: [
      "Takes symbols off the blacklist. The answer says whether some were not on it; the others are removed all the same.",
    ],
    takes: '`{"data": [symbol, ...]}`, or the list alone.',
    returns:
      '`"removed-blacklisted-symbols"`, or `"failed-to-remove-some-symbols-from-blacklist"` if some were not on it; the others are removed all the same.',
    request: inData(list("Symbols.", ref("Symbol"))),
    answer: envelope(
      choice(
        ["removed-blacklisted-symbols", "failed-to-remove-some-symbols-from-blacklist"],
        "Whether all of them were on the blacklist.",
      ),
    ),
    example: {
      after: [{ method: "POST", path: "/p46b6b076c/blacklisted-symbols/add", body: { data: ["noise"] } }],
      request: { method: "DELETE", path: "/p46b6b076c/blacklisted-symbols/remove", body: { data: ["noise"] } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "removed-blacklisted-symbols",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/get_kb": {
    operationId: ["getKnowledgeBase"],
    query: ORDER_QUERY,
    takes: 'None, or `{"data": {"lines": true}}` for a list of records, each with `kind` and `node`.',
    returns: "`{metadata, models_kb, symbols_kb, vectors_kb}`, keys sorted.",
    request: inData(ref("AskKnowledgeBase")),
    isRequestOptional: true,
    answer: envelope(
      either(
        "The knowledge base, whole or as a list of records.",
        ref("KnowledgeBase"),
        list("The records.", ref("KnowledgeLine")),
      ),
    ),
    failures: [409],
    example: {
      request: { method: "GET", path: "/p46b6b076c/get_kb" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          metadata: { total_model_frequencies: 1, total_symbol_frequencies: 3, total_symbols_in_models_frequencies: 3 },
          models_kb: {
            dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e: {
              emotives: { joy: [0.5] },
              frequency: 1,
              length: 3,
              metadata: [{}, {}],
              name: "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
              sequence: [["coffee", "morning"], ["bus"]],
            },
          },
          symbols_kb: {
            bus: { features: { frequency: 1, model_member_frequency: 1 }, name: "bus" },
            coffee: { features: { frequency: 1, model_member_frequency: 1 }, name: "coffee" },
            morning: { features: { frequency: 1, model_member_frequency: 1 }, name: "morning" },
          },
          vectors_kb: {},
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/get_kb/raw": {
    operationId: ["exportKnowledgeBase"],
    query: ORDER_QUERY,
    returns: "No envelope: the knowledge base alone.",
    answer: ref("KnowledgeBase"),
    failures: [409],
    example: {
      request: { method: "GET", path: "/p46b6b076c/get_kb/raw" },
      response: {
        metadata: { total_model_frequencies: 1, total_symbol_frequencies: 3, total_symbols_in_models_frequencies: 3 },
        models_kb: {
          dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e: {
            emotives: { joy: [0.5] },
            frequency: 1,
            length: 3,
            metadata: [{}, {}],
            name: "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
            sequence: [["coffee", "morning"], ["bus"]],
          },
        },
        symbols_kb: {
          bus: { features: { frequency: 1, model_member_frequency: 1 }, name: "bus" },
          coffee: { features: { frequency: 1, model_member_frequency: 1 }, name: "coffee" },
          morning: { features: { frequency: 1, model_member_frequency: 1 }, name: "morning" },
        },
        vectors_kb: {},
      },
    },
  },
  "POST /:id/load_kb": {
    operationId: ["loadKnowledgeBase"],
    query: {
      mode: choice(
        ["replace", "merge"],
        "replace: the file replaces the knowledge base. merge: it is added; a known model adds its frequency and appends its emotives, others are new. replace if absent.",
      ),
    },
    takes:
      '`{"data": KB}`, `{"data": [record, ...]}`, or either alone, as get_kb returns them. Counters that are missing or wrong are computed again. Where models and vectors carry an order, it says their age; otherwise the order of the file does. `metadata.forecast_record` says how much forecasts weigh each rule: a load takes it over, a merge merges it; other metadata is ignored.',
    returns: '`"success"`',
    request: either(
      "A knowledge base inside `data`, or by itself; whole, or as a list of records.",
      closed("The knowledge base inside `data`.", {
        data: either(
          "Whole, or as a list of records.",
          ref("KnowledgeBaseToLoad"),
          list("The records.", ref("LineToLoad")),
        ),
      }),
      {
        allOf: [ref("KnowledgeBaseToLoad")],
        not: { properties: { data: {} }, required: ["data"] },
      },
      list("The records.", ref("LineToLoad")),
    ),
    answer: envelope(word("success", "The knowledge base is replaced, or merged.")),
    failures: [409],
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/load_kb",
        body: {
          models_kb: {
            d6139421d8d06e214d15781108601f8e69e5ae49: {
              sequence: [["tea"], ["train"]],
              frequency: 2,
              emotives: {},
              metadata: [{}, {}],
            },
          },
          symbols_kb: {},
          vectors_kb: {},
        },
      },
      response: { id: "p46b6b076c", interval: 3, message: "success", status: "okay", time_stamp: 1795250628 },
    },
  },
};
