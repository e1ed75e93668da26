/** The question being answered, as the host wrote it. */

/** Where the query is; the QUERY_ offsets say what is in it. */
export const query: usize = memory.data(72, 8);
