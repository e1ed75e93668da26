/**
 * The state of the entered tenant. Many tenants share one memory: each has its models and vectors in blocks of its own,
 * and these few bytes that find them. They stay at one address, so a query reads them as fast as if there were no other
 * tenant; while another tenant is entered, they wait in a block ({@link ../tenants/tenants}). State used within one
 * call is not here: all tenants share it.
 */

import { HEADER_BYTES } from "./header";

/** The counters of a tenant. */
@unmanaged
class Tenant {
  /** Symbols of all live models. */
  liveSymbols: f64;
  /** Bytes of all blocks that the tenant holds. */
  held: usize;
  live: u32;
  /** Number of slots of removed models. */
  dead: u32;
  /** Symbols of the longest model, of the shortest model and of the shortest event, including removed models. */
  longest: u32;
  shortest: u32;
  shortestEvent: u32;
  /** The width of the open segment's symbols, as a shift. */
  openSymbolShift: u32;
  /** Components of each vector; 0 when there is none. */
  dimensions: u32;
}

const COUNTERS_BYTES: i32 = (offsetof<Tenant>() + 7) & ~7;
const BUFFERS: i32 = 14;

/** Bytes of the state. */
export const TENANT_BYTES: i32 = COUNTERS_BYTES + BUFFERS * HEADER_BYTES;
/** Address of the state. */
export const tenantState: usize = memory.data(TENANT_BYTES, 16);

/** The counters. */
export const tenant: Tenant = changetype<Tenant>(tenantState);

const headers: usize = tenantState + COUNTERS_BYTES;

/** The buffers' headers. First the descriptors of the segments. */
export const SEGMENTS: usize = headers;
/** The columns of the open segment. */
export const OPEN_IDS: usize = headers + HEADER_BYTES;
export const OPEN_FREQUENCIES: usize = headers + 2 * HEADER_BYTES;
export const OPEN_SYMBOL_STARTS: usize = headers + 3 * HEADER_BYTES;
export const OPEN_SYMBOLS: usize = headers + 4 * HEADER_BYTES;
export const OPEN_EVENT_STARTS: usize = headers + 5 * HEADER_BYTES;
export const OPEN_EVENTS: usize = headers + 6 * HEADER_BYTES;
/** For each symbol: the head of its postings, its frequency, its class in the query, and its count. */
export const POSTING_HEADS: usize = headers + 7 * HEADER_BYTES;
export const SYMBOL_FREQUENCIES: usize = headers + 8 * HEADER_BYTES;
export const SYMBOL_CLASSES: usize = headers + 9 * HEADER_BYTES;
export const SYMBOL_COUNTS: usize = headers + 10 * HEADER_BYTES;
/** The sealed pages of vectors, and the open one. */
export const VECTOR_PAGES: usize = headers + 11 * HEADER_BYTES;
export const OPEN_VECTORS: usize = headers + 12 * HEADER_BYTES;
/** The descriptors of the segments that are being packed; empty between calls. */
export const OLD_SEGMENTS: usize = headers + 13 * HEADER_BYTES;

/** Whether a buffer's header belongs to the tenant; all others are scratch. */
export function isOfTenant(header: usize): bool {
  return header >= headers && header < tenantState + TENANT_BYTES;
}
