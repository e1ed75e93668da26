// Written by `npm run generate` from proto/noema/v1/prediction.proto.

/** Metric codes. */
export const CONFIDENCE: u32 = 0;
export const CONFLUENCE: u32 = 1;
export const ENTROPY: u32 = 2;
export const EVIDENCE: u32 = 3;
export const FRAGMENTATION: u32 = 4;
export const GRAND_HAMILTONIAN: u32 = 5;
export const HAMILTONIAN: u32 = 6;
export const ITFDF_SIMILARITY: u32 = 7;
export const POTENTIAL: u32 = 8;
export const SIMILARITY: u32 = 9;
export const SNR: u32 = 10;
/** Number of metrics that are members of a prediction. */
export const MEMBER_METRICS: u32 = 11;
