"""Where calls go: the base of a server, a processor and a session. Makes the generated methods work."""

from __future__ import annotations

import json
import typing as t
import urllib.parse

from . import errors
from .server import How, Outgoing, Server
from .values import encoded

__all__ = ["ABSENT", "Absent", "How", "Place", "none_is_absent", "present", "segment"]

_LONGEST_NAME_BYTES = 128


class Absent:
    """The type of what was not given."""

    def __repr__(self) -> str:
        return "absent"


#: What was not given: None would be null.
ABSENT = Absent()


def none_is_absent(value: t.Any) -> t.Any:
    """ABSENT for None, else the value."""
    return ABSENT if value is None else value


def present(members: t.Mapping[str, t.Any]) -> t.Dict[str, t.Any]:
    """The members that were given."""
    return {name: value for name, value in members.items() if value is not ABSENT}


def segment(what: str, value: t.Any) -> str:
    """A segment of a path, percent-encoded.

    :param what: names the value in the error
    """
    text: t.Any = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or text in ("", ".", ".."):
        raise ValueError(f'{what} must be a string that is not empty, "." or "..", got {value!r}')
    try:
        return urllib.parse.quote(text, safe="")
    except UnicodeEncodeError:
        raise ValueError(f"{what} must be well-formed Unicode, got {value!r}") from None


def name_segment(what: str, value: t.Any) -> str:
    """The name of a session or a source: 1 to 128 bytes of UTF-8 without control characters."""
    quoted = segment(what, value)
    is_plain = not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in value)
    if len(value.encode()) > _LONGEST_NAME_BYTES or not is_plain:
        raise ValueError(
            f"{what} must be 1 to {_LONGEST_NAME_BYTES} bytes of UTF-8 without control characters, got {value!r}"
        )
    return quoted


class Place:
    """What calls are made at."""

    def __init__(self, server: Server, path: str) -> None:
        self._server = server
        #: The path of its operations, without a slash at the end.
        self._path = path

    def _call(
        self,
        operation: str,
        verb: str,
        path: str,
        repeats: str,
        *,
        query: t.Mapping[str, t.Any],
        body: t.Any,
        how: How,
    ) -> t.Any:
        """Makes a call and returns its answer, all of it."""
        sent = None if body is ABSENT else encoded(body)
        outgoing = Outgoing(operation, verb, self._under(path, query), repeats, sent)
        return answer_in(self._server.text(outgoing, how), operation, self._server)

    def _under(self, path: str, query: t.Mapping[str, t.Any]) -> str:
        pairs = [
            (name, _query_text(each))
            for name, value in present(query).items()
            for each in (value if isinstance(value, (list, tuple)) else [value])
        ]
        question = f"?{urllib.parse.urlencode(pairs, quote_via=urllib.parse.quote, safe='')}" if pairs else ""
        return f"{self._path}/{path}{question}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._server.shown}{self._path}>"


def _query_text(value: t.Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def answer_in(text: str, operation: str, server: Server) -> t.Any:
    """The answer in a text. Raises if it says that the call failed."""
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or "status" not in answer:
        advice = f"what answers at {server.shown} is not Noema; is this its address?"
        raise errors.NoAnswerError(advice, operation=operation, status=0)
    message: t.Any = answer.get("message")
    if answer["status"] != "okay":
        raise errors.FailedError(str(message), operation=operation, status=200)
    if message == "faulty-genes-provided":
        raise errors.FailedError(str(answer.get("detail", message)), operation=operation, status=200)
    return answer
