// Written by `npm run generate` from proto/noema/v1/prediction.proto.

/** The metrics that are members of a prediction, in the order of the kernel's codes. */
export const MEMBER_METRICS = ["confidence","confluence","entropy","evidence","fragmentation","grand_hamiltonian","hamiltonian","itfdf_similarity","potential","similarity","snr"] as const;
