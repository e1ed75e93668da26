// Written by `npm run generate` from proto/. Edit the bounds there.

/** The bounds of the fields of AlertCondition. */
export const AlertCondition = {"surpriseAbove":{"least":0},"silentFor":{"most":31536000}} as const;

/** The bounds of the fields of DailyCondition. */
export const DailyCondition = {"perDay":{"most":10000}} as const;

/** The bounds of the fields of ForecastCondition. */
export const ForecastCondition = {"symbol":{"shortest":1},"above":{"least":0,"most":1},"horizon":{"least":1,"most":10,"standard":1}} as const;

/** The bounds of the fields of PutAlertRequest. */
export const PutAlertRequest = {"url":{"shortest":1}} as const;

/** The bounds of the fields of ForecastStep. */
export const ForecastStep = {"none":{"least":0,"most":1}} as const;

/** The bounds of the fields of ForecastWhen. */
export const ForecastWhen = {"p10":{"least":0},"p50":{"least":0},"p90":{"least":0}} as const;

/** The bounds of the fields of ForecastSymbol. */
export const ForecastSymbol = {"probability":{"least":0,"most":1}} as const;

/** The bounds of the fields of Surprise. */
export const Surprise = {"bits":{"least":0},"probability":{"least":0,"most":1}} as const;

/** The bounds of the fields of ExpectedSymbol. */
export const ExpectedSymbol = {"probability":{"least":0,"most":1}} as const;

/** The bounds of the fields of Incident. */
export const Incident = {"id":{"least":1},"events":{"least":1}} as const;

/** The bounds of the fields of MqttRoute. */
export const MqttRoute = {"topic":{"shortest":1,"longest":1000},"processor":{"shortest":1,"longest":1000},"strings":{"longest":128,"mostElements":100},"numbers":{"longest":128,"mostElements":100},"time":{"longest":128}} as const;

/** The bounds of the fields of ProcessorRecord. */
export const ProcessorRecord = {"vectorDimensionality":{"least":-1},"lastIncident":{"least":0},"awakeSince":{"least":0}} as const;

/** The bounds of the fields of Prediction. */
export const Prediction = {"frequency":{"least":1},"confidence":{"most":1},"evidence":{"most":1},"similarity":{"most":1},"snr":{"most":1}} as const;

/** The bounds of the fields of PredictionExplanation. */
export const PredictionExplanation = {"matchingFrequencies":{"least":1},"modelFrequencies":{"least":1},"memberFrequencies":{"least":1}} as const;

/** The bounds of the fields of MatchedBlock. */
export const MatchedBlock = {"length":{"least":1}} as const;

/** The bounds of the fields of ForecastExplanation. */
export const ForecastExplanation = {"probability":{"least":0,"most":1},"mixed":{"least":0,"most":1},"sumOfSteps":{"least":0}} as const;

/** The bounds of the fields of ForecastFollowed. */
export const ForecastFollowed = {"count":{"least":0},"of":{"least":0},"prior":{"least":0}} as const;

/** The bounds of the fields of LikelyStep. */
export const LikelyStep = {"horizon":{"least":1},"probability":{"least":0,"most":1}} as const;

/** The bounds of the fields of RuleTerms. */
export const RuleTerms = {"probability":{"least":0,"most":1},"given":{"least":0,"most":1}} as const;

/** The bounds of the fields of ForecastCorrection. */
export const ForecastCorrection = {"mixed":{"least":0,"most":1},"proved":{"least":0,"most":1}} as const;

/** The bounds of the fields of SurpriseExplanation. */
export const SurpriseExplanation = {"unexpectedProbability":{"least":0,"most":1},"rest":{"least":0,"most":1}} as const;

/** The bounds of the fields of SurpriseFactor. */
export const SurpriseFactor = {"prior":{"least":0,"most":1},"factor":{"least":0,"most":1}} as const;

/** The bounds of the fields of SymbolChance. */
export const SymbolChance = {"given":{"least":0,"most":1},"probability":{"least":0,"most":1}} as const;

/** The bounds of the fields of Delivery. */
export const Delivery = {"number":{"least":1,"most":9007199254740991}} as const;

/** The bounds of the fields of GetPredictionsRequest. */
export const GetPredictionsRequest = {"top":{"least":1,"most":10000}} as const;

/** The bounds of the fields of GetForecastRequest. */
export const GetForecastRequest = {"horizon":{"least":1,"most":10},"top":{"least":1,"most":1000}} as const;

/** The bounds of the fields of ExplainForecastRequest. */
export const ExplainForecastRequest = {"horizon":{"least":1,"most":10}} as const;

/** The bounds of the fields of CountMatchingModelsRequest. */
export const CountMatchingModelsRequest = {"recallThresholds":{"least":0,"most":1,"fewest":1,"mostElements":1000}} as const;

/** The bounds of the fields of ListSessionsRequest. */
export const ListSessionsRequest = {"limit":{"least":1,"most":1000,"standard":100}} as const;

/** The bounds of the fields of ListIncidentsRequest. */
export const ListIncidentsRequest = {"after":{"least":1,"most":9007199254740991},"limit":{"least":1,"most":1000,"standard":100}} as const;

/** The bounds of the fields of JudgeIncidentRequest. */
export const JudgeIncidentRequest = {"note":{"longest":1000}} as const;

/** The bounds of the fields of GetHistoryRequest. */
export const GetHistoryRequest = {"before":{"least":1,"most":9007199254740991},"limit":{"least":1,"most":1000,"standard":100}} as const;

/** The bounds of the fields of ListDevicesRequest. */
export const ListDevicesRequest = {"limit":{"least":1,"most":10000,"standard":1000}} as const;

/** The bounds of the fields of KeyRights. */
export const KeyRights = {"roles":{"fewest":1},"processors":{"fewest":1,"mostElements":32},"sessions":{"fewest":1,"mostElements":32},"expires":{"least":0,"most":253402300799},"perMinute":{"least":1,"most":1000000}} as const;

/** The bounds of the fields of ListPage. */
export const ListPage = {"limit":{"least":1,"most":500,"standard":50}} as const;

/** The bounds of the fields of ForgetModelsRequest. */
export const ForgetModelsRequest = {"frequencyBelow":{"most":9007199254740991},"keepAtMost":{"most":9007199254740991}} as const;
