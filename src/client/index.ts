/**
 * What `noema/client` exports: functions, one for each operation, so that a bundle holds only what is used. Files of
 * operations export only what is meant for programs.
 */

export * from "./agent";
export * from "./backup";
export * from "./gen/calls";
export * from "./gen/limits";
export type * as Schemas from "./gen/operations";
export { ROLES } from "./gen/roles";
export * from "./genes";
export {
  exportKnowledgeBase,
  getKnowledgeBase,
  type KnowledgeSource,
  type LoadOptions,
  loadKnowledgeBase,
  type OrderOptions,
  type ProgressOptions,
} from "./knowledge-base";
export * from "./memory";
export * from "./models";
export * from "./queries";
export type { FrameForecast, FrameOptions, FramePredictions, StreamAnswer } from "./stream/frame";
export type { StreamEvent } from "./stream/link";
export { type Stream, type StreamOptions, stream } from "./stream/stream";
export type { Progress } from "./transport/byte-stream";
export {
  type Connection,
  connect,
  type Fetch,
  type Memory,
  type Noema,
  type Processor,
  processor,
  type Session,
  session,
} from "./transport/connection";
export type { CallOptions, WriteOptions } from "./transport/exchange";
export { NoemaError } from "./transport/noema-error";
export * from "./watching";
