/** What the address of a request says besides which operation it is for. */

/** The named segments of a path, percent-decoded. */
export type Params = { readonly [name: string]: string | undefined };

/** The query's members; a list for one that occurs twice. */
export type Query = { readonly [name: string]: string | string[] | undefined };

/** What the address of a request says. */
export interface Address {
  readonly params: Params;
  readonly query: Query;
}
