/**
 * Who may do what, written by hand from the wire contract (§9) and not from the code: the roles of which a key must have one, by operation
 * and by call of the services. `any`: every key. The role admin may do everything.
 */

/** By method and path. */
export const OPERATIONS: { readonly [operation: string]: string } = {
  "GET /agent/ping": "any",
  "GET /gaius-api/ping": "any",
  "GET /connect": "any",
  "GET /<primitive_id>/connect": "any",
  "GET /<primitive_id>/ping": "any",

  "POST /<primitive_id>/observe": "observe",
  "POST /<primitive_id>/sequence-observe": "observe",
  "POST /<primitive_id>/working-memory/clear": "observe",
  "POST /<primitive_id>/set-target-class": "observe",
  "POST /<primitive_id>/clear-target-class": "observe",
  "GET /<primitive_id>/stream": "observe",

  "POST /<primitive_id>/learn": "learn",

  "POST /<primitive_id>/predictions": "read",
  "GET /<primitive_id>/prediction-ensemble-for-model/<model>": "read",
  "GET /metrics": "read",
  "GET /processors": "read",
  "GET /<primitive_id>/name": "read",
  "GET /<primitive_id>/info": "read",

  "GET /<primitive_id>/working-memory": "read observe",
  "GET /<primitive_id>/percept-data": "read observe",
  "GET /<primitive_id>/cognition-data": "read observe",
  "GET /<primitive_id>/status": "read observe",
  "GET /<primitive_id>/time": "read observe",

  "GET /<primitive_id>/sessions": "read manage",
  "GET /<primitive_id>/gene/<gene>": "read manage",
  "GET /<primitive_id>/all-genes": "read manage",
  "GET /<primitive_id>/encoders": "read manage",
  "GET /<primitive_id>/encoders/<encoder>": "read manage",
  "GET /<primitive_id>/model/<model>": "read manage",
  "POST /<primitive_id>/get-models-with-symbols": "read manage",
  "POST /<primitive_id>/get-models-with-patterns": "read manage",
  "GET /<primitive_id>/symbol/<symbol>": "read manage",
  "GET /<primitive_id>/vector": "read manage",
  "POST /<primitive_id>/vector": "read manage",
  "GET /<primitive_id>/list-blacklisted-symbols": "read manage",
  "GET /<primitive_id>/get_kb": "read manage",
  "GET /<primitive_id>/get_kb/raw": "read manage",

  "DELETE /<primitive_id>/sessions/<session>": "manage",
  "GET /<primitive_id>/alerts": "manage",
  "GET /<primitive_id>/alerts/<alert>": "manage",
  "PUT /<primitive_id>/alerts/<alert>": "manage",
  "DELETE /<primitive_id>/alerts/<alert>": "manage",
  "POST /<primitive_id>/alerts/<alert>/test": "manage",
  "POST /<primitive_id>/clear-all-memory": "manage",
  "POST /<primitive_id>/predicting/start": "manage",
  "POST /<primitive_id>/predicting/stop": "manage",
  "POST /<primitive_id>/autolearning/start": "manage",
  "POST /<primitive_id>/autolearning/stop": "manage",
  "POST /<primitive_id>/sleeping/start": "manage",
  "POST /<primitive_id>/sleeping/stop": "manage",
  "POST /<primitive_id>/gene/increment-recall-threshold": "manage",
  "POST /<primitive_id>/genes/change": "manage",
  "PUT /<primitive_id>/encoders/<encoder>": "manage",
  "DELETE /<primitive_id>/encoders/<encoder>": "manage",
  "PUT /<primitive_id>/add-model": "manage",
  "POST /<primitive_id>/forget": "manage",
  "PUT /<primitive_id>/model/<model>": "manage",
  "DELETE /<primitive_id>/model/<model>": "manage",
  "POST /<primitive_id>/symbols/remove": "manage",
  "DELETE /<primitive_id>/symbols/remove": "manage",
  "DELETE /<primitive_id>/patterns/remove": "manage",
  "POST /<primitive_id>/blacklisted-symbols/add": "manage",
  "DELETE /<primitive_id>/blacklisted-symbols/remove": "manage",
  "POST /<primitive_id>/load_kb": "manage",

  "POST /genome/hotswap": "admin",
  "POST /<primitive_id>/genome/hotswap": "admin",
  "POST /keys": "admin",
  "GET /keys": "admin",
  "DELETE /keys/<key>": "admin",
  "GET /backup": "admin",
  "POST /restore": "admin",

  // They say only that there is no such feature.
  "POST /<primitive_id>/snapshots/clear": "any",
  "POST /<primitive_id>/clusters/info": "any",
  "POST /<primitive_id>/clusters/switch": "any",
  "POST /<primitive_id>/hypotheses/set": "any",
  "POST /<primitive_id>/hypotheses/get": "any",
  "GET /<primitive_id>/succesor/<model>": "any",
};

