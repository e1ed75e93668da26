// Written by `npm run generate` from proto/. Edit the messages there.

import type * as bounds from "./noema/v1/bounds_pb";
import type * as agent_service from "./noema/v1/agent_service_pb";
import type * as alert from "./noema/v1/alert_pb";
import type * as stamp from "./noema/v1/stamp_pb";
import type * as alert_service from "./noema/v1/alert_service_pb";
import type * as forecast from "./noema/v1/forecast_pb";
import type * as gdf from "./noema/v1/gdf_pb";
import type * as gene from "./noema/v1/gene_pb";
import type * as incident from "./noema/v1/incident_pb";
import type * as model from "./noema/v1/model_pb";
import type * as route_service from "./noema/v1/route_service_pb";
import type * as backup from "./noema/v1/backup_pb";
import type * as provisioning_service from "./noema/v1/provisioning_service_pb";
import type * as backup_service from "./noema/v1/backup_service_pb";
import type * as encoder_service from "./noema/v1/encoder_service_pb";
import type * as prediction from "./noema/v1/prediction_pb";
import type * as explanation from "./noema/v1/explanation_pb";
import type * as memory_service from "./noema/v1/memory_service_pb";
import type * as frame from "./noema/v1/frame_pb";
import type * as gene_service from "./noema/v1/gene_service_pb";
import type * as health_service from "./noema/v1/health_service_pb";
import type * as incident_service from "./noema/v1/incident_service_pb";
import type * as status from "./noema/v1/status_pb";
import type * as inspection_service from "./noema/v1/inspection_service_pb";
import type * as key_service from "./noema/v1/key_service_pb";
import type * as knowledge_service from "./noema/v1/knowledge_service_pb";
import type * as memory_full from "./noema/v1/memory_full_pb";
import type * as mode_service from "./noema/v1/mode_service_pb";
import type * as over_limit from "./noema/v1/over_limit_pb";
import type * as processor_unavailable from "./noema/v1/processor_unavailable_pb";
import type * as publication_service from "./noema/v1/publication_service_pb";

/** A message without what Protobuf adds to it, and so are the messages within. An absent member may be undefined. */
type Plain<T> = T extends Uint8Array
  ? T
  : T extends (infer Element)[]
    ? Plain<Element>[]
    : T extends object
      ? { [Key in keyof T as Key extends "$typeName" | "$unknown" ? never : Key]: Member<T, Key> }
      : T;

type Member<T, Key extends keyof T> = {} extends Pick<T, Key> ? Plain<T[Key]> | undefined : Plain<T[Key]>;

/**
 * What a field may hold, beyond its type. The gateway and the processor check requests by it, and the OpenAPI document
 * is made from it.
 */
export type Bounds = Plain<bounds.Bounds>;

/**
 * Asks for the genome.
 */
export type GetGenomeRequest = Plain<agent_service.GetGenomeRequest>;

/**
 * The genome.
 */
export type GetGenomeResponse = Plain<agent_service.GetGenomeResponse>;

/**
 * Asks to replace the genome.
 */
export type HotswapRequest = Plain<agent_service.HotswapRequest>;

/**
 * The genome is in place.
 */
export type HotswapResponse = Plain<agent_service.HotswapResponse>;

/**
 * Asks what a hotswap would do.
 */
export type PreviewHotswapRequest = Plain<agent_service.PreviewHotswapRequest>;

/**
 * What the hotswap would do.
 */
export type PreviewHotswapResponse = Plain<agent_service.PreviewHotswapResponse>;

/**
 * What a hotswap does to the processors of an agent. Each is in one of added, kept, renamed and retired, in the order
 * of its genome.
 */
export type GenomeChange = Plain<agent_service.GenomeChange>;

/**
 * Where a new processor is placed. It stays there.
 */
export type ProcessorPlace = Plain<agent_service.ProcessorPlace>;

/**
 * A processor under another name.
 */
export type ProcessorRename = Plain<agent_service.ProcessorRename>;

/**
 * When an alert fires.
 */
export type AlertCondition = Plain<alert.AlertCondition>;

/**
 * A threshold that follows what is observed, so that about a given number of events a day exceed it.
 */
export type DailyCondition = Plain<alert.DailyCondition>;

/**
 * The probability of a symbol above which an alert fires.
 */
export type ForecastCondition = Plain<alert.ForecastCondition>;

/**
 * Who answered, and when in the processor's own time. Part of every answer, and attached as a detail to every failure
 * that a processor reports.
 */
export type Stamp = Plain<stamp.Stamp>;

/**
 * How the last attempt to deliver ended.
 */
export type LastDelivery = Plain<alert_service.LastDelivery>;

/**
 * An alert, as clients see it.
 */
export type Alert = Plain<alert_service.Alert>;

/**
 * Asks for alerts.
 */
export type GetAlertsRequest = Plain<alert_service.GetAlertsRequest>;

/**
 * The alerts.
 */
export type GetAlertsResponse = Plain<alert_service.GetAlertsResponse>;

/**
 * Asks to set an alert.
 */
export type PutAlertRequest = Plain<alert_service.PutAlertRequest>;

/**
 * The alert is set.
 */
export type PutAlertResponse = Plain<alert_service.PutAlertResponse>;

/**
 * Asks to remove an alert.
 */
