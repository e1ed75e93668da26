/** Schemas of genes, but for the genes themselves, which scripts/openapi makes from the table of genes. */

import { closed, double, open, ref, type Schemas } from "./schema";

/** By name. */
export const geneSchemas: Schemas = {
  AllGenes: open("All genes.", { genes: ref("Genes") }),
  Increment: closed("How much to add.", {
    increment: double("What to add to the gene recall_threshold, which must stay from 0 to 1. May be negative.", {
      minimum: -1,
      maximum: 1,
    }),
  }),
};
