/** What `noema/client` exports: functions, one for each operation, so that a bundle holds only what is used. */

export {
  type ConnectionOptions,
  getConnection,
  getInfo,
  getName,
  getStatus,
  getTime,
  type HotswapOptions,
  hotswapGenome,
  ping,
  pingAgent,
} from "./agent";
export { deleteAlert, getAlert, listAlerts, setAlert, testAlert } from "./alerts";
export { type BackupOptions, type BackupSource, backup, restore } from "./backup";
export { deleteEncoder, getEncoder, listEncoders, putEncoder } from "./encoders";
export { MOST_FORECAST_SYMBOLS, MOST_HORIZON } from "./gen/limits";
export type * as Schemas from "./gen/operations";
export { ROLES } from "./gen/roles";
export { createKey, deleteKey, listKeys } from "./keys";
export {
  exportKnowledgeBase,
  getKnowledgeBase,
  type KnowledgeSource,
  type LoadOptions,
  loadKnowledgeBase,
  type OrderOptions,
  type ProgressOptions,
} from "./knowledge-base";
export {
  listModels,
  listSymbols,
  listVectors,
  type ModelListQuery,
  type PageQuery,
  type SymbolListQuery,
  type VectorListQuery,
} from "./lists";
export {
  clearAllMemory,
  clearWorkingMemory,
  countMatchingModels,
  endSession,
  explainForecast,
  explainPrediction,
  explainSurprise,
  type ForecastExplanationQuery,
  type ForecastQuery,
  getCognition,
  getForecast,
  getPercept,
  getPredictions,
  getWorkingMemory,
  learn,
  listSessions,
  type ObservedRecords,
  type ObserveOptions,
  observe,
  observeSequence,
  type PredictionExplanationQuery,
  type PredictionQuery,
  type SessionQuery,
  type SurpriseExplanationQuery,
} from "./memory";
export {
  changeGenes,
  clearTargetClass,
  getAllGenes,
  getGene,
  incrementRecallThreshold,
  setTargetClass,
  startAutolearning,
  startPredicting,
  startSleeping,
  stopAutolearning,
  stopPredicting,
  stopSleeping,
} from "./mode";
export {
  addModel,
  deleteModel,
  findModelsWithPatterns,
  findModelsWithSymbols,
  forgetModels,
  getModel,
  getPredictionsForModel,
  updateModel,
} from "./models";
export type { FrameForecast, FrameOptions, FramePredictions, StreamAnswer } from "./stream/frame";
export type { StreamEvent } from "./stream/link";
export { type Stream, type StreamOptions, stream } from "./stream/stream";
export {
  addBlacklistedSymbols,
  getSymbol,
  getVector,
  listBlacklistedSymbols,
  type Renamed,
  removeBlacklistedSymbols,
  removePatterns,
  removeSymbols,
} from "./symbols";
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
export { getHealth, getLinks, getMetrics, getProcessors, getRecentRequests } from "./watching";
