"""From the OpenAPI document. Written by `npm run generate`; edit the contract instead."""
# ruff: noqa
from __future__ import annotations

import typing as t


StatusNearLimitsItem = t.TypedDict("StatusNearLimitsItem", {"limit": 'str', "most": 'int', "used": 'int'})
"""A limit that is nearly reached."""


InfoPartsItem = t.TypedDict("InfoPartsItem", {"memory_bytes": 'int', "models": 'int'})
"""A part of the models."""


SymbolRecordFeatures = t.TypedDict("SymbolRecordFeatures", {"frequency": 'int', "model_member_frequency": 'int'})
"""The counters of a symbol."""


KnowledgeBaseToLoadMetadata = t.TypedDict("KnowledgeBaseToLoadMetadata", {"forecast_record": 't.List[t.List[float]]'}, total=False)
"""Totals, which are computed again, and what past forecasts tell."""


ListedVectorFeatures = t.TypedDict("ListedVectorFeatures", {"frequency": 'int', "model_member_frequency": 'int'})
"""Its counters as a symbol; 0 where no model holds it."""


FrontPageLinks = t.TypedDict("FrontPageLinks", {"console": 'str', "docs": 'str', "health": 'str', "openapi": 'str', "ping": 'str'})
"""Paths of this server."""


_GenomeElementsAlways = t.TypedDict("_GenomeElementsAlways", {"nodes": 't.List[GenomeNode]'})


class GenomeElements(_GenomeElementsAlways, total=False):
    """The graph, as Cytoscape.js has it."""

    edges: t.Any


ManipulativeGenesField = t.TypedDict("ManipulativeGenesField", {"value": 't.List[t.Literal["name", "past", "present", "future", "missing", "extras", "matches", "classification"]]'})
"""What it sends."""


ManipulativeGenesPrimitives = t.TypedDict("ManipulativeGenesPrimitives", {"value": 't.List[str]'})
"""Where it sends to."""


ManipulativeGenes = t.TypedDict("ManipulativeGenes", {"field": 'ManipulativeGenesField', "primitives": 'ManipulativeGenesPrimitives'})
"""What it sends, and where to."""


GenomeChangeRenamedItem = t.TypedDict("GenomeChangeRenamedItem", {"id": 'str', "from": 'str', "to": 'str'})
"""A processor under another name."""


_KnowledgeLinePartAlways = t.TypedDict("_KnowledgeLinePartAlways", {"total_model_frequencies": 'int', "total_symbol_frequencies": 'int', "total_symbols_in_models_frequencies": 'int', "kind": 't.Literal["metadata"]', "node": 'str'})


class KnowledgeLinePart(_KnowledgeLinePartAlways, total=False):
    """The totals."""

    forecast_record: t.List[t.List[float]]


_KnowledgeLinePart2Always = t.TypedDict("_KnowledgeLinePart2Always", {"emotives": 't.Dict[str, t.List[float]]', "frequency": 'int', "length": 'int', "metadata": 't.List[Metadata]', "name": 'ModelHash', "sequence": 'Sequence', "kind": 't.Literal["model"]', "node": 'str'})


class KnowledgeLinePart2(_KnowledgeLinePart2Always, total=False):
    """A model."""

    order: int


KnowledgeLinePart3Features = t.TypedDict("KnowledgeLinePart3Features", {"frequency": 'int', "model_member_frequency": 'int'})
"""The counters of a symbol."""


KnowledgeLinePart3 = t.TypedDict("KnowledgeLinePart3", {"features": 'KnowledgeLinePart3Features', "name": 'Symbol', "kind": 't.Literal["symbol"]', "node": 'str'})
"""A symbol."""


_KnowledgeLinePart4Always = t.TypedDict("_KnowledgeLinePart4Always", {"hash": 'str', "length": 'float', "name": 'VectorLabel', "vector": 'Vector', "kind": 't.Literal["vector"]', "node": 'str'})


class KnowledgeLinePart4(_KnowledgeLinePart4Always, total=False):
    """A vector."""

    order: int


_LineToLoadPartAlways = t.TypedDict("_LineToLoadPartAlways", {"kind": 't.Literal["model"]', "name": 'ModelHash', "sequence": 't.List[t.List[Symbol]]'})


class LineToLoadPart(_LineToLoadPartAlways, total=False):
    """A model."""

    emotives: t.Dict[str, t.Union[t.List[float], float]]
    frequency: int
    metadata: t.List[Metadata]
    order: int


_LineToLoadPart2Always = t.TypedDict("_LineToLoadPart2Always", {"kind": 't.Literal["vector"]', "hash": 'str', "vector": 't.List[float]'})


class LineToLoadPart2(_LineToLoadPart2Always, total=False):
    """A vector."""

    name: str
    order: int


_LineToLoadPart3Always = t.TypedDict("_LineToLoadPart3Always", {"kind": 't.Literal["symbol", "metadata"]'})


class LineToLoadPart3(_LineToLoadPart3Always, total=False):
    """A symbol or the totals, which are computed again; beside the totals, what past forecasts tell."""

    forecast_record: t.List[t.List[float]]


AlertConditionPart = t.TypedDict("AlertConditionPart", {"surprise_above": 'float'})
"""When the surprise of an event exceeds this number of bits."""


AlertConditionPart2 = t.TypedDict("AlertConditionPart2", {"surprise": 'DailyCondition'})
"""When an event exceeds a threshold that follows what is observed."""


AlertConditionPart3 = t.TypedDict("AlertConditionPart3", {"forecast": 'ForecastCondition'})
"""When the probability of a symbol rises above a threshold."""


AlertConditionPart4 = t.TypedDict("AlertConditionPart4", {"silent_for": 't.Union[float, t.Literal["expected"]]'})
"""When a memory has not observed for this number of seconds, by the server's clock; 0, in JSON "expected", for longer than its own gaps make likely."""


AlertConditionPart5 = t.TypedDict("AlertConditionPart5", {"learned": 't.Any'})
"""When a model is learned."""


EncoderPart = t.TypedDict("EncoderPart", {"kind": 't.Literal["step"]', "size": 'float', "origin": 'float', "hysteresis": 'float', "on_change": 'bool'})
"""Bins of equal size."""


EncoderPart2 = t.TypedDict("EncoderPart2", {"kind": 't.Literal["edges"]', "edges": 't.List[float]', "hysteresis": 'float', "on_change": 'bool'})
"""Bins between edges that you choose."""