export type DeleteAlertRequest = Plain<alert_service.DeleteAlertRequest>;

/**
 * There is no such alert.
 */
export type DeleteAlertResponse = Plain<alert_service.DeleteAlertResponse>;

/**
 * Asks for a delivery.
 */
export type TestAlertRequest = Plain<alert_service.TestAlertRequest>;

/**
 * The delivery is queued.
 */
export type TestAlertResponse = Plain<alert_service.TestAlertResponse>;

/**
 * What comes next, and how likely it is.
 */
export type Forecast = Plain<forecast.Forecast>;

/**
 * One of the next events.
 */
export type ForecastStep = Plain<forecast.ForecastStep>;

/**
 * Quantiles, in seconds.
 */
export type ForecastWhen = Plain<forecast.ForecastWhen>;

/**
 * A symbol that may come.
 */
export type ForecastSymbol = Plain<forecast.ForecastSymbol>;

/**
 * How unexpected an event was, by the forecast just before it.
 */
export type Surprise = Plain<forecast.Surprise>;

/**
 * A symbol that was expected.
 */
export type ExpectedSymbol = Plain<forecast.ExpectedSymbol>;

/**
 * What past forecasts tell: which rules to trust, and how often first symbols came.
 */
export type ForecastRecord = Plain<forecast.ForecastRecord>;

/**
 * What past forecasts of one part tell; docs/forecast.md says what each number is.
 */
export type ForecastCounts = Plain<forecast.ForecastCounts>;

/**
 * How unusual a whole sequence is, and why. docs/sequences.md has the rule.
 */
export type SequenceSurprise = Plain<forecast.SequenceSurprise>;

/**
 * The end of a sequence.
 */
export type SequenceEnd = Plain<forecast.SequenceEnd>;

/**
 * An event of a sequence.
 */
export type EventSurprise = Plain<forecast.EventSurprise>;

/**
 * A symbol that is missing.
 */
export type MissingSymbol = Plain<forecast.MissingSymbol>;

/**
 * A symbol that comes too often.
 */
export type ExcessSymbol = Plain<forecast.ExcessSymbol>;

/**
 * One input record: what a device or an app sends to a processor at one moment.
 */
export type Gdf = Plain<gdf.Gdf>;

/**
 * A vector of finite doubles.
 */
export type Vector = Plain<gdf.Vector>;

/**
 * A named value of an observation.
 */
export type Emotive = Plain<gdf.Emotive>;

/**
 * A number of an observation, for the encoder of its name.
 */
export type NamedNumber = Plain<gdf.NamedNumber>;

/**
 * Symbols observed at one moment.
 */
export type Event = Plain<gdf.Event>;

/**
 * A list of events.
 */
export type Sequence = Plain<gdf.Sequence>;

/**
 * The value of a gene: a switch, a number or a text.
 */
export type GeneValue = Plain<gene.GeneValue>;

/**
 * A gene as it is read.
 */
export type Gene = Plain<gene.Gene>;

/**
 * A change to one gene.
 */
export type GeneChange = Plain<gene.GeneChange>;

/**
 * Events of one memory that passed one alert close together.
 */
export type Incident = Plain<incident.Incident>;

/**
 * A symbol, and its part of the bits of an event.
 */
export type Cause = Plain<incident.Cause>;

/**
 * An event of a memory, kept to look at.
 */
export type SeenEvent = Plain<incident.SeenEvent>;

/**
 * An event of the history of a memory.
 */
export type HistoryEvent = Plain<incident.HistoryEvent>;

/**
 * A memory at a glance.
 */
export type Device = Plain<incident.Device>;

/**
 * The newest incident of a memory.
 */
export type LastSurprise = Plain<incident.LastSurprise>;

/**
 * A learned sequence.
 */
export type Model = Plain<model.Model>;

/**
 * When the events of a model happened in one learning.
 */
export type ModelRun = Plain<model.ModelRun>;

/**
 * The values a model keeps of one emotive.
 */
export type EmotiveValues = Plain<model.EmotiveValues>;

/**
 * The counters of one symbol.
 */
export type SymbolRecord = Plain<model.SymbolRecord>;

/**
 * A learned vector.
 */
export type VectorRecord = Plain<model.VectorRecord>;

/**
 * Which messages become records, and of which memory.
 */
export type MqttRoute = Plain<route_service.MqttRoute>;

/**
 * Asks for all routes.
 */
export type GetRoutesRequest = Plain<route_service.GetRoutesRequest>;

/**
 * All routes.
 */
export type GetRoutesResponse = Plain<route_service.GetRoutesResponse>;

/**
 * Asks to add or replace a route.
 */
export type PutRouteRequest = Plain<route_service.PutRouteRequest>;

/**
 * The route is there.
 */
export type PutRouteResponse = Plain<route_service.PutRouteResponse>;

/**
 * Asks to remove a route.
 */
export type DeleteRouteRequest = Plain<route_service.DeleteRouteRequest>;

/**
 * There is no route of the name.
 */
export type DeleteRouteResponse = Plain<route_service.DeleteRouteResponse>;

/**
 * One line of a backup, as protobuf's JSON has it. Sections of later versions get members of their own.
 */
export type BackupRecord = Plain<backup.BackupRecord>;

/**
 * What follows.
 */
export type BackupStart = Plain<backup.BackupStart>;

