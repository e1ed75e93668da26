"""What the tests share: the server that the caller started, and servers that answer as a test says."""

from __future__ import annotations

import http.server
import itertools
import json
import os
import secrets
import threading
import typing as t

import pytest

import noema_agent

ADDRESS = os.environ.get("NOEMA_TEST_ADDRESS", "")
KEY = "ABCD-1234"

#: A server may have been used before.
_RUN = secrets.token_hex(3)
_names = itertools.count(1)


@pytest.fixture(scope="session")
def noema() -> t.Iterator[noema_agent.Noema]:
    """The server of NOEMA_TEST_ADDRESS."""
    if not ADDRESS:
        pytest.skip("NOEMA_TEST_ADDRESS names no server; start one with npm start, and set it to its address")
    connection = noema_agent.connect(ADDRESS, KEY)
    yield connection
    connection.close()


@pytest.fixture
def processor(noema: noema_agent.Noema) -> noema_agent.Processor:
    """A processor that knows nothing."""
    name = f"python-{_RUN}-{next(_names)}"
    nodes = noema.get_connection()["genome"]["elements"]["nodes"]
    node: t.Any = {"data": {"type": "primitive", "id": name, "name": name}}
    noema.hotswap_genome({"agent": "simple", "elements": {"nodes": [*nodes, node]}})
    return noema.processor(name)


class Request(t.NamedTuple):
    """A request as a scripted server got it."""

    method: str
    path: str
    headers: t.Mapping[str, str]
    body: t.Optional[bytes]

    @property
    def json(self) -> t.Any:
        return None if self.body is None else json.loads(self.body)


class Scripted:
    """A server that answers what it is told, and notes what it was sent."""

    def __init__(self) -> None:
        self.requests: t.List[Request] = []
        #: What is answered: status, headers, body; the last one again and again. None: the connection is closed.
        self.answers: t.List[t.Optional[t.Tuple[int, t.Mapping[str, str], bytes]]] = []
        scripted = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length) if length else self.chunks()
                scripted.requests.append(Request(self.command, self.path, dict(self.headers), body))
                said = scripted.answers.pop(0) if len(scripted.answers) > 1 else scripted.answers[0]
                if said is None:
                    self.close_connection = True
                    return
                status, headers, text = said
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def chunks(self) -> t.Optional[bytes]:
                if self.headers.get("Transfer-Encoding") != "chunked":
                    return None
                whole = b""
                while True:
                    size = int(self.rfile.readline(), 16)
                    whole += self.rfile.read(size)
                    self.rfile.readline()
                    if size == 0:
                        return whole

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *_: t.Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def okay(self, message: t.Any, **more: t.Any) -> None:
        """Answers with an envelope from now on."""
        self.says(200, {"id": "P1", "interval": 1, "message": message, "status": "okay", "time_stamp": 1, **more})

    def says(self, status: int, answer: t.Any, headers: t.Optional[t.Mapping[str, str]] = None) -> None:
        """Adds an answer."""
        text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.answers.append((status, headers or {}, text))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def scripted() -> t.Iterator[Scripted]:
    server = Scripted()
    yield server
    server.close()