_EncoderPart3Always = t.TypedDict("_EncoderPart3Always", {"kind": 't.Literal["auto"]', "bins": 'int', "hysteresis": 'float', "on_change": 'bool'})


class EncoderPart3(_EncoderPart3Always, total=False):
    """Bins between edges that the encoder finds in the first 200 numbers. These make no symbol."""

    edges: t.List[float]


EncoderPart4 = t.TypedDict("EncoderPart4", {"kind": 't.Literal["clock"]', "of": 't.Literal["month", "day", "weekday", "hour", "minute"]', "step": 'int', "zone": 'str'})
"""What a clock or a calendar shows when an event happens. Each record that makes another symbol gets one."""


EncoderPart5 = t.TypedDict("EncoderPart5", {"kind": 't.Literal["elapsed"]', "edges": 't.List[float]'})
"""Bins of the seconds since the event before. Each record that makes another symbol gets one, but a memory's first."""


_NewEncoderPartAlways = t.TypedDict("_NewEncoderPartAlways", {"kind": 't.Literal["step"]', "size": 'float'})


class NewEncoderPart(_NewEncoderPartAlways, total=False):
    """Bins of equal size."""

    origin: float
    hysteresis: float
    on_change: bool


_NewEncoderPart2Always = t.TypedDict("_NewEncoderPart2Always", {"kind": 't.Literal["edges"]', "edges": 't.List[float]'})


class NewEncoderPart2(_NewEncoderPart2Always, total=False):
    """Bins between edges that you choose."""

    hysteresis: float
    on_change: bool


_NewEncoderPart3Always = t.TypedDict("_NewEncoderPart3Always", {"kind": 't.Literal["auto"]'})


class NewEncoderPart3(_NewEncoderPart3Always, total=False):
    """Bins between edges that the encoder finds in the first 200 numbers. These make no symbol."""

    bins: int
    edges: t.List[float]
    hysteresis: float
    on_change: bool


_NewEncoderPart4Always = t.TypedDict("_NewEncoderPart4Always", {"kind": 't.Literal["clock"]', "of": 't.Literal["month", "day", "weekday", "hour", "minute"]'})


class NewEncoderPart4(_NewEncoderPart4Always, total=False):
    """What a clock or a calendar shows when an event happens. Each record that makes another symbol gets one."""

    step: int
    zone: str


_NewEncoderPart5Always = t.TypedDict("_NewEncoderPart5Always", {"kind": 't.Literal["elapsed"]'})


class NewEncoderPart5(_NewEncoderPart5Always, total=False):
    """Bins of the seconds since the event before. Each record that makes another symbol gets one, but a memory's first."""

    edges: t.List[float]


_EnvelopeAlways = t.TypedDict("_EnvelopeAlways", {"id": 'str', "interval": 'int', "message": 't.Any', "status": 't.Literal["okay", "failed"]', "time_stamp": 'int'})


class Envelope(_EnvelopeAlways, total=False):
    """What nearly every answer has around its message."""

    detail: str


Failure = t.TypedDict("Failure", {"id": 'str', "interval": 'int', "message": 'str', "status": 't.Literal["failed"]', "time_stamp": 'int'})
"""The answer to a request that failed."""


Gdf = t.TypedDict("Gdf", {"strings": 't.List[Symbol]', "vectors": 't.List[Vector]', "numbers": 'Numbers', "emotives": 'Emotives', "metadata": 'Metadata', "time": 'Time', "unique_id": 'str', "command": 'str'}, total=False)
"""One record of data, a GDF. Every member may be absent. Without strings, vectors and symbols of numbers it adds no event to working memory."""


Delivery = t.TypedDict("Delivery", {"source": 'str', "number": 'int'})
"""By which source and number something is sent, so that it is taken once."""


_ObservedAlways = t.TypedDict("_ObservedAlways", {"auto_learned_model": 'str', "prediction_made": 'bool', "status": 't.Literal["observed", "asleep"]', "unique_id": 'str'})


class Observed(_ObservedAlways, total=False):
    """What an observation did."""

    redelivered: bool
    surprise: SurpriseOrNull


_ObservedSequenceAlways = t.TypedDict("_ObservedSequenceAlways", {"sequence": 't.List[Gdf]'})


class ObservedSequence(_ObservedSequenceAlways, total=False):
    """Records to observe in order, all or none."""

    learn: bool
    clear: bool


AskedRecords = t.TypedDict("AskedRecords", {"records": 't.List[Gdf]'})
"""Records of which the symbols are asked."""


_PerceptAlways = t.TypedDict("_PerceptAlways", {"emotives": 'Emotives', "metadata": 'Metadata', "path": 't.List[str]', "strings": 't.List[Symbol]', "unique_id": 'str', "vectors": 't.List[Vector]'})


class Percept(_PerceptAlways, total=False):
    """The last observation, as it was sent."""

    numbers: Numbers
    time: Seconds


_CognitionAlways = t.TypedDict("_CognitionAlways", {"command": 'str', "emotives": 'Emotives', "metadata": 'Metadata', "path": 't.List[str]', "predictions": 'Predictions', "strings": 't.List[Symbol]', "symbols": 'Event', "unique_id": 'str', "vectors": 't.List[Vector]', "working_memory": 'Sequence'})


class Cognition(_CognitionAlways, total=False):
    """The last observation as the processor understood it. All members are empty if nothing was observed since the last clear."""

    numbers: Numbers
    time: Seconds


ClearAllMemory = t.TypedDict("ClearAllMemory", {"clear_blacklist": 'bool'}, total=False)
"""What to clear."""


Session = t.TypedDict("Session", {"name": 'str', "events": 'int', "symbols": 'int', "time": 'int', "last_observed": 't.Union[float, None]'})
"""A session at a glance."""


_StatusAlways = t.TypedDict("_StatusAlways", {"AUTOLEARN": 'bool', "HYPOTHESIZED": 'bool', "PREDICT": 'bool', "SLEEPING": 'bool', "SNAPSHOT": 'bool', "emotives": 'Emotives', "last_learned_model_name": 'str', "models_kb": 'str', "name": 'str', "num_observe_call": 'int', "size_WM": 'int', "target": 'str', "time": 'int', "vector_dimensionality": 'int', "vectors_kb": 'str'})


