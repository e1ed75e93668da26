/** What the reference says of the rows in src/gateway/operations/backup.ts: whole agents as lines. */

import type { Reference } from "./entry";
import { envelope, list, open, text, whole } from "./schemas/schema";

/** A backup of the processor P1, which has observed two records and knows one model. */
const FILE = `${[
  '{"check":"ad74d46b1a18e3c0","backup":{"version":1,"created_at":1795250628,"processor":"p46b6b076c"}}',
  '{"check":"9c79c06e9ab4ab73","processor":{"id":"p46b6b076c","name":"P1","predict":true,"vector_dimensionality":-1,"next_order":2}}',
  '{"check":"896690a3c8e71e6b","memory":{"time":2,"age_ms":60000,"last_observed":1795250620}}',
  '{"check":"7ad847e82c4b6205","model":{"name":"7d0678ba6305341ce0d25133ab086208656a562f","sequence":[{"symbols":["hello"]},{"symbols":["world"]}],"frequency":1,"metadata_json":["{}","{}"],"order":1}}',
  '{"check":"f0c886da89c428a7","end":{"lines":4,"processors":1,"memories":1,"models":1,"sha256":"c839832c642b1050c92b15579252f0cb6ffe5337ce0b5e70ac9cb2f02847d085"}}',
].join("\n")}\n`;

const FILE_SCHEMA = "Lines of JSON objects, each with its check. docs/backup.md says what they hold.";

const processorQuery = {
  processor: text("The id or name of a processor: the backup has it alone, or the restore replaces it alone.", {
    minLength: 1,
  }),
};

const IDS = text("The identifier of a processor.");

/** By row. */
export const backupReference: Reference = {
  "GET /backup": {
    operationId: ["backup"],
    query: processorQuery,
    returns:
      "No envelope: [lines of JSON](backup.md), each object with a check, the last with counts and the SHA-256 of all before.",
    answer: text(FILE_SCHEMA),
    example: { request: { method: "GET", path: "/backup?processor=p46b6b076c" }, response: FILE },
  },
  "POST /restore": {
    operationId: ["restore"],
    query: processorQuery,
    takes:
      "A [backup](backup.md) as it was streamed, gzipped or not. Whatever is missing, moved or altered is refused with the number of its line.",
    request: text(FILE_SCHEMA),
    requestType: "application/x-ndjson",
    returns:
      "How many lines, memories, models and vectors there were; the processors of the agent, and those that are out of service now.",
    answer: envelope(
      open("What was restored.", {
        lines: whole("How many lines the backup has, without the last."),
        memories: whole("How many memories: of processors and of sessions."),
        models: whole("How many models."),
        processors: list("The processors that the agent has now, or the one that was replaced.", IDS),
        retired: list("The processors that the agent had and the backup has not. Their data is kept.", IDS),
        vectors: whole("How many vectors."),
      }),
    ),
    failures: [409],
    example: {
      request: { method: "POST", path: "/restore?processor=p46b6b076c", body: FILE },
      response: {
        id: "agent",
        interval: 0,
        message: { lines: 4, memories: 1, models: 1, processors: ["p46b6b076c"], retired: [], vectors: 0 },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
};