/**
 * An agent.
 */
export type AgentRecord = Plain<backup.AgentRecord>;

/**
 * What all memories of a processor share, besides what it knows.
 */
export type ProcessorRecord = Plain<backup.ProcessorRecord>;

/**
 * A memory: the processor's own, or a session's.
 */
export type MemoryRecord = Plain<backup.MemoryRecord>;

/**
 * The bin in which the last number of a name was: from one edge up to the next.
 */
export type BinRecord = Plain<backup.BinRecord>;

/**
 * An encoder.
 */
export type EncoderRecord = Plain<backup.EncoderRecord>;

/**
 * The last observation.
 */
export type Percept = Plain<backup.Percept>;

/**
 * An event of a memory.
 */
export type MemoryEvent = Plain<backup.MemoryEvent>;

/**
 * The number of the last delivery of a source.
 */
export type SourceRecord = Plain<backup.SourceRecord>;

/**
 * Blacklisted symbols.
 */
export type BlacklistRecord = Plain<backup.BlacklistRecord>;

/**
 * An alert, with its secret. Its deliveries that still wait are not in a backup.
 */
export type AlertRecord = Plain<backup.AlertRecord>;

/**
 * What a memory knows of an incident that lasts, besides what the incident's line has.
 */
export type RunningRecord = Plain<backup.RunningRecord>;

/**
 * An incident.
 */
export type IncidentRecord = Plain<backup.IncidentRecord>;

/**
 * The threshold that an alert chose.
 */
export type ThresholdRecord = Plain<backup.ThresholdRecord>;

/**
 * What came before.
 */
export type BackupEnd = Plain<backup.BackupEnd>;

/**
 * Asks to be a processor.
 */
export type ProvisionRequest = Plain<provisioning_service.ProvisionRequest>;

/**
 * An output manipulative "abstraction": turns predictions into an event that others observe.
 */
export type Outlet = Plain<provisioning_service.Outlet>;

/**
 * A processor that observes what another predicts.
 */
export type Target = Plain<provisioning_service.Target>;

/**
 * The processor is in service.
 */
export type ProvisionResponse = Plain<provisioning_service.ProvisionResponse>;

/**
 * Asks a processor to leave service.
 */
export type RetireRequest = Plain<provisioning_service.RetireRequest>;

/**
 * The processor is out of service.
 */
export type RetireResponse = Plain<provisioning_service.RetireResponse>;

/**
 * Names the processor whose genes are about to change.
 */
export type NoteTunedRequest = Plain<provisioning_service.NoteTunedRequest>;

/**
 * The agent has noted it.
 */
export type NoteTunedResponse = Plain<provisioning_service.NoteTunedResponse>;

/**
 * Asks for a processor.
 */
export type FindProcessorRequest = Plain<provisioning_service.FindProcessorRequest>;

/**
 * Whether there is such a processor.
 */
export type FindProcessorResponse = Plain<provisioning_service.FindProcessorResponse>;

/**
 * Names the jurisdiction that the caller is in.
 */
export type NoteJurisdictionRequest = Plain<provisioning_service.NoteJurisdictionRequest>;

/**
 * The agent lives there.
 */
export type NoteJurisdictionResponse = Plain<provisioning_service.NoteJurisdictionResponse>;

/**
 * Asks for one page.
 */
export type ReadBackupRequest = Plain<backup_service.ReadBackupRequest>;

/**
 * One page.
 */
export type ReadBackupResponse = Plain<backup_service.ReadBackupResponse>;

/**
 * Asks to begin a restore.
 */
export type BeginRestoreRequest = Plain<backup_service.BeginRestoreRequest>;

/**
 * The restore has begun.
 */
export type BeginRestoreResponse = Plain<backup_service.BeginRestoreResponse>;

/**
 * Asks to stage records of one processor.
 */
export type StageRestoreRequest = Plain<backup_service.StageRestoreRequest>;

/**
 * The records are staged.
 */
export type StageRestoreResponse = Plain<backup_service.StageRestoreResponse>;

/**
 * Asks to check what is staged.
 */
export type SealRestoreRequest = Plain<backup_service.SealRestoreRequest>;

/**
 * What is staged can be applied.
 */
export type SealRestoreResponse = Plain<backup_service.SealRestoreResponse>;

/**
 * Asks to apply what is staged.
 */
export type ApplyRestoreRequest = Plain<backup_service.ApplyRestoreRequest>;

/**
 * It is applied.
 */
export type ApplyRestoreResponse = Plain<backup_service.ApplyRestoreResponse>;

/**
 * Asks to drop what is staged.
 */
export type DropRestoreRequest = Plain<backup_service.DropRestoreRequest>;

/**
 * Nothing of this restore is staged.
 */
export type DropRestoreResponse = Plain<backup_service.DropRestoreResponse>;

/**
 * Asks to restore one processor.
 */
export type RestoreAloneRequest = Plain<backup_service.RestoreAloneRequest>;

/**
 * The processor is restored.
 */
export type RestoreAloneResponse = Plain<backup_service.RestoreAloneResponse>;

/**
 * Asks what a restore with this genome would do.
 */
export type PlanRestoreRequest = Plain<backup_service.PlanRestoreRequest>;

/**
 * A processor of the genome.
 */
export type PlannedProcessor = Plain<backup_service.PlannedProcessor>;