class Status(_StatusAlways, total=False):
    """The processor's flags, counters and sizes."""

    near_limits: t.List[StatusNearLimitsItem]


_InfoAlways = t.TypedDict("_InfoAlways", {"build_date": 'str', "build_number": 'str', "classifier": 'str', "id": 'str', "memory_bytes": 'int', "memory_limit_bytes": 'int', "name": 'str', "time": 'int', "version": 'str'})


class Info(_InfoAlways, total=False):
    """Version, build and memory use."""

    parts: t.List[InfoPartsItem]


Prediction = t.TypedDict("Prediction", {"confidence": 'float', "confluence": 'float', "emotives": 't.Dict[str, float]', "entropy": 'float', "evidence": 'float', "extras": 't.List[Symbol]', "fragmentation": 'int', "frequency": 'int', "future": 't.List[Event]', "grand_hamiltonian": 'float', "hamiltonian": 'float', "itfdf_similarity": 'float', "matches": 't.List[Symbol]', "missing": 't.List[Symbol]', "name": 'ModelHash', "past": 't.List[Event]', "potential": 'float', "present": 't.List[Event]', "similarity": 'float', "snr": 'float', "type": 't.Literal["prototypical"]'})
"""One model that matches working memory. All doubles are exact, without rounding. In the formulas, m is the number of matched symbols, f the model's frequency, and |...| a length in symbols."""


PartialPrediction = t.TypedDict("PartialPrediction", {"confidence": 'float', "confluence": 'float', "emotives": 't.Dict[str, float]', "entropy": 'float', "evidence": 'float', "extras": 't.List[Symbol]', "fragmentation": 'int', "frequency": 'int', "future": 't.List[Event]', "grand_hamiltonian": 'float', "hamiltonian": 'float', "itfdf_similarity": 'float', "matches": 't.List[Symbol]', "missing": 't.List[Symbol]', "name": 'ModelHash', "past": 't.List[Event]', "potential": 'float', "present": 't.List[Event]', "similarity": 'float', "snr": 'float', "type": 't.Literal["prototypical"]'}, total=False)
"""A prediction without the members that the request did not ask for."""


AskPredictions = t.TypedDict("AskPredictions", {"unique_id": 'str', "sequence": 't.List[t.List[Symbol]]', "top": 'int', "fields": 't.List[t.Literal["confidence", "confluence", "emotives", "entropy", "evidence", "extras", "fragmentation", "frequency", "future", "grand_hamiltonian", "hamiltonian", "itfdf_similarity", "matches", "missing", "name", "past", "potential", "present", "similarity", "snr", "type"]]'}, total=False)
"""Which predictions to return."""


AskMatchingModels = t.TypedDict("AskMatchingModels", {"recall_thresholds": 't.List[float]', "sequence": 't.List[t.List[Symbol]]'}, total=False)
"""Which recall thresholds to count for."""


MatchingModels = t.TypedDict("MatchingModels", {"matching": 't.List[MatchingCount]', "models": 'int'})
"""How many models recall thresholds let match."""


MatchingCount = t.TypedDict("MatchingCount", {"models": 'int', "recall_threshold": 'float'})
"""How many models match with a recall threshold."""


AskForecast = t.TypedDict("AskForecast", {"horizon": 'int', "top": 'int', "sequence": 't.List[t.List[Symbol]]'}, total=False)
"""What to forecast."""


_AskSequenceSurpriseAlways = t.TypedDict("_AskSequenceSurpriseAlways", {"sequence": 't.List[t.List[Symbol]]'})


class AskSequenceSurprise(_AskSequenceSurpriseAlways, total=False):
    """Which sequence to judge."""

    complete: bool


EventSurprise = t.TypedDict("EventSurprise", {"bits": 'float', "expected": 't.List[ExpectedSymbol]', "unexpected": 't.List[str]'})
"""An event of a sequence."""


ExcessSymbol = t.TypedDict("ExcessSymbol", {"symbol": 'str', "count": 'float', "expected": 'float'})
"""A symbol that comes too often."""


ExpectedSymbol = t.TypedDict("ExpectedSymbol", {"symbol": 'Symbol', "probability": 'float'})
"""A symbol that was expected."""


Forecast = t.TypedDict("Forecast", {"context": 'int', "models": 'int', "steps": 't.List[ForecastStep]', "within": 't.List[ForecastSymbol]'})
"""What comes next, and how likely it is."""


ForecastStep = t.TypedDict("ForecastStep", {"none": 'float', "symbols": 't.List[ForecastSymbol]', "when": 't.Union[ForecastWhen, None]'})
"""One of the next events."""


ForecastSymbol = t.TypedDict("ForecastSymbol", {"symbol": 'Symbol', "probability": 'float', "support": 'int', "models": 't.List[ModelHash]'})
"""A symbol that may come."""


ForecastWhen = t.TypedDict("ForecastWhen", {"p10": 'float', "p50": 'float', "p90": 'float'})
"""Quantiles, in seconds."""


MissingSymbol = t.TypedDict("MissingSymbol", {"symbol": 'str', "probability": 'float'})
"""A symbol that is missing."""


SequenceEnd = t.TypedDict("SequenceEnd", {"bits": 'float'})
"""The end of a sequence."""


SequenceSurprise = t.TypedDict("SequenceSurprise", {"bits": 'float', "end": 't.Union[SequenceEnd, None]', "events": 't.List[EventSurprise]', "missing": 't.List[MissingSymbol]', "excess": 't.List[ExcessSymbol]', "rank": 't.Union[float, None]'})
"""How unusual a whole sequence is, and why. docs/sequences.md has the rule."""


Surprise = t.TypedDict("Surprise", {"bits": 'float', "probability": 'float', "expected": 't.List[ExpectedSymbol]', "unexpected": 't.List[Symbol]'})
"""How unexpected an event was, by the forecast just before it."""


_AskPredictionExplanationAlways = t.TypedDict("_AskPredictionExplanationAlways", {"model": 'str'})


class AskPredictionExplanation(_AskPredictionExplanationAlways, total=False):
    """Which prediction to explain."""

    sequence: t.List[t.List[Symbol]]


