"""From the OpenAPI document. Written by `npm run generate`; edit the contract instead."""
# ruff: noqa
from __future__ import annotations

import typing as t

from .. import types
from ..place import ABSENT, How, Place, none_is_absent, present, segment


class NoemaOperations(Place):
    """What a server, or an agent of it, does."""

    def get_health(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Health:
        """Says whether storage works.

        Any key will do."""
        answer: t.Any = self._call("get_health", "GET", "health", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Health", answer)

    def ping_agent(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Alive:
        """Answers as long as the gateway runs; asks no processor.

        Any key will do."""
        answer: t.Any = self._call("ping_agent", "GET", "agent/ping", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Alive", answer)

    def get_connection(self, *, rights: t.Optional[bool] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Connection:
        """Returns the agent's genome with the genes as they are now, and what the key allows if asked.

        Any key will do."""
        answer: t.Any = self._call("get_connection", "GET", "connect", "read", query={"rights": none_is_absent(rights)}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Connection", answer)

    def hotswap_genome(self, genome: types.Genome, *, purge: t.Optional[bool] = None, dry_run: t.Optional[bool] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Dict[str, t.Any]:
        """Replaces the agent's genome, or says what that would do: adds and removes processors; those that stay keep their memory and genes.

        The key needs the role admin."""
        answer: t.Any = self._call("hotswap_genome", "POST", "genome/hotswap", "once", query={"purge": none_is_absent(purge), "dry_run": none_is_absent(dry_run)}, body=genome, how=How(timeout, retries, None))
        return t.cast("t.Dict[str, t.Any]", answer)

    def create_key(self, *, name: str, roles: t.Sequence[types.Role], processors: t.Optional[t.Sequence[str]] = None, sessions: t.Optional[t.Sequence[str]] = None, expires: t.Optional[float] = None, per_minute: t.Optional[int] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.CreatedKey:
        """Issues a key with some rights. Its text is shown once and never again.

        The key needs the role admin.

        :param name: What the owner calls the key: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.
        :param roles: What the key may do. Each role once.
        :param processors: The identifiers of the only processors that the key opens. Not with the role admin.
        :param sessions: The only sessions that the key opens: names, or beginnings of names with `*` behind. Not with the role admin.
        :param expires: From when on the key is not accepted, in seconds since 1970. In the future, when the key is made.
        :param per_minute: How many requests the key may make in a minute, counted where they arrive."""
        answer: t.Any = self._call("create_key", "POST", "keys", "once", query={}, body={"data": present({"name": name, "roles": roles, "processors": none_is_absent(processors), "sessions": none_is_absent(sessions), "expires": none_is_absent(expires), "per_minute": none_is_absent(per_minute)})}, how=How(timeout, retries, None))
        return t.cast("types.CreatedKey", answer["message"])

    def list_keys(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.IssuedKey]:
        """Lists the issued keys in the order in which they were made, without their secrets.

        The key needs the role admin."""
        answer: t.Any = self._call("list_keys", "GET", "keys", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.List[types.IssuedKey]", answer["message"])

    def delete_key(self, key: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> None:
        """Deletes an issued key: after 30 s at most, it is refused everywhere.

        The key needs the role admin."""
        self._call("delete_key", "DELETE", f'keys/{segment("key", key)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))

    def list_mqtt_routes(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.MqttRoutes:
        """Returns all routes by name.

        The key needs the role read or manage."""
        answer: t.Any = self._call("list_mqtt_routes", "GET", "mqtt/routes", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.MqttRoutes", answer["message"])

    def get_mqtt_route(self, name: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.MqttRoute:
        """Returns one route.

        The key needs the role read or manage."""
        answer: t.Any = self._call("get_mqtt_route", "GET", f'mqtt/routes/{segment("name", name)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.MqttRoute", answer["message"])

    def put_mqtt_route(self, name: str, *, topic: str, processor: str, session: t.Optional[str] = None, strings: t.Optional[t.Sequence[str]] = None, numbers: t.Optional[t.Sequence[str]] = None, time: t.Optional[str] = None, learn: t.Optional[bool] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.MqttRoute:
        """Adds a route, which makes records of the messages of some topics, or replaces it.

        The key needs the role manage.

        :param topic: The topic filter: `+` is any one level, `#` at the end is all further levels. Noema's own topics, `noema/...`, are never routed.
        :param processor: The identifier or name of the processor. `{1}` stands for the first level of the topic, and so on.
        :param session: The session, with levels as in processor. Absent: the processor's own memory.
        :param strings: The members of the JSON payload that become symbols `member=value`: texts, booleans and numbers. `a.b` is the member b of the member a, an empty text the whole payload.
        :param numbers: The members of the JSON payload that become numbers, each for the encoder of the member's name. For the whole payload, an empty text, that is the route's name.
        :param time: The member of the JSON payload that says when the event happened: epoch seconds, or RFC 3339 text. Absent: events happen when they arrive.
        :param learn: Whether to learn after each record."""
        answer: t.Any = self._call("put_mqtt_route", "PUT", f'mqtt/routes/{segment("name", name)}', "read", query={}, body={"data": present({"topic": topic, "processor": processor, "session": none_is_absent(session), "strings": none_is_absent(strings), "numbers": none_is_absent(numbers), "time": none_is_absent(time), "learn": none_is_absent(learn)})}, how=How(timeout, retries, None))
        return t.cast("types.MqttRoute", answer["message"])

    def delete_mqtt_route(self, name: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> None:
        """Deletes a route.

        The key needs the role manage."""
        self._call("delete_mqtt_route", "DELETE", f'mqtt/routes/{segment("name", name)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))

    def get_recent_requests(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.RecentRequests:
        """Returns the newest requests that failed, were refused or were slow, as this server remembers them.

        The key needs the role read."""
        answer: t.Any = self._call("get_recent_requests", "GET", "requests/recent", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.RecentRequests", answer["message"])

    def get_processors(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.ProcessorUsage]:
        """Returns how much each processor of the agent has learned and how full it is; loads none into memory.

        The key needs the role read."""
        answer: t.Any = self._call("get_processors", "GET", "processors", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.List[types.ProcessorUsage]", answer["message"])

    def get_links(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.ToldOthers]:
        """Returns how many events went from processor to processor, and how many wait; loads none into memory.

        The key needs the role read."""
        answer: t.Any = self._call("get_links", "GET", "links", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.List[types.ToldOthers]", answer["message"])

    def list_devices(self, *, limit: t.Optional[int] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.Device]:
        """Lists the memories of all processors that have observed, those that need a look first.

        The key needs the role read."""
        answer: t.Any = self._call("list_devices", "GET", "devices", "read", query={"limit": none_is_absent(limit)}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.List[types.Device]", answer["message"])


class MemoryOperations(Place):
    """What is done with one working memory: a processor's own, or a session's."""

    def learn(self, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.ModelLabel, None]:
        """Stores working memory as a model, then clears working memory.

        The key needs the role learn."""
        answer: t.Any = self._call("learn", "POST", "learn", "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Union[types.ModelLabel, None]", answer["message"])

    def clear_working_memory(self, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["wm-cleared"]:
        """Empties working memory without learning it.

        The key needs the role observe."""
        answer: t.Any = self._call("clear_working_memory", "POST", "working-memory/clear", "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['wm-cleared']", answer["message"])

    def get_working_memory(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Sequence:
        """Returns working memory.

        The key needs the role read or observe."""
        answer: t.Any = self._call("get_working_memory", "GET", "working-memory", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Sequence", answer["message"])

    def get_percept(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.Percept, types.Nothing]:
        """Returns the last observation as it was sent.

        The key needs the role read or observe."""
        answer: t.Any = self._call("get_percept", "GET", "percept-data", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.Union[types.Percept, types.Nothing]", answer["message"])

    def get_predictions(self, *, unique_id: t.Optional[str] = None, sequence: t.Optional[t.Sequence[t.Sequence[types.Symbol]]] = None, top: t.Optional[int] = None, fields: t.Optional[t.Sequence[t.Literal["confidence", "confluence", "emotives", "entropy", "evidence", "extras", "fragmentation", "frequency", "future", "grand_hamiltonian", "hamiltonian", "itfdf_similarity", "matches", "missing", "name", "past", "potential", "present", "similarity", "snr", "type"]]] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.Predictions, t.List[types.PartialPrediction]]:
        """Returns what working memory predicts, or what a sequence would, best prediction first.

        The key needs the role read.

        :param unique_id: If the last observation has another identifier, the answer is an empty list.
        :param sequence: What to predict from in place of working memory. Nothing is observed.
        :param top: The most predictions to return.
        :param fields: The members to return of each prediction; one or more. All if absent."""
        answer: t.Any = self._call("get_predictions", "POST", "predictions", "read", query={}, body={"data": present({"unique_id": none_is_absent(unique_id), "sequence": none_is_absent(sequence), "top": none_is_absent(top), "fields": none_is_absent(fields)})} if present({"unique_id": none_is_absent(unique_id), "sequence": none_is_absent(sequence), "top": none_is_absent(top), "fields": none_is_absent(fields)}) else ABSENT, how=How(timeout, retries, None))
        return t.cast("t.Union[types.Predictions, t.List[types.PartialPrediction]]", answer["message"])

    def get_forecast(self, *, horizon: t.Optional[int] = None, top: t.Optional[int] = None, sequence: t.Optional[t.Sequence[t.Sequence[types.Symbol]]] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Forecast:
        """Says what comes next after working memory, or after a sequence, and how likely it is.

        The key needs the role read.

        :param horizon: The number of events ahead. 1 if absent.
        :param top: Maximum number of symbols of each event. 10 if absent.
        :param sequence: What to forecast from in place of working memory. Nothing is observed. No event may be empty."""
        answer: t.Any = self._call("get_forecast", "POST", "forecast", "read", query={}, body={"data": present({"horizon": none_is_absent(horizon), "top": none_is_absent(top), "sequence": none_is_absent(sequence)})} if present({"horizon": none_is_absent(horizon), "top": none_is_absent(top), "sequence": none_is_absent(sequence)}) else ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Forecast", answer["message"])

    def count_matching_models(self, *, recall_thresholds: t.Optional[t.Sequence[float]] = None, sequence: t.Optional[t.Sequence[t.Sequence[types.Symbol]]] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.MatchingModels:
        """Counts how many models working memory, or a sequence, would match with each recall threshold.

        The key needs the role read.

        :param recall_thresholds: The thresholds. 0, 0.01, 0.02 and so on up to 1 if absent.
        :param sequence: What to match in place of working memory. Nothing is observed."""
        answer: t.Any = self._call("count_matching_models", "POST", "matching-models", "read", query={}, body={"data": present({"recall_thresholds": none_is_absent(recall_thresholds), "sequence": none_is_absent(sequence)})} if present({"recall_thresholds": none_is_absent(recall_thresholds), "sequence": none_is_absent(sequence)}) else ABSENT, how=How(timeout, retries, None))
        return t.cast("types.MatchingModels", answer["message"])

    def sequence_surprise(self, *, sequence: t.Sequence[t.Sequence[types.Symbol]], complete: t.Optional[bool] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.SequenceSurprise, None]:
        """Says how unusual a whole sequence would be, and why; nothing is observed.

        The key needs the role read.

        :param complete: Whether nothing more comes: then its end counts, and what is missing. True if absent.
        :param sequence: The events, oldest first: 1 to 1,000, none empty."""
        answer: t.Any = self._call("sequence_surprise", "POST", "surprise/sequence", "read", query={}, body={"data": present({"complete": none_is_absent(complete), "sequence": sequence})}, how=How(timeout, retries, None))
        return t.cast("t.Union[types.SequenceSurprise, None]", answer["message"])

    def get_cognition(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Cognition:
        """Returns the last observation as the processor understood it, with working memory and predictions.

        The key needs the role read or observe."""
        answer: t.Any = self._call("get_cognition", "GET", "cognition-data", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Cognition", answer["message"])

    def explain_prediction(self, *, model: str, sequence: t.Optional[t.Sequence[t.Sequence[types.Symbol]]] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.PredictionExplanation, None]:
        """Returns what the numbers of a prediction are computed from.

        The key needs the role read.

        :param sequence: What to predict from in place of working memory. Nothing is observed. No event may be empty.
        :param model: The model's hash, with or without `MODEL|`."""
        answer: t.Any = self._call("explain_prediction", "POST", "predictions/explain", "read", query={}, body={"data": present({"sequence": none_is_absent(sequence), "model": model})}, how=How(timeout, retries, None))
        return t.cast("t.Union[types.PredictionExplanation, None]", answer["message"])

    def explain_forecast(self, *, symbol: types.Symbol, horizon: t.Optional[int] = None, within: t.Optional[bool] = None, sequence: t.Optional[t.Sequence[t.Sequence[types.Symbol]]] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.ForecastExplanation, None]:
        """Says why a symbol has its probability in a forecast.

        The key needs the role read.

        :param horizon: The number of events ahead. 1 if absent.
        :param within: Whether in one or more of the events up to there, and not in the one there. False if absent.
        :param sequence: What to forecast from in place of working memory. Nothing is observed. No event may be empty."""
        answer: t.Any = self._call("explain_forecast", "POST", "forecast/explain", "read", query={}, body={"data": present({"symbol": symbol, "horizon": none_is_absent(horizon), "within": none_is_absent(within), "sequence": none_is_absent(sequence)})}, how=How(timeout, retries, None))
        return t.cast("t.Union[types.ForecastExplanation, None]", answer["message"])

    def explain_surprise(self, *, event: t.Sequence[types.Symbol], sequence: t.Optional[t.Sequence[t.Sequence[types.Symbol]]] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.SurpriseExplanation, None]:
        """Says how unexpected an event would be, and why; nothing is observed.

        The key needs the role read.

        :param event: The event; it holds one or more symbols.
        :param sequence: What the event comes after in place of working memory. Nothing is observed. No event may be empty."""
        answer: t.Any = self._call("explain_surprise", "POST", "surprise/explain", "read", query={}, body={"data": present({"event": event, "sequence": none_is_absent(sequence)})}, how=How(timeout, retries, None))
        return t.cast("t.Union[types.SurpriseExplanation, None]", answer["message"])

    def get_status(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Status:
        """Returns the processor's flags, counters and sizes.

        The key needs the role read or observe."""
        answer: t.Any = self._call("get_status", "GET", "status", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Status", answer["message"])

    def set_target_class(self, symbol: types.Symbol, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["set-target-class"]:
        """Limits predictions to models whose last event holds the symbol.

        The key needs the role observe."""
        answer: t.Any = self._call("set_target_class", "POST", "set-target-class", "keyed", query={}, body={"data": symbol}, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['set-target-class']", answer["message"])

    def clear_target_class(self, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["cleared-target-class"]:
        """Removes the target class, so that every model can be predicted.

        The key needs the role observe."""
        answer: t.Any = self._call("clear_target_class", "POST", "clear-target-class", "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['cleared-target-class']", answer["message"])

    def list_incidents(self, *, after: t.Optional[int] = None, limit: t.Optional[int] = None, session: t.Optional[str] = None, verdict: t.Optional[t.Literal["open", "normal", "fault", "ignored"]] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.Incident]:
        """Lists incidents, newest first: events that passed an alert close together.

        The key needs the role read."""
        answer: t.Any = self._call("list_incidents", "GET", "incidents", "read", query={"after": none_is_absent(after), "limit": none_is_absent(limit), "session": none_is_absent(session), "verdict": none_is_absent(verdict)}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.List[types.Incident]", answer["message"])

    def get_incident(self, incident: int, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.IncidentWithEvidence:
        """Returns one incident with its evidence.

        The key needs the role read."""
        answer: t.Any = self._call("get_incident", "GET", f'incidents/{segment("incident", incident)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.IncidentWithEvidence", answer["message"])

    def judge_incident(self, incident: int, *, verdict: t.Union[t.Literal["normal", "fault", "ignored"], None], note: t.Optional[str] = None, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Judged:
        """Sets an incident's verdict; the first time it is normal, the incident's events are learned.

        The key needs the role manage.

        :param verdict: What the incident was; null to withdraw a verdict.
        :param note: A note, at most 1,000 characters; the one before stays when absent."""
        answer: t.Any = self._call("judge_incident", "PUT", f'incidents/{segment("incident", incident)}', "keyed", query={}, body={"data": present({"verdict": verdict, "note": none_is_absent(note)})}, how=How(timeout, retries, idempotency_key))
        return t.cast("types.Judged", answer["message"])

    def get_history(self, *, before: t.Optional[int] = None, limit: t.Optional[int] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.HistoryEvent]:
        """Returns the history of a memory: its newest events, newest first.

        The key needs the role read."""
        answer: t.Any = self._call("get_history", "GET", "history", "read", query={"before": none_is_absent(before), "limit": none_is_absent(limit)}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.List[types.HistoryEvent]", answer["message"])


class ProcessorOperations(Place):
    """What is done with a processor itself, whichever memory."""

    def clear_all_memory(self, *, clear_blacklist: t.Optional[bool] = None, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["all-cleared"]:
        """Deletes everything learned and observed; genes, flags and the target class stay.

        The key needs the role manage.

        :param clear_blacklist: Whether to empty the blacklist too. true if absent."""
        answer: t.Any = self._call("clear_all_memory", "POST", "clear-all-memory", "keyed", query={}, body={"data": present({"clear_blacklist": none_is_absent(clear_blacklist)})} if present({"clear_blacklist": none_is_absent(clear_blacklist)}) else ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['all-cleared']", answer["message"])

    def record_symbols(self, records: t.Sequence[types.Gdf], *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[t.List[types.Symbol]]:
        """Says which symbols records would make, vectors too; nothing is observed.

        The key needs the role read.

        :param records: The records, oldest first. 50,000 at most, unless the server was set up otherwise."""
        answer: t.Any = self._call("record_symbols", "POST", "record-symbols", "read", query={}, body={"data": present({"records": records})}, how=How(timeout, retries, None))
        return t.cast("t.List[t.List[types.Symbol]]", answer["message"])

    def list_sessions(self, *, after: t.Optional[str] = None, limit: t.Optional[int] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.Session]:
        """Lists sessions by name.

        The key needs the role read or manage."""
        answer: t.Any = self._call("list_sessions", "GET", "sessions", "read", query={"after": none_is_absent(after), "limit": none_is_absent(limit)}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.List[types.Session]", answer["message"])

    def end_session(self, session: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["session-ended"]:
        """Ends a session: its memory is gone, and what it has learned stays.

        The key needs the role manage."""
        answer: t.Any = self._call("end_session", "DELETE", f'sessions/{segment("session", session)}', "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['session-ended']", answer["message"])

    def ping(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.ProcessorAlive:
        """Answers as long as the processor can be reached.

        Any key will do."""
        answer: t.Any = self._call("ping", "GET", "ping", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.ProcessorAlive", answer)

    def get_name(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> str:
        """Returns the processor's friendly name.

        The key needs the role read."""
        answer: t.Any = self._call("get_name", "GET", "name", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("str", answer["message"])

    def get_info(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Info:
        """Returns version, build, classifier and memory use.

        The key needs the role read."""
        answer: t.Any = self._call("get_info", "GET", "info", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Info", answer["message"])

    def start_predicting(self, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["activated-predictions"]:
        """Turns predictions on.

        The key needs the role manage."""
        answer: t.Any = self._call("start_predicting", "POST", "predicting/start", "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['activated-predictions']", answer["message"])

    def stop_predicting(self, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["deactivated-predictions"]:
        """Turns predictions off.

        The key needs the role manage."""
        answer: t.Any = self._call("stop_predicting", "POST", "predicting/stop", "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['deactivated-predictions']", answer["message"])

    def start_autolearning(self, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["activated-autolearn"]:
        """Lets the processor learn by itself, as the genes auto_learn_metric and max_sequence_length say.

        The key needs the role manage."""
        answer: t.Any = self._call("start_autolearning", "POST", "autolearning/start", "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['activated-autolearn']", answer["message"])

    def stop_autolearning(self, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["deactivated-autolearn"]:
        """Lets the processor learn only when told.

        The key needs the role manage."""
        answer: t.Any = self._call("stop_autolearning", "POST", "autolearning/stop", "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['deactivated-autolearn']", answer["message"])

    def start_sleeping(self, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["asleep"]:
        """Clears working memory and ignores observations from now on.

        The key needs the role manage."""
        answer: t.Any = self._call("start_sleeping", "POST", "sleeping/start", "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['asleep']", answer["message"])

    def stop_sleeping(self, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["awake"]:
        """Accepts observations again.

        The key needs the role manage."""
        answer: t.Any = self._call("stop_sleeping", "POST", "sleeping/stop", "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['awake']", answer["message"])

    def increment_recall_threshold(self, increment: float, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> str:
        """Adds a number to the gene recall_threshold, which must stay between 0 and 1.

        The key needs the role manage.

        :param increment: What to add to the gene recall_threshold, which must stay from 0 to 1. May be negative."""
        answer: t.Any = self._call("increment_recall_threshold", "POST", "gene/increment-recall-threshold", "keyed", query={}, body=present({"increment": increment}), how=How(timeout, retries, idempotency_key))
        return t.cast("str", answer["message"])

    def get_gene(self, gene: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> str:
        """Returns one gene as a string.

        The key needs the role read or manage."""
        answer: t.Any = self._call("get_gene", "GET", f'gene/{segment("gene", gene)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("str", answer["message"])

    def get_all_genes(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Genes:
        """Returns all genes.

        The key needs the role read or manage."""
        answer: t.Any = self._call("get_all_genes", "GET", "all-genes", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Genes", answer["message"]["genes"])

    def change_genes(self, genes: types.GeneChanges, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["updated-genes"]:
        """Changes several genes, all or none.

        The key needs the role manage."""
        answer: t.Any = self._call("change_genes", "POST", "genes/change", "keyed", query={}, body={"data": genes}, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['updated-genes']", answer["message"])

    def list_encoders(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Encoders:
        """Returns all encoders by name.

        The key needs the role read or manage."""
        answer: t.Any = self._call("list_encoders", "GET", "encoders", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Encoders", answer["message"])

    def get_encoder(self, name: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Encoder:
        """Returns one encoder.

        The key needs the role read or manage."""
        answer: t.Any = self._call("get_encoder", "GET", f'encoders/{segment("name", name)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Encoder", answer["message"])

    def put_encoder(self, name: str, encoder: types.NewEncoder, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Encoder:
        """Adds an encoder for the numbers of its name, or replaces it.

        The key needs the role manage."""
        answer: t.Any = self._call("put_encoder", "PUT", f'encoders/{segment("name", name)}', "keyed", query={}, body={"data": encoder}, how=How(timeout, retries, idempotency_key))
        return t.cast("types.Encoder", answer["message"])

    def delete_encoder(self, name: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> None:
        """Deletes an encoder. Numbers of its name are refused from then on.

        The key needs the role manage."""
        self._call("delete_encoder", "DELETE", f'encoders/{segment("name", name)}', "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))

    def list_alerts(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Alerts:
        """Returns all alerts by name, without their secrets.

        The key needs the role manage."""
        answer: t.Any = self._call("list_alerts", "GET", "alerts", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Alerts", answer["message"])

    def get_alert(self, name: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Alert:
        """Returns one alert, without its secret, and how its last delivery ended.

        The key needs the role manage."""
        answer: t.Any = self._call("get_alert", "GET", f'alerts/{segment("name", name)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Alert", answer["message"])

    def set_alert(self, name: str, *, when: types.AlertCondition, url: t.Optional[str] = None, format: t.Optional[t.Literal["standard", "slack", "ntfy", "text"]] = None, secret: t.Optional[str] = None, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.SetAlert:
        """Sets an alert: what stands out becomes an incident, and a webhook is notified of that, of a forecast, or of what is learned.

        The key needs the role manage.

        :param url: Where it is delivered: https, of a host in `NOEMA_ALERT_HOSTS`, at most 2048 characters. If absent, nothing is delivered.
        :param format: How deliveries are written; standard if absent.
        :param secret: Signs what is delivered: `whsec_` and the base64 of 24 to 64 bytes. Generated if absent."""
        answer: t.Any = self._call("set_alert", "PUT", f'alerts/{segment("name", name)}', "keyed", query={}, body={"data": present({"when": when, "url": none_is_absent(url), "format": none_is_absent(format), "secret": none_is_absent(secret)})}, how=How(timeout, retries, idempotency_key))
        return t.cast("types.SetAlert", answer["message"])

    def delete_alert(self, name: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> None:
        """Deletes an alert, and what it has not delivered yet.

        The key needs the role manage."""
        self._call("delete_alert", "DELETE", f'alerts/{segment("name", name)}', "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))

    def test_alert(self, name: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.QueuedDelivery:
        """Queues a test delivery, to see whether it arrives.

        The key needs the role manage."""
        answer: t.Any = self._call("test_alert", "POST", f'alerts/{segment("name", name)}/test', "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("types.QueuedDelivery", answer["message"])

    def get_model(self, model: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.Model, types.Nothing]:
        """Returns a model, or an empty object if there is none with this name.

        The key needs the role read or manage."""
        answer: t.Any = self._call("get_model", "GET", f'model/{segment("model", model)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.Union[types.Model, types.Nothing]", answer["message"])

    def delete_model(self, model: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["deleted", "model-not-found"]:
        """Deletes a model.

        The key needs the role manage."""
        answer: t.Any = self._call("delete_model", "DELETE", f'model/{segment("model", model)}', "keyed", query={}, body=ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['deleted', 'model-not-found']", answer["message"])

    def update_model(self, model: str, *, sequence: t.Optional[t.Sequence[t.Sequence[types.Symbol]]] = None, frequency: t.Optional[int] = None, emotives: t.Optional[t.Mapping[str, t.Union[t.Sequence[float], float]]] = None, metadata: t.Optional[t.Sequence[types.Metadata]] = None, length: t.Optional[t.Any] = None, name: t.Optional[t.Any] = None, predecessor_model: t.Optional[t.Any] = None, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.ModelHash, t.Literal["failed-to-update-model"]]:
        """Replaces members of a model; a new sequence gives the model a new name.

        The key needs the role manage.

        :param sequence: The new events, oldest first; one or more. They give the model a new name.
        :param frequency: How often the model counts as learned.
        :param emotives: The values of each emotive by name, oldest first. The gene persistence says how many are kept.
        :param metadata: The metadata of each event, one object per event.
        :param length: Follows from the rest and has no effect, so that a model can be sent back as it was read.
        :param name: Follows from the rest and has no effect, so that a model can be sent back as it was read.
        :param predecessor_model: Follows from the rest and has no effect, so that a model can be sent back as it was read."""
        answer: t.Any = self._call("update_model", "PUT", f'model/{segment("model", model)}', "keyed", query={}, body={"model": present({"sequence": none_is_absent(sequence), "frequency": none_is_absent(frequency), "emotives": none_is_absent(emotives), "metadata": none_is_absent(metadata), "length": none_is_absent(length), "name": none_is_absent(name), "predecessor_model": none_is_absent(predecessor_model)})} if present({"sequence": none_is_absent(sequence), "frequency": none_is_absent(frequency), "emotives": none_is_absent(emotives), "metadata": none_is_absent(metadata), "length": none_is_absent(length), "name": none_is_absent(name), "predecessor_model": none_is_absent(predecessor_model)}) else ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Union[types.ModelHash, t.Literal['failed-to-update-model']]", answer["message"])

    def add_model(self, *, sequence: t.Sequence[t.Sequence[types.Symbol]], vector: t.Optional[t.Union[t.Sequence[float], None]] = None, frequency: t.Optional[t.Union[int, None]] = None, emotives: t.Optional[t.Union[t.Mapping[str, t.Union[t.Sequence[float], float]], None]] = None, metadata: t.Optional[t.Union[t.Sequence[types.Metadata], None]] = None, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.ModelHash:
        """Adds a model as if the processor had learned it.

        The key needs the role manage.

        :param sequence: The events, oldest first; one or more.
        :param vector: A vector to store as a learned one; null or an empty list for none.
        :param frequency: How often the model counts as learned. 1 if absent.
        :param emotives: The values of each emotive by name.
        :param metadata: The metadata of each event."""
        answer: t.Any = self._call("add_model", "PUT", "add-model", "keyed", query={}, body=present({"sequence": sequence, "vector": none_is_absent(vector), "frequency": none_is_absent(frequency), "emotives": none_is_absent(emotives), "metadata": none_is_absent(metadata)}), how=How(timeout, retries, idempotency_key))
        return t.cast("types.ModelHash", answer["message"]["name"])

    def forget_models(self, *, frequency_below: t.Optional[int] = None, keep_at_most: t.Optional[int] = None, dry_run: t.Optional[bool] = None, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> int:
        """Forgets rarely learned models, or counts them.

        The key needs the role manage.

        :param frequency_below: Models that were learned fewer times than this.
        :param keep_at_most: Then the least frequent of the others, of equals the oldest, until that number is left.
        :param dry_run: Whether only to count them."""
        answer: t.Any = self._call("forget_models", "POST", "forget", "keyed", query={}, body={"data": present({"frequency_below": none_is_absent(frequency_below), "keep_at_most": none_is_absent(keep_at_most), "dry_run": none_is_absent(dry_run)})} if present({"frequency_below": none_is_absent(frequency_below), "keep_at_most": none_is_absent(keep_at_most), "dry_run": none_is_absent(dry_run)}) else ABSENT, how=How(timeout, retries, idempotency_key))
        return t.cast("int", answer["message"]["models"])

    def find_models_with_symbols(self, symbols: t.Sequence[types.Symbol], *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.ModelHash]:
        """Returns the names of the models that hold all of the symbols.

        The key needs the role read or manage.

        :param symbols: Symbols."""
        answer: t.Any = self._call("find_models_with_symbols", "POST", "get-models-with-symbols", "read", query={}, body={"data": symbols}, how=How(timeout, retries, None))
        return t.cast("t.List[types.ModelHash]", answer["message"]["model_list"])

    def find_models_with_patterns(self, patterns: t.Sequence[str], *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.ModelHash]:
        """Returns the names of the models in which every regular expression matches a whole symbol.

        The key needs the role read or manage.

        :param patterns: Patterns: regular expressions as Python's `re` has them. Each must match a whole symbol."""
        answer: t.Any = self._call("find_models_with_patterns", "POST", "get-models-with-patterns", "read", query={}, body={"data": patterns}, how=How(timeout, retries, None))
        return t.cast("t.List[types.ModelHash]", answer["message"]["model_list"])

    def list_models(self, *, sort: t.Optional[t.Literal["order", "learned_at", "frequency", "length", "name"]] = None, direction: t.Optional[t.Literal["asc", "desc"]] = None, cursor: t.Optional[str] = None, limit: t.Optional[int] = None, name: t.Optional[str] = None, symbol: t.Optional[t.Sequence[str]] = None, pattern: t.Optional[t.Sequence[str]] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.ModelPage:
        """Lists models, sorted and searched, a page at a time.

        The key needs the role read or manage."""
        answer: t.Any = self._call("list_models", "GET", "models", "read", query={"sort": none_is_absent(sort), "direction": none_is_absent(direction), "cursor": none_is_absent(cursor), "limit": none_is_absent(limit), "name": none_is_absent(name), "symbol": none_is_absent(symbol), "pattern": none_is_absent(pattern)}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.ModelPage", answer["message"])

    def get_predictions_for_model(self, model: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.Predictions:
        """Returns predictions as if the model's sequence were in working memory.

        The key needs the role read."""
        answer: t.Any = self._call("get_predictions_for_model", "GET", f'prediction-ensemble-for-model/{segment("model", model)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.Predictions", answer["message"])

    def get_symbol(self, symbol: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.SymbolRecord, None]:
        """Returns a symbol's counters, or null if the symbol is unknown.

        The key needs the role read or manage."""
        answer: t.Any = self._call("get_symbol", "GET", f'symbol/{segment("symbol", symbol)}', "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.Union[types.SymbolRecord, None]", answer["message"])

    def get_vector(self, vector: str, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.VectorRecord:
        """Returns a learned vector; the body or the query's `data` names it.

        The key needs the role read or manage."""
        answer: t.Any = self._call("get_vector", "GET", "vector", "read", query={"data": vector}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.VectorRecord", answer["message"])

    def list_symbols(self, *, sort: t.Optional[t.Literal["frequency", "model_member_frequency", "name"]] = None, direction: t.Optional[t.Literal["asc", "desc"]] = None, cursor: t.Optional[str] = None, limit: t.Optional[int] = None, name: t.Optional[str] = None, pattern: t.Optional[t.Sequence[str]] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.SymbolPage:
        """Lists the symbols in models, sorted and searched, a page at a time.

        The key needs the role read or manage."""
        answer: t.Any = self._call("list_symbols", "GET", "symbols", "read", query={"sort": none_is_absent(sort), "direction": none_is_absent(direction), "cursor": none_is_absent(cursor), "limit": none_is_absent(limit), "name": none_is_absent(name), "pattern": none_is_absent(pattern)}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.SymbolPage", answer["message"])

    def list_vectors(self, *, sort: t.Optional[t.Literal["order", "frequency", "name"]] = None, direction: t.Optional[t.Literal["asc", "desc"]] = None, cursor: t.Optional[str] = None, limit: t.Optional[int] = None, name: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> types.VectorPage:
        """Lists the learned vectors, sorted and searched, a page at a time.

        The key needs the role read or manage."""
        answer: t.Any = self._call("list_vectors", "GET", "vectors", "read", query={"sort": none_is_absent(sort), "direction": none_is_absent(direction), "cursor": none_is_absent(cursor), "limit": none_is_absent(limit), "name": none_is_absent(name)}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("types.VectorPage", answer["message"])

    def remove_symbols(self, symbols: t.Sequence[types.Symbol], *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Optional[t.Dict[str, str]]:
        """Removes symbols from all models and blacklists them.

        The key needs the role manage.

        :param symbols: Symbols."""
        answer: t.Any = self._call("remove_symbols", "POST", "symbols/remove", "keyed", query={}, body={"data": symbols}, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Optional[t.Dict[str, str]]", answer["message"].get("models"))

    def remove_patterns(self, patterns: t.Sequence[str], *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Optional[t.Dict[str, str]]:
        """Removes the symbols that the regular expressions match from all models, without blacklisting them.

        The key needs the role manage.

        :param patterns: Patterns: regular expressions as Python's `re` has them. Each must match a whole symbol."""
        answer: t.Any = self._call("remove_patterns", "DELETE", "patterns/remove", "keyed", query={}, body={"data": patterns}, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Optional[t.Dict[str, str]]", answer["message"].get("models"))

    def add_blacklisted_symbols(self, symbols: t.Sequence[types.Symbol], *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["added-blacklisted-symbols"]:
        """Blacklists symbols: later observations drop them.

        The key needs the role manage.

        :param symbols: Symbols."""
        answer: t.Any = self._call("add_blacklisted_symbols", "POST", "blacklisted-symbols/add", "keyed", query={}, body={"data": symbols}, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['added-blacklisted-symbols']", answer["message"])

    def list_blacklisted_symbols(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.List[types.Symbol]:
        """Returns the blacklisted symbols in the order in which they were added.

        The key needs the role read or manage."""
        answer: t.Any = self._call("list_blacklisted_symbols", "GET", "list-blacklisted-symbols", "read", query={}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.List[types.Symbol]", answer["message"])

    def remove_blacklisted_symbols(self, symbols: t.Sequence[types.Symbol], *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Literal["removed-blacklisted-symbols", "failed-to-remove-some-symbols-from-blacklist"]:
        """Takes symbols off the blacklist.

        The key needs the role manage.

        :param symbols: Symbols."""
        answer: t.Any = self._call("remove_blacklisted_symbols", "DELETE", "blacklisted-symbols/remove", "keyed", query={}, body={"data": symbols}, how=How(timeout, retries, idempotency_key))
        return t.cast("t.Literal['removed-blacklisted-symbols', 'failed-to-remove-some-symbols-from-blacklist']", answer["message"])

    def get_knowledge_base(self, *, order: t.Optional[bool] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> t.Union[types.KnowledgeBase, t.List[types.KnowledgeLine]]:
        """Returns the knowledge base, as an object or as a list of records.

        The key needs the role read or manage."""
        answer: t.Any = self._call("get_knowledge_base", "GET", "get_kb", "read", query={"order": none_is_absent(order)}, body=ABSENT, how=How(timeout, retries, None))
        return t.cast("t.Union[types.KnowledgeBase, t.List[types.KnowledgeLine]]", answer["message"])