/**
 * What the restore would do.
 */
export type PlanRestoreResponse = Plain<backup_service.PlanRestoreResponse>;

/**
 * Asks to restore the agent.
 */
export type CommitRestoreRequest = Plain<backup_service.CommitRestoreRequest>;

/**
 * The agent is restored, or will be before any of its processors answers.
 */
export type CommitRestoreResponse = Plain<backup_service.CommitRestoreResponse>;

/**
 * Asks what was decided.
 */
export type SettleRestoreRequest = Plain<backup_service.SettleRestoreRequest>;

/**
 * What was decided.
 */
export type SettleRestoreResponse = Plain<backup_service.SettleRestoreResponse>;

/**
 * Asks for the unused processors.
 */
export type ListUnusedRequest = Plain<backup_service.ListUnusedRequest>;

/**
 * The unused processors.
 */
export type ListUnusedResponse = Plain<backup_service.ListUnusedResponse>;

/**
 * An encoder with its name.
 */
export type NamedEncoder = Plain<encoder_service.NamedEncoder>;

/**
 * Asks for encoders.
 */
export type GetEncodersRequest = Plain<encoder_service.GetEncodersRequest>;

/**
 * The encoders.
 */
export type GetEncodersResponse = Plain<encoder_service.GetEncodersResponse>;

/**
 * Asks to add or replace an encoder.
 */
export type PutEncoderRequest = Plain<encoder_service.PutEncoderRequest>;

/**
 * The encoder is there.
 */
export type PutEncoderResponse = Plain<encoder_service.PutEncoderResponse>;

/**
 * Asks to delete an encoder.
 */
export type DeleteEncoderRequest = Plain<encoder_service.DeleteEncoderRequest>;

/**
 * There is no encoder of the name.
 */
export type DeleteEncoderResponse = Plain<encoder_service.DeleteEncoderResponse>;

/**
 * One model that matches working memory, cut into past, present and future by the match, with its metrics.
 * docs/predictions.md works an example. In the formulas: m matched symbols, |model| and |memory| their lengths in
 * symbols, f the model's frequency.
 */
export type Prediction = Plain<prediction.Prediction>;

/**
 * Predictions as columns, best first. Each symbol is spelled once, in symbols; all other columns name it by its index
 * there.
 */
export type PackedEnsemble = Plain<prediction.PackedEnsemble>;

/**
 * A prediction, and all values that its numbers are computed from. docs/predictions.md has the formulas.
 */
export type PredictionExplanation = Plain<explanation.PredictionExplanation>;

/**
 * A run of symbols that match.
 */
export type MatchedBlock = Plain<explanation.MatchedBlock>;

/**
 * A symbol. Its probability is `frequency` / `total_symbols_in_models_frequencies`.
 */
export type SymbolTerms = Plain<explanation.SymbolTerms>;

/**
 * The values that a model keeps of an emotive.
 */
export type KeptEmotive = Plain<explanation.KeptEmotive>;

/**
 * Why a symbol has its probability in a forecast. docs/forecast.md has the rules.
 */
export type ForecastExplanation = Plain<explanation.ForecastExplanation>;

/**
 * How often a symbol followed the longest order, and what its share is worth beside that.
 */
export type ForecastFollowed = Plain<explanation.ForecastFollowed>;

/**
 * What the weights of the rules depend on, besides the horizon.
 */
export type ForecastSituation = Plain<explanation.ForecastSituation>;

/**
 * What one event ahead, or all up to there, give a symbol.
 */
export type LikelyStep = Plain<explanation.LikelyStep>;

/**
 * A rule, and what it gives a symbol.
 */
export type RuleTerms = Plain<explanation.RuleTerms>;

/**
 * How the first symbol gets a probability that has proved true, and the others what is left.
 */
export type ForecastCorrection = Plain<explanation.ForecastCorrection>;

/**
 * A term of the correction for the next event.
 */
export type CorrectionTerm = Plain<explanation.CorrectionTerm>;

/**
 * How unexpected an event is, and why. docs/surprise.md has the rule.
 */
export type SurpriseExplanation = Plain<explanation.SurpriseExplanation>;

/**
 * A symbol, given those of the factors before.
 */
export type SurpriseFactor = Plain<explanation.SurpriseFactor>;

/**
 * What was counted where the latest events were alike on one level.
 */
export type SurpriseLevel = Plain<explanation.SurpriseLevel>;

/**
 * A symbol of the event.
 */
export type SymbolChance = Plain<explanation.SymbolChance>;

/**
 * Asks to observe.
 */
export type ObserveRequest = Plain<memory_service.ObserveRequest>;

/**
 * What a sender delivers in order: records, or sequences of records. The sender repeats each until it gets an answer. A
 * memory takes each once, and keeps the last number of the 10,000 sources that it heard last.
 */
export type Delivery = Plain<memory_service.Delivery>;

/**
 * The result of an observation.
 */
export type ObserveResponse = Plain<memory_service.ObserveResponse>;

/**
 * The result of observing one record.
 */
export type Observed = Plain<memory_service.Observed>;

/**
 * Asks to observe several records.
 */
export type ObserveSequenceRequest = Plain<memory_service.ObserveSequenceRequest>;

/**
 * The results of observing the records.
 */
export type ObserveSequenceResponse = Plain<memory_service.ObserveSequenceResponse>;