PredictionExplanation = t.TypedDict("PredictionExplanation", {"prediction": 'Prediction', "memory": 't.List[Event]', "blocks": 't.List[MatchedBlock]', "symbols": 't.List[SymbolTerms]', "matching_frequencies": 'int', "known_symbols": 'int', "ln_known_symbols": 'float', "emotives": 't.Dict[str, t.List[float]]', "total_model_frequencies": 'int', "total_symbols_in_models_frequencies": 'int'})
"""A prediction, and all values that its numbers are computed from. docs/predictions.md has the formulas."""


_AskForecastExplanationAlways = t.TypedDict("_AskForecastExplanationAlways", {"symbol": 'Symbol'})


class AskForecastExplanation(_AskForecastExplanationAlways, total=False):
    """Which probability to explain."""

    horizon: int
    within: bool
    sequence: t.List[t.List[Symbol]]


_AskSurpriseExplanationAlways = t.TypedDict("_AskSurpriseExplanationAlways", {"event": 't.List[Symbol]'})


class AskSurpriseExplanation(_AskSurpriseExplanationAlways, total=False):
    """Of which event to explain the surprise."""

    sequence: t.List[t.List[Symbol]]


CorrectionTerm = t.TypedDict("CorrectionTerm", {"name": 'str', "says": 'str', "value": 'float', "weight": 'float'})
"""A term of the correction for the next event."""


ForecastCorrection = t.TypedDict("ForecastCorrection", {"first": 'Symbol', "mixed": 'float', "from": 't.Union[float, None]', "to": 't.Union[float, None]', "forecasts": 't.Union[float, None]', "right": 't.Union[float, None]', "prior": 't.Union[float, None]', "proved": 'float', "exclusive": 'bool', "terms": 't.List[CorrectionTerm]', "factor": 't.Union[float, None]', "within": 't.Union[float, None]', "sum_before": 't.Union[float, None]'})
"""How the first symbol gets a probability that has proved true, and the others what is left."""


ForecastExplanation = t.TypedDict("ForecastExplanation", {"symbol": 'Symbol', "probability": 'float', "context": 't.List[Event]', "models": 'int', "support": 'int', "strongest": 't.List[ModelHash]', "rules": 't.List[RuleTerms]', "mixed": 'float', "correction": 't.Union[ForecastCorrection, None]', "likeliest_step": 't.Union[LikelyStep, None]', "share": 't.Union[float, None]', "normalizer": 't.Union[float, None]', "situation": 't.Union[ForecastSituation, None]', "followed": 't.Union[ForecastFollowed, None]', "sum_of_steps": 't.Union[float, None]'})
"""Why a symbol has its probability in a forecast. docs/forecast.md has the rules."""


ForecastFollowed = t.TypedDict("ForecastFollowed", {"count": 'float', "of": 'float', "prior": 'float'})
"""How often a symbol followed the longest order, and what its share is worth beside that."""


ForecastSituation = t.TypedDict("ForecastSituation", {"behind": 'float', "longest_order": 'int', "bucket": 'int', "says": 'str'})
"""What the weights of the rules depend on, besides the horizon."""


LikelyStep = t.TypedDict("LikelyStep", {"horizon": 'int', "probability": 'float', "symbol": 'Symbol', "within": 'bool'})
"""What one event ahead, or all up to there, give a symbol."""


MatchedBlock = t.TypedDict("MatchedBlock", {"model": 'int', "memory": 'int', "length": 'int'})
"""A run of symbols that match."""


RuleTerms = t.TypedDict("RuleTerms", {"name": 'str', "says": 'str', "takes_part": 'bool', "weight": 'float', "probability": 'float', "given": 'float', "evidence": 'float'})
"""A rule, and what it gives a symbol."""


SurpriseExplanation = t.TypedDict("SurpriseExplanation", {"surprise": 'Surprise', "context": 't.List[Event]', "symbols": 't.List[SymbolChance]', "models": 'int', "known_symbols": 'int', "unexpected_probability": 'float', "factors": 't.List[SurpriseFactor]', "rest": 'float', "occurrences": 'int'})
"""How unexpected an event is, and why. docs/surprise.md has the rule."""


SurpriseFactor = t.TypedDict("SurpriseFactor", {"symbol": 'Symbol', "prior": 'float', "levels": 't.List[SurpriseLevel]', "factor": 'float'})
"""A symbol, given those of the factors before."""


SurpriseLevel = t.TypedDict("SurpriseLevel", {"level": 'int', "places": 'int', "holding": 'int'})
"""What was counted where the latest events were alike on one level."""


SymbolChance = t.TypedDict("SymbolChance", {"symbol": 'Symbol', "given": 'float', "probability": 'float'})
"""A symbol of the event."""


SymbolTerms = t.TypedDict("SymbolTerms", {"symbol": 'Symbol', "frequency": 'int', "weighs": 'bool', "ln_probability": 't.Union[float, None]', "log2_probability": 't.Union[float, None]', "ln_share": 't.Union[float, None]'})
"""A symbol. Its probability is `frequency` / `total_symbols_in_models_frequencies`."""


Model = t.TypedDict("Model", {"emotives": 't.Dict[str, t.List[float]]', "frequency": 'int', "length": 'int', "metadata": 't.List[Metadata]', "name": 'ModelHash', "sequence": 'Sequence', "predecessor_model": 't.List[ModelHash]'})
"""A learned model."""


_ModelRecordAlways = t.TypedDict("_ModelRecordAlways", {"emotives": 't.Dict[str, t.List[float]]', "frequency": 'int', "length": 'int', "metadata": 't.List[Metadata]', "name": 'ModelHash', "sequence": 'Sequence'})


class ModelRecord(_ModelRecordAlways, total=False):
    """A model in a knowledge base."""

    order: int


_ModelToAddAlways = t.TypedDict("_ModelToAddAlways", {"sequence": 't.List[t.List[Symbol]]'})


class ModelToAdd(_ModelToAddAlways, total=False):
    """A model to add."""

    vector: t.Union[Vector, None]
    frequency: t.Union[int, None]
    emotives: t.Union[t.Dict[str, t.Union[t.List[float], float]], None]
    metadata: t.Union[t.List[Metadata], None]


ModelChange = t.TypedDict("ModelChange", {"sequence": 't.List[t.List[Symbol]]', "frequency": 'int', "emotives": 't.Dict[str, t.Union[t.List[float], float]]', "metadata": 't.List[Metadata]', "length": 't.Any', "name": 't.Any', "predecessor_model": 't.Any'}, total=False)
"""What to replace in a model. Members that are absent stay as they are."""


