/** Schemas of lists: pages of models, symbols and vectors. */

import { double, either, list, open, ref, type Schemas, text, whole } from "./schema";

const NULL = { type: "null" } as const;

/** Where a page is in its list. */
const PLACE = {
  first: whole("How many rows of the search come before the page."),
  next: either("The cursor of the page that follows; null when there is none.", text("A cursor."), NULL),
  previous: either("The cursor of the page before; null when there is none.", text("A cursor."), NULL),
  total: whole("How many rows the search finds."),
};

/** By name. */
export const listSchemas: Schemas = {
  ListedModel: open("A model in a list. GET model has its emotives and metadata.", {
    frequency: whole("How often the model was learned.", 1),
    learned_at: either(
      "When it was learned last, in whole seconds since 1970; null when it was not noted.",
      { type: "integer", description: "Seconds since 1970." },
      NULL,
    ),
    length: whole("How many symbols the sequence has.", 1),
    name: ref("ModelHash"),
    order: whole("When it was learned first: smaller is older.", 1),
    sequence: ref("Sequence"),
  }),
  ListedVector: open("A learned vector in a list. GET vector has its components.", {
    features: open("Its counters as a symbol; 0 where no model holds it.", {
      frequency: whole("How often it occurs in learned models; a model learned again counts again."),
      model_member_frequency: whole("The same, but a model counts once however often it holds it."),
    }),
    hash: text("The SHA-1 of the components as 40 hex digits.", { pattern: "^[0-9a-f]{40}$" }),
    length: double("The Euclidean norm.", { minimum: 0 }),
    name: ref("VectorLabel"),
    order: whole("When it was learned: smaller is older.", 1),
  }),
  ModelPage: open("A page of models.", {
    ...PLACE,
    models: list("The models of the page, in the order asked for.", ref("ListedModel")),
  }),
  SymbolPage: open("A page of symbols.", {
    ...PLACE,
    symbols: list("The symbols of the page, in the order asked for.", ref("SymbolRecord")),
  }),
  VectorPage: open("A page of vectors.", {
    ...PLACE,
    vectors: list("The vectors of the page, in the order asked for.", ref("ListedVector")),
  }),
};