/**
 * Asks to learn.
 */
export type LearnRequest = Plain<memory_service.LearnRequest>;

/**
 * The model learned.
 */
export type LearnResponse = Plain<memory_service.LearnResponse>;

/**
 * Asks for working memory.
 */
export type GetWorkingMemoryRequest = Plain<memory_service.GetWorkingMemoryRequest>;

/**
 * Working memory.
 */
export type GetWorkingMemoryResponse = Plain<memory_service.GetWorkingMemoryResponse>;

/**
 * Asks to empty working memory.
 */
export type ClearWorkingMemoryRequest = Plain<memory_service.ClearWorkingMemoryRequest>;

/**
 * Working memory is empty.
 */
export type ClearWorkingMemoryResponse = Plain<memory_service.ClearWorkingMemoryResponse>;

/**
 * Asks for the predictions.
 */
export type GetPredictionsRequest = Plain<memory_service.GetPredictionsRequest>;

/**
 * The predictions.
 */
export type GetPredictionsResponse = Plain<memory_service.GetPredictionsResponse>;

/**
 * Asks for a forecast.
 */
export type GetForecastRequest = Plain<memory_service.GetForecastRequest>;

/**
 * The forecast.
 */
export type GetForecastResponse = Plain<memory_service.GetForecastResponse>;

/**
 * Asks why a model is predicted.
 */
export type ExplainPredictionRequest = Plain<memory_service.ExplainPredictionRequest>;

/**
 * Why a model is predicted.
 */
export type ExplainPredictionResponse = Plain<memory_service.ExplainPredictionResponse>;

/**
 * Asks why a symbol has its probability in a forecast.
 */
export type ExplainForecastRequest = Plain<memory_service.ExplainForecastRequest>;

/**
 * Why a symbol has its probability.
 */
export type ExplainForecastResponse = Plain<memory_service.ExplainForecastResponse>;

/**
 * Asks how many models recall thresholds would let match.
 */
export type CountMatchingModelsRequest = Plain<memory_service.CountMatchingModelsRequest>;

/**
 * How many models recall thresholds would let match.
 */
export type CountMatchingModelsResponse = Plain<memory_service.CountMatchingModelsResponse>;

/**
 * Asks how unexpected an event would be.
 */
export type ExplainSurpriseRequest = Plain<memory_service.ExplainSurpriseRequest>;

/**
 * How unexpected it would be.
 */
export type ExplainSurpriseResponse = Plain<memory_service.ExplainSurpriseResponse>;

/**
 * Asks how unusual a whole sequence would be.
 */
export type GetSequenceSurpriseRequest = Plain<memory_service.GetSequenceSurpriseRequest>;

/**
 * How unusual it would be.
 */
export type GetSequenceSurpriseResponse = Plain<memory_service.GetSequenceSurpriseResponse>;

/**
 * Asks for the symbols of the events that records would make.
 */
export type GetRecordSymbolsRequest = Plain<memory_service.GetRecordSymbolsRequest>;

/**
 * The symbols of the events.
 */
export type GetRecordSymbolsResponse = Plain<memory_service.GetRecordSymbolsResponse>;

/**
 * Asks to delete everything learned and observed.
 */
export type ClearAllMemoryRequest = Plain<memory_service.ClearAllMemoryRequest>;

/**
 * Everything is deleted.
 */
export type ClearAllMemoryResponse = Plain<memory_service.ClearAllMemoryResponse>;

/**
 * Asks for the last observation as it was sent.
 */
export type GetPerceptRequest = Plain<memory_service.GetPerceptRequest>;

/**
 * The last observation as it was sent.
 */
export type GetPerceptResponse = Plain<memory_service.GetPerceptResponse>;

/**
 * Asks for the last observation as the processor understood it.
 */
export type GetCognitionRequest = Plain<memory_service.GetCognitionRequest>;

/**
 * The last observation as the processor understood it. Everything is empty if nothing was observed since the last
 * clear.
 */
export type GetCognitionResponse = Plain<memory_service.GetCognitionResponse>;

/**
 * Asks for the list of sessions.
 */
export type ListSessionsRequest = Plain<memory_service.ListSessionsRequest>;

/**
 * Some of the sessions.
 */
export type ListSessionsResponse = Plain<memory_service.ListSessionsResponse>;

/**
 * A session at a glance.
 */
export type Session = Plain<memory_service.Session>;

/**
 * Asks to end a session.
 */
export type EndSessionRequest = Plain<memory_service.EndSessionRequest>;

/**
 * The session has ended.
 */
export type EndSessionResponse = Plain<memory_service.EndSessionResponse>;

/**
 * What a client asks for in one frame of a stream. All of it happens in one transaction, in the order of the fields, or nothing does. Streams
 * are WebSockets and carry JSON; these messages are what the gateway's half and the processor's half say to each other.
 */
export type Frame = Plain<frame.Frame>;

/**
 * Some records.
 */
export type Records = Plain<frame.Records>;

/**
 * The answer to a frame.
 */
export type FrameAnswer = Plain<frame.FrameAnswer>;

/**
 * What happened in a memory, for a stream that wants to hear of it.
 */
export type StreamEvent = Plain<frame.StreamEvent>;

/**
 * A record was observed.
 */
export type ObservedEvent = Plain<frame.ObservedEvent>;