Added = t.TypedDict("Added", {"name": 'ModelHash'})
"""The model that was added."""


Forgetting = t.TypedDict("Forgetting", {"frequency_below": 'int', "keep_at_most": 'int', "dry_run": 'bool'}, total=False)
"""What to forget; nothing when both numbers are absent."""


Forgotten = t.TypedDict("Forgotten", {"models": 'int'})
"""What was forgotten."""


FoundModels = t.TypedDict("FoundModels", {"model_list": 't.List[ModelHash]'})
"""The models that were found."""


ChangedModels = t.TypedDict("ChangedModels", {"models": 't.Dict[str, str]'}, total=False)
"""The models that the removal of symbols has changed; without the member if there are none."""


SymbolRecord = t.TypedDict("SymbolRecord", {"features": 'SymbolRecordFeatures', "name": 'Symbol'})
"""A symbol and its counters."""


_VectorRecordAlways = t.TypedDict("_VectorRecordAlways", {"hash": 'str', "length": 'float', "name": 'VectorLabel', "vector": 'Vector'})


class VectorRecord(_VectorRecordAlways, total=False):
    """A learned vector."""

    order: int


_TotalsAlways = t.TypedDict("_TotalsAlways", {"total_model_frequencies": 'int', "total_symbol_frequencies": 'int', "total_symbols_in_models_frequencies": 'int'})


class Totals(_TotalsAlways, total=False):
    """The totals of the counters."""

    forecast_record: t.List[t.List[float]]


AskKnowledgeBase = t.TypedDict("AskKnowledgeBase", {"lines": 'bool'}, total=False)
"""The form of the answer."""


KnowledgeBase = t.TypedDict("KnowledgeBase", {"metadata": 'Totals', "models_kb": 't.Dict[str, ModelRecord]', "symbols_kb": 't.Dict[str, SymbolRecord]', "vectors_kb": 't.Dict[str, VectorRecord]'})
"""All that a processor has learned."""


_KnowledgeBaseToLoadAlways = t.TypedDict("_KnowledgeBaseToLoadAlways", {"models_kb": 't.Dict[str, ModelToLoad]'})


class KnowledgeBaseToLoad(_KnowledgeBaseToLoadAlways, total=False):
    """A knowledge base as get_kb returns it. Counters may be missing: they are computed from the models."""

    metadata: KnowledgeBaseToLoadMetadata
    symbols_kb: t.Dict[str, t.Dict[str, t.Any]]
    vectors_kb: t.Dict[str, VectorToLoad]


_ModelToLoadAlways = t.TypedDict("_ModelToLoadAlways", {"sequence": 't.List[t.List[Symbol]]'})


class ModelToLoad(_ModelToLoadAlways, total=False):
    """A model in a file. Its key must be the name of its sequence."""

    emotives: t.Dict[str, t.Union[t.List[float], float]]
    frequency: int
    metadata: t.List[Metadata]
    name: str
    order: int


_VectorToLoadAlways = t.TypedDict("_VectorToLoadAlways", {"vector": 't.List[float]'})


class VectorToLoad(_VectorToLoadAlways, total=False):
    """A vector in a file. Its key must be the hash of its components."""

    hash: str
    name: str
    order: int


ListedModel = t.TypedDict("ListedModel", {"frequency": 'int', "learned_at": 't.Union[int, None]', "length": 'int', "name": 'ModelHash', "order": 'int', "sequence": 'Sequence'})
"""A model in a list. GET model has its emotives and metadata."""


ListedVector = t.TypedDict("ListedVector", {"features": 'ListedVectorFeatures', "hash": 'str', "length": 'float', "name": 'VectorLabel', "order": 'int'})
"""A learned vector in a list. GET vector has its components."""


ModelPage = t.TypedDict("ModelPage", {"first": 'int', "next": 't.Union[str, None]', "previous": 't.Union[str, None]', "total": 'int', "models": 't.List[ListedModel]'})
"""A page of models."""


SymbolPage = t.TypedDict("SymbolPage", {"first": 'int', "next": 't.Union[str, None]', "previous": 't.Union[str, None]', "total": 'int', "symbols": 't.List[SymbolRecord]'})
"""A page of symbols."""


VectorPage = t.TypedDict("VectorPage", {"first": 'int', "next": 't.Union[str, None]', "previous": 't.Union[str, None]', "total": 'int', "vectors": 't.List[ListedVector]'})
"""A page of vectors."""


AllGenes = t.TypedDict("AllGenes", {"genes": 'Genes'})
"""All genes."""


Increment = t.TypedDict("Increment", {"increment": 'float'})
"""How much to add."""


FrontPage = t.TypedDict("FrontPage", {"links": 'FrontPageLinks', "name": 't.Literal["Noema"]', "version": 'str'})
"""What the server is, for programs."""


Health = t.TypedDict("Health", {"status": 't.Literal["okay", "failed"]'})
"""Whether storage works."""


RecentRequests = t.TypedDict("RecentRequests", {"requests": 't.List[RecentRequest]', "since": 'str'})
"""The requests that a server remembers because they failed, were refused or were slow."""


RecentRequest = t.TypedDict("RecentRequest", {"event": 't.Literal["failed", "key-refused", "refused", "slow"]', "message": 't.Union[str, None]', "milliseconds": 'float', "operation": 't.Union[str, None]', "processor": 't.Union[str, None]', "request_id": 'str', "status": 'int', "time": 'str'})
"""A request that failed, was refused or was slow. Members have the names that they have in the log."""


ProcessorUsage = t.TypedDict("ProcessorUsage", {"id": 'str', "max_models": 't.Union[int, None]', "memory_bytes": 't.Union[int, None]', "memory_limit_bytes": 't.Union[int, None]', "models": 't.Union[int, None]', "name": 'str', "percent_full": 't.Union[float, None]', "sessions": 't.Union[int, None]', "status": 't.Literal["okay", "unused", "failed"]', "storage_bytes": 't.Union[int, None]', "storage_limit_bytes": 'int', "symbols": 't.Union[int, None]', "vectors": 't.Union[int, None]'})
"""How much a processor has learned, and how full it is."""


ToldOthers = t.TypedDict("ToldOthers", {"counted_since": 't.Union[int, None]', "id": 'str', "links": 't.List[Link]', "name": 'str', "status": 't.Literal["okay", "unused", "failed"]', "waiting": 't.Union[int, None]', "waits_for": 't.Union[str, None]'})
"""What a processor has told others."""


