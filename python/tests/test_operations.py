"""Every operation of the OpenAPI document has a method, which sends what the operation's example shows."""

from __future__ import annotations

import inspect
import json
import os
import typing as t
import urllib.parse

import pytest

import noema_agent

from .conftest import KEY, Scripted

#: Written by the test that starts this one, from the examples and the calls of the TypeScript client.
FILE = os.environ.get("NOEMA_TEST_OPERATIONS", "")
OPERATIONS: t.List[t.Dict[str, t.Any]] = json.load(open(FILE, encoding="utf-8")) if FILE else []

if not FILE:
    pytest.skip("NOEMA_TEST_OPERATIONS names no file of examples", allow_module_level=True)


def names(operation: t.Mapping[str, t.Any]) -> str:
    return str(operation["operation"])


def parts(path: str) -> t.Tuple[str, t.List[t.Tuple[str, str]]]:
    """A path, and its query in any order."""
    url = urllib.parse.urlsplit(path)
    return url.path, sorted(urllib.parse.parse_qsl(url.query))


@pytest.mark.parametrize("operation", OPERATIONS, ids=names)
def test_sends_the_example_and_returns_its_answer(operation: t.Dict[str, t.Any], scripted: Scripted) -> None:
    response = operation["response"]
    scripted.says(200, response.encode() if isinstance(response, str) else response)
    noema = noema_agent.connect(scripted.address, KEY)
    places = {"noema": noema, "p1": noema.processor("p46b6b076c")}
    result = eval(operation["expression"], {}, places)
    if operation["isRawJson"]:
        result = json.loads(result)
    assert result == operation["result"]
    (request,) = scripted.requests
    assert (request.method, parts(request.path)) == (operation["method"], parts(operation["path"]))
    body = operation["body"]
    assert (request.body.decode() if isinstance(body, str) and request.body else request.json) == body
    assert request.headers["X-API-KEY"] == KEY
    assert ("Idempotency-Key" in request.headers) == operation["isKeyed"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=names)
def test_is_in_sessions_where_it_is_served_there(operation: t.Dict[str, t.Any]) -> None:
    assert hasattr(noema_agent.Session, operation["name"]) == operation["inSessions"]


def test_there_is_no_other_method() -> None:
    own = {"processor", "close", "session", "stream", "forecast", "train", "score", "get_health"}
    methods = {
        name
        for kind in (noema_agent.Noema, noema_agent.Processor)
        for name, value in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }
    assert methods - own == {operation["name"] for operation in OPERATIONS}
    assert own <= methods