/**
 * How unexpected an observed record was.
 */
export type SurpriseEvent = Plain<frame.SurpriseEvent>;

/**
 * Asks for genes.
 */
export type GetGenesRequest = Plain<gene_service.GetGenesRequest>;

/**
 * The genes.
 */
export type GetGenesResponse = Plain<gene_service.GetGenesResponse>;

/**
 * Asks to change genes.
 */
export type ChangeGenesRequest = Plain<gene_service.ChangeGenesRequest>;

/**
 * The genes have changed, or not.
 */
export type ChangeGenesResponse = Plain<gene_service.ChangeGenesResponse>;

/**
 * Asks to add to the recall threshold.
 */
export type IncrementRecallThresholdRequest = Plain<gene_service.IncrementRecallThresholdRequest>;

/**
 * The recall threshold after the addition.
 */
export type IncrementRecallThresholdResponse = Plain<gene_service.IncrementRecallThresholdResponse>;

/**
 * Asks whether storage works.
 */
export type CheckRequest = Plain<health_service.CheckRequest>;

/**
 * Storage works.
 */
export type CheckResponse = Plain<health_service.CheckResponse>;

/**
 * Asks for incidents.
 */
export type ListIncidentsRequest = Plain<incident_service.ListIncidentsRequest>;

/**
 * Some of the incidents.
 */
export type ListIncidentsResponse = Plain<incident_service.ListIncidentsResponse>;

/**
 * Asks for one incident.
 */
export type GetIncidentRequest = Plain<incident_service.GetIncidentRequest>;

/**
 * The incident.
 */
export type GetIncidentResponse = Plain<incident_service.GetIncidentResponse>;

/**
 * Says what an incident was.
 */
export type JudgeIncidentRequest = Plain<incident_service.JudgeIncidentRequest>;

/**
 * The verdict is kept.
 */
export type JudgeIncidentResponse = Plain<incident_service.JudgeIncidentResponse>;

/**
 * Asks for the history of a memory.
 */
export type GetHistoryRequest = Plain<incident_service.GetHistoryRequest>;

/**
 * The history of a memory.
 */
export type GetHistoryResponse = Plain<incident_service.GetHistoryResponse>;

/**
 * Asks for the memories of a processor.
 */
export type ListDevicesRequest = Plain<incident_service.ListDevicesRequest>;

/**
 * Memories of a processor.
 */
export type ListDevicesResponse = Plain<incident_service.ListDevicesResponse>;

/**
 * The state of a processor: flags, counters and sizes.
 */
export type Status = Plain<status.Status>;

/**
 * A limit that is nearly reached.
 */
export type NearLimit = Plain<status.NearLimit>;

/**
 * Asks for a sign of life.
 */
export type PingRequest = Plain<inspection_service.PingRequest>;

/**
 * A sign of life.
 */
export type PingResponse = Plain<inspection_service.PingResponse>;

/**
 * Asks for the state.
 */
export type GetStatusRequest = Plain<inspection_service.GetStatusRequest>;

/**
 * The state.
 */
export type GetStatusResponse = Plain<inspection_service.GetStatusResponse>;

/**
 * Asks for name, classifier, version and memory use.
 */
export type GetInfoRequest = Plain<inspection_service.GetInfoRequest>;

/**
 * Name, classifier, version and memory use.
 */
export type GetInfoResponse = Plain<inspection_service.GetInfoResponse>;

/**
 * A part of the models of a processor.
 */
export type PartInfo = Plain<inspection_service.PartInfo>;

/**
 * Asks how much the processor has learned and how full it is.
 */
export type GetUsageRequest = Plain<inspection_service.GetUsageRequest>;

/**
 * How much the processor has learned and how full it is.
 */
export type GetUsageResponse = Plain<inspection_service.GetUsageResponse>;

/**
 * Asks what the processor has told others.
 */
export type GetLinksRequest = Plain<inspection_service.GetLinksRequest>;

/**
 * What the processor has told others.
 */
export type GetLinksResponse = Plain<inspection_service.GetLinksResponse>;

/**
 * A manipulative, and one of the processors that observe what it sends.
 */
export type Link = Plain<inspection_service.Link>;

/**
 * What a key may do. A limit that is empty or absent is none.
 */
export type KeyRights = Plain<key_service.KeyRights>;

/**
 * A key as the agent keeps it.
 */
export type IssuedKey = Plain<key_service.IssuedKey>;

/**
 * Asks to store a new key.
 */
export type CreateKeyRequest = Plain<key_service.CreateKeyRequest>;

/**
 * The key is stored.
 */
export type CreateKeyResponse = Plain<key_service.CreateKeyResponse>;

/**
 * Asks for all keys.
 */
export type GetKeysRequest = Plain<key_service.GetKeysRequest>;

/**
 * All keys.
 */
export type GetKeysResponse = Plain<key_service.GetKeysResponse>;

/**
 * Asks to remove a key.
 */
export type DeleteKeyRequest = Plain<key_service.DeleteKeyRequest>;

/**
 * The key is not there.
 */
export type DeleteKeyResponse = Plain<key_service.DeleteKeyResponse>;

/**
 * Asks for a model.
 */
export type GetModelRequest = Plain<knowledge_service.GetModelRequest>;

/**
 * A model.
 */