Link = t.TypedDict("Link", {"manipulative": 'str', "processor": 'str', "delivered": 'int', "given_up": 'int'})
"""A manipulative, and one of the processors that observe what it sends."""


Alive = t.TypedDict("Alive", {"status": 't.Literal["okay"]'})
"""The gateway runs."""


ProcessorAlive = t.TypedDict("ProcessorAlive", {"message": 't.Literal["okay"]', "status": 't.Literal["okay"]'})
"""The processor answers."""


_ConnectionAlways = t.TypedDict("_ConnectionAlways", {"agent_name": 'str', "connection": 't.Literal["okay", "failed"]', "genie": 'str', "genome": 'Genome', "status": 't.Literal["okay"]'})


class Connection(_ConnectionAlways, total=False):
    """An agent and its genome."""

    rights: KeyRights


_GenomeAlways = t.TypedDict("_GenomeAlways", {"agent": 'str', "elements": 'GenomeElements'})


class Genome(_GenomeAlways, total=False):
    """The description of an agent: its processors, and which of them send predictions to which others."""

    description: t.Any
    style: t.Any


GenomeNode = t.TypedDict("GenomeNode", {"data": 't.Union[Primitive, Manipulative]'})
"""A node of the graph."""


_PrimitiveAlways = t.TypedDict("_PrimitiveAlways", {"type": 't.Literal["primitive"]', "id": 'Identifier', "name": 'Identifier'})


class Primitive(_PrimitiveAlways, total=False):
    """A processor. Its other members may be genes under their names in genomes: the genes of a new processor."""

    manipulatives: t.List[str]
    jurisdiction: Jurisdiction
    location_hint: LocationHint
    endpoint: str
    sort: t.Literal[True, False, "sorting", "not sorting"]
    always_update_frequencies: bool
    auto_learn_algorithm: t.Literal["basic"]
    auto_learn_metric: t.Literal["wm_size", "entropy"]
    classifier: t.Literal["CVC", "DVC"]
    clustering_cluster_threshold: float
    clustering_fuzziness: float
    clustering_intercluster_threshold: float
    clustering_pair_similarity_maximum: float
    enable_genome_snapshots: t.Literal[True, False, "genome snapshots enabled", "genome snapshots disabled"]
    enable_hyper_clustering: t.Literal[True, False, "hyper_clustering enabled", "hyper_clustering disabled"]
    enable_predictions_kb: t.Literal[True, False, "prediction_kb enabled", "prediction_kb disabled"]
    enable_snapshots: t.Literal[True, False, "WM snapshots enabled", "WM snapshots disabled"]
    history: int
    max_models: int
    max_predictions: int
    max_sequence_length: int
    near_vector_count: int
    persistence: int
    predict_on_nth_event: int
    prediction_sort_metric: t.Literal["confidence", "confluence", "entropy", "evidence", "fragmentation", "grand_hamiltonian", "hamiltonian", "itfdf_similarity", "potential", "similarity", "snr", "number_of_blocks"]
    prediction_threshold: float
    prediction_threshold_direction: t.Literal[True, False, "greater than", "less than"]
    prediction_threshold_metric: t.Literal["confidence", "confluence", "entropy", "evidence", "fragmentation", "grand_hamiltonian", "hamiltonian", "itfdf_similarity", "potential", "similarity", "snr", "number_of_blocks"]
    quiescence: int
    recall_threshold: float
    search_depth: int
    session_ttl: int
    smoothness: int
    snapshot_gen_predictions: t.Literal[True, False, "prediction generation on snapshot load enabled", "prediction generation on snapshot load disabled"]
    snapshot_sync_keys: str
    wm_mode: t.Literal["clear", "rolling"]
    wm_resolution: t.Literal["symbol", "event"]


Manipulative = t.TypedDict("Manipulative", {"type": 't.Literal["manipulative"]', "id": 'Identifier', "name": 't.Literal["abstraction"]', "mtype": 't.Literal["output"]', "primitive": 'str', "genes": 'ManipulativeGenes'})
"""Sends parts of a processor's predictions to other processors, which observe them."""


_PlacedProcessorAlways = t.TypedDict("_PlacedProcessorAlways", {"id": 'str'})


class PlacedProcessor(_PlacedProcessorAlways, total=False):
    """Where a new processor is placed. It stays there."""

    location_hint: LocationHint
    jurisdiction: Jurisdiction


GenomeChange = t.TypedDict("GenomeChange", {"added": 't.List[str]', "kept": 't.List[str]', "retired": 't.List[str]', "purged": 't.List[str]', "placed": 't.List[PlacedProcessor]', "renamed": 't.List[GenomeChangeRenamedItem]'})
"""What a hotswap would do."""


_KeyRightsAlways = t.TypedDict("_KeyRightsAlways", {"roles": 't.List[Role]'})


class KeyRights(_KeyRightsAlways, total=False):
    """What the key of the request allows. A key that the deployment configures has the role admin."""

    processors: t.List[str]
    sessions: t.List[str]


_NewKeyAlways = t.TypedDict("_NewKeyAlways", {"name": 'str', "roles": 't.List[Role]'})


class NewKey(_NewKeyAlways, total=False):
    """The rights of a new key."""

    processors: t.List[str]
    sessions: t.List[str]
    expires: float
    per_minute: int


_IssuedKeyAlways = t.TypedDict("_IssuedKeyAlways", {"id": 'str', "created": 'int', "name": 'str', "roles": 't.List[Role]'})


class IssuedKey(_IssuedKeyAlways, total=False):
    """An issued key, without its secret."""

    processors: t.List[str]
    sessions: t.List[str]
    expires: float
    per_minute: int


_CreatedKeyAlways = t.TypedDict("_CreatedKeyAlways", {"id": 'str', "created": 'int', "name": 'str', "roles": 't.List[Role]', "key": 'str'})


class CreatedKey(_CreatedKeyAlways, total=False):
    """A new key, whose text no later answer has."""

    processors: t.List[str]
    sessions: t.List[str]
    expires: float
    per_minute: int


DailyCondition = t.TypedDict("DailyCondition", {"per_day": 'float'})
"""A threshold that follows what is observed, so that about a given number of events a day exceed it."""


_ForecastConditionAlways = t.TypedDict("_ForecastConditionAlways", {"symbol": 'str', "above": 'float'})


