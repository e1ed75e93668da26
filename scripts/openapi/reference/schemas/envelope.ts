/** Schemas of what all answers share. */

import { choice, open, type Schemas, text, whole, word } from "./schema";

/** By name. */
export const envelopeSchemas: Schemas = {
  Envelope: open("What nearly every answer has around its message.", {
    id: text("The identifier of the processor; `agent` where the agent itself answers."),
    interval: whole(
      "The processor's time: how many observations it has taken since its memory was last cleared whole.",
    ),
    message: { description: "The result. Each operation says what it is." },
    status: choice(["okay", "failed"], "Whether the operation did what was asked."),
    time_stamp: whole("When the answer was made, in whole seconds since 1970; -1 in some failures.", -1),
    "detail?": text(
      "A sentence about an answer with status `okay`: which members of the body were ignored, or why no gene was changed.",
    ),
  }),
  Failure: open("The answer to a request that failed.", {
    id: text("The first segment of the path, or the identifier of the processor."),
    interval: whole("The processor's time; 0 when no processor was asked."),
    message: text("A sentence: what was wrong, and what is accepted."),
    status: word("failed", "Always `failed`."),
    time_stamp: whole("When the answer was made, in whole seconds since 1970; -1 in some failures.", -1),
  }),
  FaultyGenes: word(
    "faulty-genes-provided",
    "A name or a value was not accepted, and nothing has changed; `detail` says why.",
  ),
  Nothing: { type: "object", description: "An empty object: there is nothing to show.", maxProperties: 0 },
};