export type GetModelResponse = Plain<knowledge_service.GetModelResponse>;

/**
 * Asks to delete a model.
 */
export type DeleteModelRequest = Plain<knowledge_service.DeleteModelRequest>;

/**
 * The model is deleted.
 */
export type DeleteModelResponse = Plain<knowledge_service.DeleteModelResponse>;

/**
 * A list of emotive values.
 */
export type EmotiveValuesList = Plain<knowledge_service.EmotiveValuesList>;

/**
 * A list of metadata objects.
 */
export type MetadataList = Plain<knowledge_service.MetadataList>;

/**
 * Asks to replace members of a model. Absent members stay as they are.
 */
export type UpdateModelRequest = Plain<knowledge_service.UpdateModelRequest>;

/**
 * The model is updated.
 */
export type UpdateModelResponse = Plain<knowledge_service.UpdateModelResponse>;

/**
 * Asks to add a model.
 */
export type AddModelRequest = Plain<knowledge_service.AddModelRequest>;

/**
 * The model is added.
 */
export type AddModelResponse = Plain<knowledge_service.AddModelResponse>;

/**
 * Asks for the models that hold all of these. One of the lists is empty.
 */
export type FindModelsRequest = Plain<knowledge_service.FindModelsRequest>;

/**
 * The models found.
 */
export type FindModelsResponse = Plain<knowledge_service.FindModelsResponse>;

/**
 * Which page of a list. Each row has a place in the order of the list. A cursor is such a place, so that a page begins
 * where the one before ended, whatever was learned meanwhile; a row whose value has changed has moved to its new place.
 */
export type ListPage = Plain<knowledge_service.ListPage>;

/**
 * Where a page is in its list.
 */
export type ListPlace = Plain<knowledge_service.ListPlace>;

/**
 * Asks for models. What it searches for must all be true of a model.
 */
export type ListModelsRequest = Plain<knowledge_service.ListModelsRequest>;

/**
 * A page of models.
 */
export type ListModelsResponse = Plain<knowledge_service.ListModelsResponse>;

/**
 * Asks for symbols. What it searches for must all be true of a symbol.
 */
export type ListSymbolsRequest = Plain<knowledge_service.ListSymbolsRequest>;

/**
 * A page of symbols.
 */
export type ListSymbolsResponse = Plain<knowledge_service.ListSymbolsResponse>;

/**
 * Asks for learned vectors.
 */
export type ListVectorsRequest = Plain<knowledge_service.ListVectorsRequest>;

/**
 * A vector in a list: without its components, with its counters as a symbol.
 */
export type ListedVector = Plain<knowledge_service.ListedVector>;

/**
 * A page of vectors.
 */
export type ListVectorsResponse = Plain<knowledge_service.ListVectorsResponse>;

/**
 * Asks what a model predicts.
 */
export type GetPredictionsForModelRequest = Plain<knowledge_service.GetPredictionsForModelRequest>;

/**
 * What the model predicts.
 */
export type GetPredictionsForModelResponse = Plain<knowledge_service.GetPredictionsForModelResponse>;

/**
 * Asks for a symbol.
 */
export type GetSymbolRequest = Plain<knowledge_service.GetSymbolRequest>;

/**
 * A symbol.
 */
export type GetSymbolResponse = Plain<knowledge_service.GetSymbolResponse>;

/**
 * Asks for a vector.
 */
export type GetVectorRequest = Plain<knowledge_service.GetVectorRequest>;

/**
 * A vector.
 */
export type GetVectorResponse = Plain<knowledge_service.GetVectorResponse>;

/**
 * Asks to remove symbols from all models. One of the lists is empty.
 */
export type RemoveSymbolsRequest = Plain<knowledge_service.RemoveSymbolsRequest>;

/**
 * The symbols are removed.
 */
export type RemoveSymbolsResponse = Plain<knowledge_service.RemoveSymbolsResponse>;

/**
 * The new name of a model whose sequence has changed.
 */
export type ModelRename = Plain<knowledge_service.ModelRename>;

/**
 * Asks to forget models. First those below a frequency, then as many as are too many.
 */
export type ForgetModelsRequest = Plain<knowledge_service.ForgetModelsRequest>;

/**
 * The models are forgotten.
 */
export type ForgetModelsResponse = Plain<knowledge_service.ForgetModelsResponse>;

/**
 * Asks to blacklist symbols.
 */
export type AddBlacklistedSymbolsRequest = Plain<knowledge_service.AddBlacklistedSymbolsRequest>;

/**
 * The symbols are blacklisted.
 */
export type AddBlacklistedSymbolsResponse = Plain<knowledge_service.AddBlacklistedSymbolsResponse>;

/**
 * Asks to take symbols off the blacklist.
 */
export type RemoveBlacklistedSymbolsRequest = Plain<knowledge_service.RemoveBlacklistedSymbolsRequest>;

/**
 * The symbols are no longer blacklisted.
 */
export type RemoveBlacklistedSymbolsResponse = Plain<knowledge_service.RemoveBlacklistedSymbolsResponse>;

/**
 * Asks for the blacklist.
 */
export type ListBlacklistedSymbolsRequest = Plain<knowledge_service.ListBlacklistedSymbolsRequest>;

/**
 * The blacklist.
 */
