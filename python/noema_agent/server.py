"""Sends requests to a server until they are answered. Repeats only what cannot take effect twice."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import re
import secrets
import socket
import ssl
import threading
import time
import typing as t
import urllib.parse

from . import errors
from .version import VERSION

#: How long a connection may be idle and still be used, in seconds. The server closes it after 5.
IDLE_SECONDS = 4.0

TOO_MANY_REQUESTS = 429
#: From this status on, the server or a proxy before it is temporarily unavailable.
BAD_GATEWAY = 502
MAX_RETRIES = 100

Repeats = str
Body = t.Union[bytes, t.Iterable[bytes], None]

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_IP = re.compile(r"(?:^|\.)\d+$|:")
_NO_OPERATION = re.compile(r"^there is no operation at |^the method [A-Z]+ is not known at ")


class Outgoing(t.NamedTuple):
    """A request, ready to be sent."""

    #: The method of this package, for errors.
    operation: str
    verb: str
    #: Path and query, percent-encoded, with a slash before it.
    path: str
    #: ``read`` changes nothing, ``keyed`` takes effect once under its key, ``numbered`` by its number, else ``once``.
    repeats: Repeats
    body: Body = None


class Answer(t.NamedTuple):
    """A successful answer whose body has not been read."""

    response: http.client.HTTPResponse
    connection: http.client.HTTPConnection


class Server:
    """Where requests go, and how long one waits. Holds the key so that no ``repr`` and no ``vars`` shows it."""

    def __init__(
        self,
        address: str,
        key: str,
        *,
        agent: t.Optional[str],
        timeout: float,
        retries: int,
        first_pause: float,
        longest_pause: float,
        tls: t.Optional[ssl.SSLContext],
    ) -> None:
        url = _parsed(address)
        if not isinstance(key, str) or re.fullmatch(r"[\x21-\x7e]+", key) is None:
            raise ValueError("key must be a string of one or more visible ASCII characters")
        check_patience(retries, timeout)
        self.is_secure = url.scheme == "https"
        self.host = t.cast(str, url.hostname)
        self.port = url.port or (443 if self.is_secure else 80)
        self.prefix = url.path.rstrip("/")
        self.authority = _authority(url, agent)
        #: What people read: the address, without the key.
        self.shown = f"{url.scheme}://{self.authority}{self.prefix}"
        self.timeout = timeout
        self.retries = retries
        self.first_pause = first_pause
        self.longest_pause = longest_pause
        self.tls = tls if tls is not None or not self.is_secure else ssl.create_default_context()
        self.key: t.Callable[[], str] = lambda: key
        self._idle: t.List[t.Tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()
        if self.is_secure or self.authority == url.netloc:
            # An agent of a remote server is a host of its own.
            self.host = t.cast(str, urllib.parse.urlsplit(f"//{self.authority}").hostname)

    def text(self, outgoing: Outgoing, how: How) -> str:
        """The body of a successful answer."""
        return self.exchange(outgoing, how, self._whole)

    def _whole(self, answer: Answer) -> str:
        text = answer.response.read()
        self._keep(answer)
        return text.decode()

    T = t.TypeVar("T")

    def exchange(self, outgoing: Outgoing, how: How, read: t.Callable[[Answer], T]) -> T:
        """Sends a request, again after pauses while it may be repeated, and reads the answer."""
        retries = self.retries if how.retries is None else how.retries
        timeout = self.timeout if how.timeout is None else how.timeout
        check_patience(retries, timeout)
        headers = self._headers(outgoing, how.idempotency_key, retries)
        for failures in range(1, retries + 2):
            try:
                return self._attempt(outgoing, headers, timeout, read)
            except errors.NoemaError as error:
                if failures > retries or not _may_repeat(error.status, outgoing, headers):
                    raise
                pause = self.pause_after(failures, error.retry_after)
                if pause is None:
                    raise
            time.sleep(pause)
        raise AssertionError("every attempt returns or raises")

    def pause_after(self, failures: int, retry_after: t.Optional[float]) -> t.Optional[float]:
        """Seconds until the next attempt; None if the server asks for a longer pause than is allowed."""
        jitter = random.random() * min(self.longest_pause, self.first_pause * 2.0 ** min(failures - 1, 60))
        if retry_after is None:
            return jitter
        return None if retry_after > self.longest_pause else retry_after + jitter

    def _headers(self, outgoing: Outgoing, given: t.Optional[str], retries: int) -> t.Dict[str, str]:
        headers = {"Accept": "application/json", "Host": self.authority}
        if given is not None:
            if _KEY.fullmatch(given) is None:
                raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters")
            if outgoing.repeats == "numbered":
                raise ValueError(
                    "idempotency_key and delivery exclude each other: each makes the call take effect once"
                )
            headers["Idempotency-Key"] = given
        elif outgoing.repeats == "keyed" and retries > 0:
            headers["Idempotency-Key"] = secrets.token_hex(16)
        if outgoing.body is not None:
            headers["Content-Type"] = "application/json"
        return headers

    def _attempt(
        self, outgoing: Outgoing, headers: t.Dict[str, str], timeout: float, read: t.Callable[[Answer], T]
    ) -> T:
        is_safe = _may_repeat(0, outgoing, headers)
        connection, is_used = self._connection(timeout, is_safe)
        try:
            return self._ask(connection, outgoing, headers, read)
        except errors.NoAnswerError as error:
            # The server had closed a connection that seemed open.
            if not (is_used and isinstance(error.__cause__, (ConnectionError, http.client.BadStatusLine))):
                raise
        return self._ask(self._new(timeout), outgoing, headers, read)

    def _ask(
        self,
        connection: http.client.HTTPConnection,
        outgoing: Outgoing,
        headers: t.Dict[str, str],
        read: t.Callable[[Answer], T],
    ) -> T:
        operation, verb, path, _, body = outgoing
        try:
            sent = {**headers, "X-API-KEY": self.key()}
            is_stream = body is not None and not isinstance(body, bytes)
            connection.request(verb, self.prefix + path, body=body, headers=sent, encode_chunked=is_stream)
            response = connection.getresponse()
            if response.status >= 300:
                raise self._refusal(operation, response, connection)
            return read(Answer(response, connection))
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise errors.NoAnswerError(self._no_answer(error), operation=operation, status=0) from error
        except BaseException:
            connection.close()
            raise

    def _no_answer(self, error: Exception) -> str:
        if isinstance(error, socket.timeout):
            return f"{self.shown} did not answer in time"
        if isinstance(error, ConnectionRefusedError):
            return (
                f"no server listens at {self.shown}: start one (npm start), or set NOEMA_ADDRESS or address= to where "
                "it is"
            )
        if isinstance(error, socket.gaierror):
            return f"the host of {self.shown} is not known: {error}"
        if isinstance(error, ssl.SSLError):
            return f"the TLS connection to {self.shown} failed: {error}"
        if isinstance(error, http.client.BadStatusLine) and not isinstance(error, http.client.RemoteDisconnected):
            return f"what answers at {self.shown} does not speak HTTP"
        return f"there was no answer from {self.shown}: {error or type(error).__name__}"

    def _refusal(
        self, operation: str, response: http.client.HTTPResponse, connection: http.client.HTTPConnection
    ) -> errors.NoemaError:
        status = response.status
        if status < 400:
            connection.close()
            message = f"{self.shown} redirects; connect to the address that it redirects to"
            return errors.RefusedError(message, operation=operation, status=status)
        text = response.read().decode(errors="replace")
        self._keep(Answer(response, connection))
        sentence = _sentence(text)
        message = sentence or f"{self.shown} answered HTTP {status} without a message from Noema; is this its address?"
        retry_after = _retry_after(response.headers.get("Retry-After"))
        if sentence is not None and _NO_OPERATION.search(sentence):
            return self._too_old(operation, status, sentence)
        kind = errors.kind_of(status, message)
        if kind is errors.WrongKeyError:
            message += "; set NOEMA_API_KEY, or NOEMA_KEY_FILE to a file with the key, or pass key="
        return kind(message, operation=operation, status=status, retry_after=retry_after)

    def _too_old(self, operation: str, status: int, sentence: str) -> errors.NoemaError:
        version = self.version()
        known = "an older release of Noema" if version is None else f"Noema {version}"
        message = (
            f"the server at {self.shown} is {known} and does not have {operation}, which this package for Noema "
            f"{VERSION} calls; update the server ({sentence})"
        )
        return errors.OldServerError(message, operation=operation, status=status)

    def version(self) -> t.Optional[str]:
        """The release of the server; None if it does not say."""
        try:
            page = Outgoing("version", "GET", "/", "read")
            found = json.loads(self.text(page, How(timeout=min(self.timeout or 10, 10), retries=0))).get("version")
            return found if isinstance(found, str) else None
        except (errors.NoemaError, ValueError, AttributeError):
            return None

    def _connection(self, timeout: float, may_reuse: bool) -> t.Tuple[http.client.HTTPConnection, bool]:
        with self._lock:
            while self._idle:
                since, connection = self._idle.pop()
                if may_reuse and time.monotonic() - since < IDLE_SECONDS and connection.sock is not None:
                    connection.sock.settimeout(timeout or None)
                    return connection, True
                connection.close()
        return self._new(timeout), False

    def _new(self, timeout: float) -> http.client.HTTPConnection:
        if self.is_secure:
            return http.client.HTTPSConnection(self.host, self.port, timeout=timeout or None, context=self.tls)
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout or None)

    def _keep(self, answer: Answer) -> None:
        """Keeps a connection whose answer has been read."""
        if answer.response.isclosed() and not answer.response.will_close:
            with self._lock:
                self._idle.append((time.monotonic(), answer.connection))
        else:
            answer.connection.close()

    def close(self) -> None:
        """Closes the connections that are not in use."""
        with self._lock:
            for _, connection in self._idle:
                connection.close()
            self._idle.clear()

    def __del__(self) -> None:
        # Not there where the settings were refused.
        if hasattr(self, "_idle"):
            self.close()

    def __repr__(self) -> str:
        return f"<server {self.shown}>"


class How(t.NamedTuple):
    """What a caller sets for one call."""

    #: The longest silence of the server in one attempt, in seconds; 0 for no limit. None: the connection's.
    timeout: t.Optional[float] = None
    #: How often the call is repeated at most. None: the connection's.
    retries: t.Optional[int] = None
    idempotency_key: t.Optional[str] = None


def check_patience(retries: int, timeout: float) -> None:
    """:raises ValueError: if a number is out of range"""
    if isinstance(retries, bool) or not isinstance(retries, int) or not 0 <= retries <= MAX_RETRIES:
        raise ValueError(f"retries must be a whole number from 0 to {MAX_RETRIES}, got {retries!r}")
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 <= timeout <= 2**31:
        raise ValueError(f"timeout must be a number of seconds, 0 for no limit, got {timeout!r}")


def is_loopback(address: str) -> bool:
    """Whether an address leads to this machine alone."""
    host = urllib.parse.urlsplit(address).hostname or ""
    return re.fullmatch(r"localhost|.*\.localhost|127(\.\d+){3}|::1", host) is not None


def _parsed(address: str) -> urllib.parse.SplitResult:
    advice = "address must be a URL of http or https, without a user, a query and a fragment"
    if not isinstance(address, str):
        raise ValueError(f"{advice}, got {type(address).__name__}")
    url = urllib.parse.urlsplit(address)
    try:
        port_is_fine = url.port is None or url.port > 0
    except ValueError:
        port_is_fine = False
    # A password in the address would show up in messages.
    is_plain = url.scheme in ("http", "https") and not (url.query or url.fragment or url.username or url.password)
    if is_plain and url.hostname and port_is_fine and "@" not in url.netloc:
        return url
    raise ValueError(f"{advice}, such as http://127.0.0.1:8787")


def _authority(url: urllib.parse.SplitResult, agent: t.Optional[str]) -> str:
    if agent is None:
        return url.netloc
    if _LABEL.fullmatch(agent) is None:
        raise ValueError(f"agent must be a label of a host: lower-case letters, digits and hyphens, got {agent!r}")
    host = t.cast(str, url.hostname)
    port = "" if url.port is None else f":{url.port}"
    if is_loopback(url.geturl()):
        # The server is reached where it is; its name alone says which agent is meant.
        return f"{agent}.localhost{port}"
    if _IP.search(host):
        raise ValueError(f"an agent is named by a host, so address must have one, got {host}")
    return f"{agent}.{host}{port}"


def _may_repeat(status: int, outgoing: Outgoing, headers: t.Mapping[str, str]) -> bool:
    """Whether a call may be sent again after an answer with this status, 0 for none."""
    if outgoing.body is not None and not isinstance(outgoing.body, bytes):
        return False
    # A call refused for a rate limit had no effect.
    if status == TOO_MANY_REQUESTS:
        return True
    if 0 < status < BAD_GATEWAY:
        return False
    return outgoing.repeats in ("read", "numbered") or "Idempotency-Key" in headers


def _sentence(text: str) -> t.Optional[str]:
    try:
        message = json.loads(text).get("message")
    except (ValueError, AttributeError):
        return None
    return message if isinstance(message, str) else None


def _retry_after(text: t.Optional[str]) -> t.Optional[float]:
    """Seconds, from seconds or a date."""
    if text is None:
        return None
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
