"""What goes wrong in a call, as exceptions. No message and no member holds the key."""

from __future__ import annotations

import typing as t


class NoemaError(Exception):
    """A call was refused, or not answered. The others are kinds of it.

    ``status`` is the HTTP status; 0 if there was no answer, so that it is unknown whether the call took effect; 200 if
    the answer says ``failed``; of a stream also a close code. ``operation`` is the method; ``retry_after`` is in how
    many seconds the server wants to be asked again, or None.
    """

    def __init__(self, message: str, *, operation: str, status: int, retry_after: t.Optional[float] = None) -> None:
        super().__init__(message)
        self.message = message
        self.operation = operation
        self.status = status
        self.retry_after = retry_after

    def __reduce__(self) -> t.Tuple[t.Any, ...]:
        return _remade, (type(self), self.message, self.operation, self.status, self.retry_after)


def _remade(
    kind: t.Type[NoemaError], message: str, operation: str, status: int, retry_after: t.Optional[float]
) -> NoemaError:
    return kind(message, operation=operation, status=status, retry_after=retry_after)


class NoAnswerError(NoemaError):
    """There was no answer, or not all of it: the server is away, or too slow."""


class RefusedError(NoemaError):
    """The server does not accept the call, and nothing happened: a value is wrong, or something is too large."""


class FailedError(RefusedError):
    """The answer says ``failed``, or that a gene was not accepted, although HTTP calls it a success."""


class WrongKeyError(NoemaError):
    """The server does not know the key."""


class MissingRoleError(NoemaError):
    """The key does not have the right that the call needs."""


class NotFoundError(NoemaError):
    """There is no such processor, alert, encoder or incident."""


class OldServerError(NoemaError):
    """The server does not have the operation: it is older than this package."""


class OverloadedError(NoemaError):
    """The server, or a proxy before it, has no capacity left; or the key made too many calls."""


class ServerError(NoemaError):
    """The server failed."""


class TrainingError(Exception):
    """A run of training broke off. What was learned stays.

    ``resume`` is what ``train(..., resume=...)`` takes to go on with the same data where this ended.
    """

    def __init__(self, message: str, *, resume: str) -> None:
        super().__init__(f"{message} (what was learned stays; to go on, train the same data with resume={resume!r})")
        self.resume = resume


class MissingPackageError(ImportError):
    """A package that this package can do without, but not here."""


def kind_of(status: int, message: str) -> t.Type[NoemaError]:
    """The kind of error for an HTTP status and the server's sentence."""
    if status == 0:
        return NoAnswerError
    if status == 200:
        return FailedError
    if status == 401 or (status == 500 and "X-API-KEY" in message):
        return WrongKeyError
    if status == 403:
        return MissingRoleError
    if status == 404:
        return NotFoundError
    if status == 429 or status >= 502:
        return OverloadedError
    return RefusedError if status < 500 else ServerError