export type ListBlacklistedSymbolsResponse = Plain<knowledge_service.ListBlacklistedSymbolsResponse>;

/**
 * The counters of a knowledge base.
 */
export type KnowledgeTotals = Plain<knowledge_service.KnowledgeTotals>;

/**
 * Asks for one page of a part. The records of a part are sorted by name.
 */
export type ExportKnowledgeRequest = Plain<knowledge_service.ExportKnowledgeRequest>;

/**
 * One page. Only the list of the part asked for is filled.
 */
export type ExportKnowledgeResponse = Plain<knowledge_service.ExportKnowledgeResponse>;

/**
 * Asks to begin a load. A load that began earlier and was not committed is dropped.
 */
export type BeginLoadRequest = Plain<knowledge_service.BeginLoadRequest>;

/**
 * The load has begun.
 */
export type BeginLoadResponse = Plain<knowledge_service.BeginLoadResponse>;

/**
 * Asks to stage a part. Models and vectors that are staged earlier count as older, unless they carry an order: then the
 * order counts. Either all models of a load carry one, each its own, or none does; and so for vectors.
 */
export type LoadKnowledgeRequest = Plain<knowledge_service.LoadKnowledgeRequest>;

/**
 * The part is staged.
 */
export type LoadKnowledgeResponse = Plain<knowledge_service.LoadKnowledgeResponse>;

/**
 * Asks to replace the knowledge base.
 */
export type CommitLoadRequest = Plain<knowledge_service.CommitLoadRequest>;

/**
 * The knowledge base is replaced. Its symbols and counters are computed from its models.
 */
export type CommitLoadResponse = Plain<knowledge_service.CommitLoadResponse>;

/**
 * Asks to add the staged knowledge base.
 */
export type MergeLoadRequest = Plain<knowledge_service.MergeLoadRequest>;

/**
 * The knowledge base is added. A known model has learned the frequency and the emotives of the staged one. Others are
 * new, and the newest.
 */
export type MergeLoadResponse = Plain<knowledge_service.MergeLoadResponse>;

/**
 * Asks to drop a load.
 */
export type AbortLoadRequest = Plain<knowledge_service.AbortLoadRequest>;

/**
 * Nothing is staged.
 */
export type AbortLoadResponse = Plain<knowledge_service.AbortLoadResponse>;

/**
 * A detail of an error with the code resource_exhausted: the memory for the processor's knowledge is used up, so
 * the same request is refused until something is deleted. Waiting does not help.
 */
export type MemoryFull = Plain<memory_full.MemoryFull>;

/**
 * Asks to turn predicting on or off.
 */
export type SetPredictingRequest = Plain<mode_service.SetPredictingRequest>;

/**
 * Predicting has the value asked for.
 */
export type SetPredictingResponse = Plain<mode_service.SetPredictingResponse>;

/**
 * Asks to turn autolearning on or off.
 */
export type SetAutolearningRequest = Plain<mode_service.SetAutolearningRequest>;

/**
 * Autolearning has the value asked for.
 */
export type SetAutolearningResponse = Plain<mode_service.SetAutolearningResponse>;

/**
 * Asks to turn sleeping on or off.
 */
export type SetSleepingRequest = Plain<mode_service.SetSleepingRequest>;

/**
 * Sleeping has the value asked for.
 */
export type SetSleepingResponse = Plain<mode_service.SetSleepingResponse>;

/**
 * Asks to set the target class.
 */
export type SetTargetClassRequest = Plain<mode_service.SetTargetClassRequest>;

/**
 * The target class is set or cleared.
 */
export type SetTargetClassResponse = Plain<mode_service.SetTargetClassResponse>;

/**
 * A detail of an error with the code resource_exhausted: there are as many of something as there may be, so the same
 * request is refused until some of it is gone. Without this detail, the server has too little memory or time at the
 * moment.
 */
export type OverLimit = Plain<over_limit.OverLimit>;

/**
 * A detail of an error with the code unavailable: the processor was reached, and its message says what it could not
 * reach. Without this detail, the processor itself could not be reached.
 */
export type ProcessorUnavailable = Plain<processor_unavailable.ProcessorUnavailable>;

/**
 * Published messages for the memories of one processor.
 */
export type TakePublicationsRequest = Plain<publication_service.TakePublicationsRequest>;

/**
 * A published message.
 */
export type Publication = Plain<publication_service.Publication>;

/**
 * What became of published messages.
 */
export type TakePublicationsResponse = Plain<publication_service.TakePublicationsResponse>;

/**
 * What became of a published message.
 */
export type Published = Plain<publication_service.Published>;

/**
 * Asks which messages have taken effect.
 */
export type SettleSourceRequest = Plain<publication_service.SettleSourceRequest>;

/**
 * Says which messages have taken effect.
 */
export type SettleSourceResponse = Plain<publication_service.SettleSourceResponse>;

/**
 * Ends sources.
 */
export type EndSourcesRequest = Plain<publication_service.EndSourcesRequest>;

/**
 * Says nothing.
 */
export type EndSourcesResponse = Plain<publication_service.EndSourcesResponse>;

/**
 * Says what the endpoint wants to hear of.
 */
export type WatchEventsRequest = Plain<publication_service.WatchEventsRequest>;

/**
 * Says what is in force.
 */
export type WatchEventsResponse = Plain<publication_service.WatchEventsResponse>;