class ForecastCondition(_ForecastConditionAlways, total=False):
    """The probability of a symbol above which an alert fires."""

    horizon: int


_NewAlertAlways = t.TypedDict("_NewAlertAlways", {"when": 'AlertCondition'})


class NewAlert(_NewAlertAlways, total=False):
    """An alert to set."""

    url: str
    format: t.Literal["standard", "slack", "ntfy", "text"]
    secret: str


SetAlert = t.TypedDict("SetAlert", {"secret": 'str'}, total=False)
"""The alert is set."""


Alert = t.TypedDict("Alert", {"when": 'AlertCondition', "url": 't.Union[str, None]', "waiting": 'int', "threshold": 't.Union[float, None]', "format": 't.Literal["standard", "slack", "ntfy", "text"]', "last_delivery": 't.Union[AlertDelivery, None]'})
"""An alert, without its secret."""


AlertDelivery = t.TypedDict("AlertDelivery", {"failure": 't.Union[str, None]', "outcome": 't.Literal["delivered", "failed"]', "status": 't.Union[int, None]', "time": 'int'})
"""An attempt to deliver."""


QueuedDelivery = t.TypedDict("QueuedDelivery", {"webhook_id": 'str'})
"""A delivery that is queued."""


Incident = t.TypedDict("Incident", {"id": 'int', "alert": 'str', "session": 't.Union[str, None]', "verdict": 't.Union[t.Literal["normal", "fault", "ignored"], None]', "note": 'str', "events": 'int', "from": 'float', "to": 'float', "interval": 'int', "bits": 'float', "causes": 't.List[Cause]', "expected": 't.List[ExpectedSymbol]'})
"""Events of one memory that passed one alert close together."""


IncidentWithEvidence = t.TypedDict("IncidentWithEvidence", {"id": 'int', "alert": 'str', "session": 't.Union[str, None]', "verdict": 't.Union[t.Literal["normal", "fault", "ignored"], None]', "note": 'str', "events": 'int', "from": 'float', "to": 'float', "interval": 'int', "bits": 'float', "causes": 't.List[Cause]', "expected": 't.List[ExpectedSymbol]', "evidence": 't.List[SeenEvent]'})
"""An incident with its evidence."""


Cause = t.TypedDict("Cause", {"symbol": 'str', "bits": 'float'})
"""A symbol, and its part of the bits of an event."""


SeenEvent = t.TypedDict("SeenEvent", {"interval": 't.Union[float, None]', "time": 't.Union[float, None]', "bits": 't.Union[float, None]', "symbols": 't.List[str]'})
"""An event of a memory, kept to look at."""


_JudgementAlways = t.TypedDict("_JudgementAlways", {"verdict": 't.Union[t.Literal["normal", "fault", "ignored"], None]'})


class Judgement(_JudgementAlways, total=False):
    """What an incident was."""

    note: str


Judged = t.TypedDict("Judged", {"learned": 't.Union[ModelLabel, None]'})
"""The verdict is kept."""


HistoryEvent = t.TypedDict("HistoryEvent", {"interval": 'int', "time": 'float', "bits": 't.Union[float, None]', "symbols": 't.List[str]', "numbers": 't.Dict[str, float]'})
"""An event of the history of a memory."""


Device = t.TypedDict("Device", {"session": 't.Union[str, None]', "incidents": 'int', "last_observed": 'float', "silent": 'bool', "last_surprise": 't.Union[LastSurprise, None]', "processor": 'str'})
"""A memory at a glance."""


LastSurprise = t.TypedDict("LastSurprise", {"bits": 'float', "time": 'float'})
"""The newest incident of a memory."""


_MqttRouteAlways = t.TypedDict("_MqttRouteAlways", {"topic": 'str', "processor": 'str', "learn": 'bool'})


class MqttRoute(_MqttRouteAlways, total=False):
    """Which messages become records, and of which memory."""

    session: str
    strings: t.List[str]
    numbers: t.List[str]
    time: str


_NewMqttRouteAlways = t.TypedDict("_NewMqttRouteAlways", {"topic": 'str', "processor": 'str'})


class NewMqttRoute(_NewMqttRouteAlways, total=False):
    """Which messages become records, and of which memory."""

    session: str
    strings: t.List[str]
    numbers: t.List[str]
    time: str
    learn: bool


_GenesAlways = t.TypedDict("_GenesAlways", {"SORT": 't.Literal["sorting", "not sorting"]', "always_update_frequencies": 'bool', "auto_learn_algorithm": 't.Literal["basic"]', "auto_learn_metric": 't.Literal["wm_size", "entropy"]', "classifier": 't.Literal["CVC", "DVC"]', "clustering_cluster_threshold": 'float', "clustering_fuzziness": 'float', "clustering_intercluster_threshold": 'float', "clustering_pair_similarity_maximum": 'float', "enable_genome_snapshots": 't.Literal["genome snapshots enabled", "genome snapshots disabled"]', "enable_hyper_clustering": 't.Literal["hyper_clustering enabled", "hyper_clustering disabled"]', "enable_predictions_kb": 't.Literal["prediction_kb enabled", "prediction_kb disabled"]', "enable_snapshots": 't.Literal["WM snapshots enabled", "WM snapshots disabled"]', "max_predictions": 'int', "max_sequence_length": 'int', "near_vector_count": 'int', "persistence": 'int', "predict_on_nth_event": 'int', "prediction_sort_metric": 't.Literal["confidence", "confluence", "entropy", "evidence", "fragmentation", "grand_hamiltonian", "hamiltonian", "itfdf_similarity", "potential", "similarity", "snr", "number_of_blocks"]', "prediction_threshold": 'float', "prediction_threshold_direction": 't.Literal["greater than", "less than"]', "prediction_threshold_metric": 't.Literal["confidence", "confluence", "entropy", "evidence", "fragmentation", "grand_hamiltonian", "hamiltonian", "itfdf_similarity", "potential", "similarity", "snr", "number_of_blocks"]', "quiescence": 'int', "recall_threshold": 'float', "search_depth": 'int', "smoothness": 'int', "snapshot_gen_predictions": 't.Literal["prediction generation on snapshot load enabled", "prediction generation on snapshot load disabled"]', "snapshot_sync_keys": 'str', "wm_resolution": 't.Literal["symbol", "event"]'})


