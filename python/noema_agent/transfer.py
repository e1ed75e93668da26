"""Bodies that are too large to hold in memory: exports and backups as they come, and what is loaded from a file."""

from __future__ import annotations

import http.client
import os
import re
import typing as t

from . import errors
from .place import Place
from .server import Answer, How, Outgoing, Server
from .values import encoded

#: How many bytes are read, or sent, at a time.
PIECE_BYTES = 1 << 16

#: How long the server may need for a load after its last byte has come, in seconds.
LOAD_SECONDS = 600.0

#: What the server writes at the end of an export that it cannot finish: its status has been sent.
_NOT_COMPLETE = re.compile(rb"\n\nTHIS ANSWER IS NOT COMPLETE: (.*)\n$")

#: The last line of a backup.
_LAST_LINE = re.compile(rb'"end":\{[^\n]*\}\}\n$')

#: Enough of the end of an answer to know its last line.
_END_BYTES = 4096

Source = t.Union[bytes, str, "os.PathLike[str]", t.IO[bytes], t.Iterable[bytes], t.Mapping[str, t.Any]]


class Download:
    """An answer that is read piece by piece: iterate over it, ``read()`` it whole or ``save()`` it to a file.

    What was read is whole only when reading did not raise. Read it to its end, or ``close()`` it.
    """

    def __init__(self, answer: Answer, operation: str, server: Server, is_backup: bool) -> None:
        self._answer = answer
        self._operation = operation
        self._server = server
        self._is_backup = is_backup

    def __iter__(self) -> t.Iterator[bytes]:
        end = b""
        try:
            while True:
                piece = self._answer.response.read1(PIECE_BYTES)
                if not piece:
                    break
                end = (end + piece)[-_END_BYTES:]
                yield piece
            # Also raises where the last chunk is missing.
            if self._answer.response.length not in (None, 0):
                raise http.client.IncompleteRead(b"")
        except (OSError, http.client.HTTPException) as error:
            message = f"the answer of {self._server.shown} broke off: {error or type(error).__name__}"
            raise errors.NoAnswerError(message, operation=self._operation, status=0) from error
        finally:
            self.close()
        self._check(end)

    def _check(self, end: bytes) -> None:
        stated = _NOT_COMPLETE.search(end)
        if stated is not None:
            message = f"it is incomplete: {stated.group(1).decode()}"
            raise errors.FailedError(message, operation=self._operation, status=200)
        if self._is_backup and _LAST_LINE.search(end) is None:
            message = "the backup is incomplete: its last line is missing"
            raise errors.FailedError(message, operation=self._operation, status=200)

    def read(self) -> bytes:
        """All of it."""
        return b"".join(self)

    def save(self, path: t.Union[str, "os.PathLike[str]"]) -> None:
        """Writes it to a file, which is there only once it is whole."""
        part = f"{os.fspath(path)}.part"
        try:
            with open(part, "wb") as file:
                for piece in self:
                    file.write(piece)
            os.replace(part, path)
        finally:
            if os.path.exists(part):
                os.remove(part)

    def close(self) -> None:
        """Ends it."""
        self._answer.response.close()
        self._answer.connection.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: t.Any) -> None:
        self.close()


def download(place: Place, operation: str, path: str, how: How, *, is_backup: bool) -> Download:
    """Begins an answer. The call is repeated until the answer begins, not after."""
    outgoing = Outgoing(operation, "GET", path, "read")
    server = place._server
    return server.exchange(outgoing, how, lambda answer: Download(answer, operation, server, is_backup))


def body_of(source: Source, what: str) -> t.Union[bytes, t.Iterator[bytes]]:
    """The body of a load. A file, or pieces, are sent as they are read."""
    if isinstance(source, str):
        return source.encode()
    if isinstance(source, (bytes, bytearray)):
        return bytes(source)
    if isinstance(source, os.PathLike):
        return _pieces(open(source, "rb"))
    if hasattr(source, "read"):
        return _pieces(t.cast("t.IO[bytes]", source))
    if isinstance(source, (dict, list)):
        return encoded(source, what)
    return _checked(t.cast("t.Iterable[bytes]", source), what)


def _pieces(file: t.IO[bytes]) -> t.Iterator[bytes]:
    with file:
        while True:
            piece = file.read(PIECE_BYTES)
            if not piece:
                return
            if isinstance(piece, str):
                raise TypeError('the file must be open for bytes: open(path, "rb")')
            yield piece


def _checked(source: t.Iterable[bytes], what: str) -> t.Iterator[bytes]:
    for piece in source:
        if not isinstance(piece, (bytes, bytearray)):
            raise TypeError(f"{what} must be bytes, text, a file, a path or JSON, got pieces of {type(piece).__name__}")
        yield piece