/** The operations that are also served in sessions. */
export const IN_SESSIONS: readonly string[] = [
  "POST /<primitive_id>/observe",
  "POST /<primitive_id>/sequence-observe",
  "POST /<primitive_id>/learn",
  "POST /<primitive_id>/predictions",
  "GET /<primitive_id>/working-memory",
  "POST /<primitive_id>/working-memory/clear",
  "GET /<primitive_id>/percept-data",
  "GET /<primitive_id>/cognition-data",
  "GET /<primitive_id>/status",
  "GET /<primitive_id>/time",
  "POST /<primitive_id>/set-target-class",
  "POST /<primitive_id>/clear-target-class",
  "GET /<primitive_id>/stream",
];

/** By service and method. */
export const CALLS: { readonly [call: string]: string } = {
  "AgentService/GetGenome": "any",
  "InspectionService/Ping": "any",

  "MemoryService/Observe": "observe",
  "MemoryService/ObserveSequence": "observe",
  "MemoryService/ClearWorkingMemory": "observe",
  "ModeService/SetTargetClass": "observe",

  "MemoryService/Learn": "learn",

  "MemoryService/GetPredictions": "read",
  "KnowledgeService/GetPredictionsForModel": "read",
  "InspectionService/GetInfo": "read",
  "InspectionService/GetUsage": "read",

  "MemoryService/GetWorkingMemory": "read observe",
  "MemoryService/GetPercept": "read observe",
  "MemoryService/GetCognition": "read observe",
  "InspectionService/GetStatus": "read observe",

  "MemoryService/ListSessions": "read manage",
  "GeneService/GetGenes": "read manage",
  "EncoderService/GetEncoders": "read manage",
  "KnowledgeService/GetModel": "read manage",
  "KnowledgeService/FindModels": "read manage",
  "KnowledgeService/GetSymbol": "read manage",
  "KnowledgeService/GetVector": "read manage",
  "KnowledgeService/ListBlacklistedSymbols": "read manage",
  "KnowledgeService/ExportKnowledge": "read manage",

  "MemoryService/EndSession": "manage",
  "MemoryService/ClearAllMemory": "manage",
  "ModeService/SetPredicting": "manage",
  "ModeService/SetAutolearning": "manage",
  "ModeService/SetSleeping": "manage",
  "GeneService/IncrementRecallThreshold": "manage",
  "GeneService/ChangeGenes": "manage",
  "EncoderService/PutEncoder": "manage",
  "EncoderService/DeleteEncoder": "manage",
  "KnowledgeService/AddModel": "manage",
  "KnowledgeService/UpdateModel": "manage",
  "KnowledgeService/DeleteModel": "manage",
  "KnowledgeService/ForgetModels": "manage",
  "KnowledgeService/RemoveSymbols": "manage",
  "KnowledgeService/AddBlacklistedSymbols": "manage",
  "KnowledgeService/RemoveBlacklistedSymbols": "manage",
  "KnowledgeService/BeginLoad": "manage",
  "KnowledgeService/LoadKnowledge": "manage",
  "KnowledgeService/CommitLoad": "manage",
  "KnowledgeService/MergeLoad": "manage",
  "KnowledgeService/AbortLoad": "manage",

  "AgentService/Hotswap": "admin",
  "AgentService/PreviewHotswap": "admin",
};

/** The calls that are about one memory: the session stands in the header X-Session. */
export const CALLS_IN_SESSIONS: readonly string[] = [
  "InspectionService/GetStatus",
  "InspectionService/Ping",
  "MemoryService/ClearWorkingMemory",
  "MemoryService/GetCognition",
  "MemoryService/GetPercept",
  "MemoryService/GetPredictions",
  "MemoryService/GetWorkingMemory",
  "MemoryService/Learn",
  "MemoryService/Observe",
  "MemoryService/ObserveSequence",
  "ModeService/SetTargetClass",
];