class Genes(_GenesAlways, total=False):
    """The genes by name. The defaults are those of a new processor whose genome says nothing else."""

    history: int
    max_models: int
    session_ttl: int
    wm_mode: t.Literal["clear", "rolling"]


GeneChanges = t.TypedDict("GeneChanges", {"SORT": 't.Literal[True, False, "sorting", "not sorting"]', "always_update_frequencies": 'bool', "auto_learn_algorithm": 't.Literal["basic"]', "auto_learn_metric": 't.Literal["wm_size", "entropy"]', "classifier": 't.Literal["CVC", "DVC"]', "clustering_cluster_threshold": 'float', "clustering_fuzziness": 'float', "clustering_intercluster_threshold": 'float', "clustering_pair_similarity_maximum": 'float', "enable_genome_snapshots": 't.Literal[True, False, "genome snapshots enabled", "genome snapshots disabled"]', "enable_hyper_clustering": 't.Literal[True, False, "hyper_clustering enabled", "hyper_clustering disabled"]', "enable_predictions_kb": 't.Literal[True, False, "prediction_kb enabled", "prediction_kb disabled"]', "enable_snapshots": 't.Literal[True, False, "WM snapshots enabled", "WM snapshots disabled"]', "history": 'int', "max_models": 'int', "max_predictions": 'int', "max_sequence_length": 'int', "near_vector_count": 'int', "persistence": 'int', "predict_on_nth_event": 'int', "prediction_sort_metric": 't.Literal["confidence", "confluence", "entropy", "evidence", "fragmentation", "grand_hamiltonian", "hamiltonian", "itfdf_similarity", "potential", "similarity", "snr", "number_of_blocks"]', "prediction_threshold": 'float', "prediction_threshold_direction": 't.Literal[True, False, "greater than", "less than"]', "prediction_threshold_metric": 't.Literal["confidence", "confluence", "entropy", "evidence", "fragmentation", "grand_hamiltonian", "hamiltonian", "itfdf_similarity", "potential", "similarity", "snr", "number_of_blocks"]', "quiescence": 'int', "recall_threshold": 'float', "search_depth": 'int', "session_ttl": 'int', "smoothness": 'int', "snapshot_gen_predictions": 't.Literal[True, False, "prediction generation on snapshot load enabled", "prediction generation on snapshot load disabled"]', "snapshot_sync_keys": 'str', "wm_mode": 't.Literal["clear", "rolling"]', "wm_resolution": 't.Literal["symbol", "event"]'}, total=False)
"""New values of genes by name. All are changed, or none."""


FaultyGenes = t.Literal["faulty-genes-provided"]
"""A name or a value was not accepted, and nothing has changed; `detail` says why."""


Nothing = t.Dict[str, t.Any]
"""An empty object: there is nothing to show."""


Symbol = str
"""A symbol: the smallest thing that a processor tells apart. Well-formed Unicode, compared to the letter."""


Event = t.List[Symbol]
"""An event: the symbols of one moment. Symbols of vectors come first."""


Sequence = t.List[Event]
"""Events, oldest first."""


Vector = t.List[float]
"""A vector: one or more finite doubles. All vectors of a processor have the same number of components."""


Emotives = t.Dict[str, float]
"""How a moment felt: finite doubles by name."""


Numbers = t.Dict[str, float]
"""Readings: finite doubles by name. The encoder of the name turns each into a symbol; a record is refused when one has no encoder."""


Time = t.Union[float, str]
"""When an event happened."""


Seconds = float
"""When the event happened, as its sender said it: epoch seconds."""


Metadata = t.Dict[str, t.Any]
"""Any JSON object. It is kept with the order of its members and is never interpreted."""


Predictions = t.List[Prediction]
"""The ensemble: all predictions, sorted by the gene prediction_sort_metric, the highest first; of equals, the newest model first."""


ModelHash = str
"""The name of a model: the SHA-1 of its sequence as 40 hex digits."""


ModelLabel = str
"""The name of a model behind `MODEL|`."""


SurpriseOrNull = t.Union[Surprise, None]
"""How unexpected the event was; null without an event, a memory before it, or knowledge."""


VectorLabel = str
"""The name of a vector: `VECTOR|` and the hash."""


KnowledgeLine = t.Union[KnowledgeLinePart, KnowledgeLinePart2, KnowledgeLinePart3, KnowledgeLinePart4]
"""A record of a knowledge base as a line."""


LineToLoad = t.Union[LineToLoadPart, LineToLoadPart2, LineToLoadPart3]
"""A record as a line."""


Identifier = str
"""An identifier or a friendly name: 1 to 200 UTF-16 units without `|`, `/` and control characters. Not agent, gaius-api, connect, genome or openapi.json, and not a word that begins with noema.v. Unique in a genome."""


Jurisdiction = t.Literal["eu", "us", "fedramp", "fedramp-high"]
"""Where alone a processor runs and its data stays. Local servers know none."""


LocationHint = t.Literal["afr", "apac", "eeur", "enam", "me", "oc", "sam", "weur", "wnam"]
"""The region near which a processor is made."""


Role = t.Literal["read", "observe", "learn", "manage", "admin"]
"""What a key may do. `read`: Ask for predictions and forecasts, and read what was learned, genes and metrics. `observe`: Observe, clear working memory and open streams; and read working memory. `learn`: Learn working memory. To learn what it observes in the same call, a key needs observe, too. `manage`: Change genes, encoders, alerts, models, symbols and sessions, and read them; load and clear knowledge. `admin`: Everything. Genomes, keys, backups and restores need it. It cannot be limited to processors or sessions."""


AlertCondition = t.Union[AlertConditionPart, AlertConditionPart2, AlertConditionPart3, AlertConditionPart4, AlertConditionPart5]
"""When an alert fires."""


Alerts = t.Dict[str, Alert]
"""Alerts by name."""


MqttRoutes = t.Dict[str, MqttRoute]
"""Routes by name."""


Encoder = t.Union[EncoderPart, EncoderPart2, EncoderPart3, EncoderPart4, EncoderPart5]
"""An encoder with all its members."""


NewEncoder = t.Union[NewEncoderPart, NewEncoderPart2, NewEncoderPart3, NewEncoderPart4, NewEncoderPart5]
"""An encoder. Members that have a default may be left out."""


Encoders = t.Dict[str, Encoder]
"""Encoders by name: that of the numbers that they turn into symbols, or one of their own where they read the time."""
