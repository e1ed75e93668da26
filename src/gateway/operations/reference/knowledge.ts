/** What docs/http.md says of the rows in ../knowledge.ts: models, symbols, vectors, the blacklist and the whole knowledge base. */

import type { Example, Reference } from "./entry";

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

/** By row. */
export const knowledgeReference: Reference = {
  "GET /:id/model/:model": {
    returns:
      "`{emotives, frequency, length, metadata, name, predecessor_model, sequence}`, or `{}`. `<model>` is the hash, with or without `MODEL|`.",
    example: {
      request: { method: "GET", path: "/p46b6b076c/model/dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          emotives: { joy: [0.5] },
          frequency: 1,
          length: 3,
          metadata: [{}, {}],
          name: "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
          predecessor_model: [],
          sequence: [["coffee", "morning"], ["bus"]],
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "DELETE /:id/model/:model": {
    returns: '`"deleted"`, or `"model-not-found"`.',
    example: {
      request: { method: "DELETE", path: "/p46b6b076c/model/dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e" },
      response: { id: "p46b6b076c", interval: 3, message: "deleted", status: "okay", time_stamp: 1795250628 },
    },
  },
  "PUT /:id/model/:model": {
    takes:
      '`{"model": {emotives?, frequency?, metadata?, sequence?}}`, also inside `data`, or the model alone. Members that are missing stay as they are.',
    returns: 'The model\'s hash as it is now, or `"failed-to-update-model"` if there is no such model.',
    example: {
      request: {
        method: "PUT",
        path: "/p46b6b076c/model/dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
        body: { model: { sequence: [["coffee"], ["bus"]] } },
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "78765ea549690e38eedc68c7377194ac9b8297d2",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "PUT /:id/add-model": {
    takes:
      '`{"sequence": [[symbol, ...], ...], vector?, frequency?, emotives?, metadata?}`, also inside `data`. `vector` is stored as a learned vector.',
    returns: "`{name: hash}`.",
    example: {
      request: {
        method: "PUT",
        path: "/p46b6b076c/add-model",
        body: { sequence: [["tea"], ["train"]], frequency: 2, emotives: { joy: [0.25, 0.75] } },
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { name: "d6139421d8d06e214d15781108601f8e69e5ae49" },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/get-models-with-symbols": {
    takes: '`{"data": [symbol, ...]}`, or the list alone.',
    returns: "`{model_list: [hash, ...]}`.",
    example: {
      request: { method: "POST", path: "/p46b6b076c/get-models-with-symbols", body: { data: ["coffee", "bus"] } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { model_list: ["dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e"] },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/get-models-with-patterns": {
    takes: '`{"data": [pattern, ...]}`, or the list alone. Patterns are regular expressions as Python writes them.',
    returns: "`{model_list: [hash, ...]}`.",
    example: {
      request: { method: "POST", path: "/p46b6b076c/get-models-with-patterns", body: { data: ["b.s", "cof+ee"] } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { model_list: ["dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e"] },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/prediction-ensemble-for-model/:model": {
    returns: "A list of predictions, as POST predictions returns it; empty if there is no such model.",
    example: {
      request: {
        method: "GET",
        path: "/p46b6b076c/prediction-ensemble-for-model/dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: [
          {
            confidence: 1,
            confluence: 0.962962962962963,
            emotives: { joy: 0.5 },
            entropy: 1.584962500721156,
            evidence: 1,
            extras: [],
            fragmentation: 0,
            frequency: 1,
            future: [],
            grand_hamiltonian: 1,
            hamiltonian: 1,
            itfdf_similarity: 1,
            matches: ["coffee", "morning", "bus"],
            missing: [],
            name: "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
            past: [],
            potential: 4,
            present: [["coffee", "morning"], ["bus"]],
            similarity: 1,
            snr: 1,
            type: "prototypical",
          },
        ],
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/symbol/:symbol+": {
    returns:
      "`{features: {frequency, model_member_frequency}, name}`, or `null`. `frequency` counts every occurrence in learned models, `model_member_frequency` each model once. The symbol is the rest of the path and may hold slashes.",
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
    takes: '`{"data": "VECTOR|<hash>"}`, or the string alone, or the query `?data=VECTOR%7C<hash>`.',
    returns:
      '`{hash, length, name, vector}`; `length` is the Euclidean norm. An unknown vector is answered with HTTP 200, `status` `"failed"` and `time_stamp` -1.',
    example: {
      ...vectorExample,
      request: { method: "GET", path: "/p46b6b076c/vector?data=VECTOR%7C33f9e6a09aa622f5e8a6e3338f1ce4e988a7f660" },
    },
  },
  "POST /:id/vector": {
    takes: "As GET vector.",
    returns: "As GET vector.",
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
    takes: '`{"data": [symbol, ...]}`, or the list alone.',
    returns: '`{models: {old hash: new hash or "deleted"}}`, or `{}` if no model changed.',
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
    takes: '`{"data": [pattern, ...]}`, or the list alone.',
    returns: "As symbols/remove.",
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
    takes: '`{"data": [symbol, ...]}`, or the list alone.',
    returns: '`"added-blacklisted-symbols"`',
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
    returns: "A list of strings.",
    example: {
      after: [{ method: "POST", path: "/p46b6b076c/blacklisted-symbols/add", body: { data: ["noise", "hum"] } }],
      request: { method: "GET", path: "/p46b6b076c/list-blacklisted-symbols" },
      response: { id: "p46b6b076c", interval: 3, message: ["noise", "hum"], status: "okay", time_stamp: 1795250628 },
    },
  },
  "DELETE /:id/blacklisted-symbols/remove": {
    takes: '`{"data": [symbol, ...]}`, or the list alone.',
    returns:
      '`"removed-blacklisted-symbols"`, or `"failed-to-remove-some-symbols-from-blacklist"` if some were not on it; the others are removed all the same.',
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
    takes: 'None, or `{"data": {"lines": true}}` for a list of records, each with `kind` and `node`.',
    returns: "`{metadata, models_kb, symbols_kb, vectors_kb}`, keys sorted.",
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
    returns: "No envelope: the knowledge base alone.",
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
    takes:
      '`{"data": KB}`, `{"data": [record, ...]}`, or either alone, as get_kb returns them. Counters that are missing or wrong are computed again.',
    returns: '`"success"`',
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
