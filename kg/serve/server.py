"""The HTTP server: routes, negotiation, errors."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

from kg import ontology
from kg.errors import KgError
from kg.query import FORMATS, Answer, Stopped, named
from kg.rdf import prefixes
from kg.rdf.stores import base_in
from kg.rdf.terms import identifier, local
from kg.serve import pages
from kg.serve.accept import best
from kg.serve.description import description
from kg.serve.pool import Limits, Pool
from kg.view.live import QUESTIONS, Live

__all__ = ["Limits", "Server", "serve"]

_MEDIA = {name: row.media_type for name, row in FORMATS.items()}
_TABLES = [(name, _MEDIA[name]) for name in ("json", "csv", "tsv", "xml")] + [
    ("json", "application/json"),
    ("xml", "application/xml"),
    ("xml", "text/xml"),
]
_GRAPHS = [(name, _MEDIA[name]) for name in ("ttl", "nt", "jsonld", "rdf")] + [
    ("nt", "text/plain"),
    ("rdf", "application/xml"),
    ("jsonld", "application/json"),
]
_HTML = ("html", "text/html")
_QUERY_BYTES = 1_000_000
_ASSETS = {"editor.js": "text/javascript", "page.css": "text/css"}
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'"


class Server(ThreadingHTTPServer):
    """The server of one build; `address` is where it listens. Port 0 takes a free one."""

    daemon_threads = True

    def __init__(self, folder: Path | str, host: str = "127.0.0.1", port: int = 7878, *, limits: Limits | None = None, origin: str = "*") -> None:
        self.folder = Path(folder)
        self.pool = Pool(self.folder, limits or Limits())
        self._live: Live | None = None
        self._opening = threading.Lock()
        self.base = base_in(folder)
        self.terms = prefixes(self.base)
        self.origin = origin
        self.pool.start()
        try:
            super().__init__((host, port), Handler)
        except OSError as error:
            self.pool.close()
            raise KgError(f"{host}:{port} cannot be used: {error.strerror}", hint="choose another with --port") from error

    @property
    def address(self) -> str:
        """The address of the query page."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}/"

    @property
    def live(self) -> Live:
        """The graph that the page walks through, opened when it is first asked for. Raises BuildError where there are no tables."""
        with self._opening:
            if self._live is None:
                self._live = Live(self.folder)
            return self._live

    def close(self) -> None:
        """Stop listening and end the workers."""
        self.shutdown()
        self.server_close()
        self.pool.close()
        if self._live:
            self._live.close()


class _Refused(Exception):  # noqa: N818 - it becomes an HTTP status
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    """Answers one connection's requests."""

    protocol_version = "HTTP/1.1"
    server_version = "kg"
    sys_version = ""
    timeout = 30

    @property
    def _home(self) -> Server:
        return cast(Server, self.server)

    def do_GET(self) -> None:
        """Pages, assets, and queries in the address."""
        self._answered(self._get)

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        """Queries in the body."""
        self._answered(self._post)

    def do_OPTIONS(self) -> None:
        """What a browser asks before it sends a query from another origin."""
        self._send(204, "", b"")

    def _answered(self, work: Any) -> None:
        try:
            work()
        except _Refused as error:
            self._send(error.status, "text/plain; charset=utf-8", f"{error}\n".encode())
        except Stopped as error:
            self._send(503, "text/plain; charset=utf-8", f"{error}\n".encode())
        except KgError as error:
            self._send(400, "text/plain; charset=utf-8", f"{error}\n".encode())

    def _get(self) -> None:
        url = urlsplit(self.path)
        asked = parse_qs(url.query, keep_blank_values=True)
        head, _, rest = url.path.lstrip("/").partition("/")
        if not head:
            self._send(200, "text/html; charset=utf-8", pages.asset("editor.html"))
        elif head == "sparql" and not rest:
            self._query(asked) if "query" in asked or "update" in asked else self._describe()
        elif url.path == "/graph":
            # The page's own policy lets its scripts run and ask this server, and nothing else.
            self._send(200, "text/html; charset=utf-8", self._home.live.page.encode(), policy="frame-ancestors 'none'")
        elif head == "graph" and rest in QUESTIONS:
            self._send(200, "application/json", self._home.live.ask(rest, {name: values[0] for name, values in asked.items()}))
        elif head in ("entity", "paper", "author") and rest:
            self._thing(head, rest, asked)
        elif head == "assets" and rest in _ASSETS:
            self._send(200, f"{_ASSETS[rest]}; charset=utf-8", pages.asset(rest))
        elif url.path == "/settings.json":
            self._send(200, "application/json", pages.settings(named(), self._home.terms))
        elif url.path == "/ontology":
            self._send(200, "text/turtle; charset=utf-8", (ontology.folder() / "kg.ttl").read_bytes())
        else:
            raise _Refused(404, "there is nothing here; the graph is at /graph, the query page at /, the endpoint at /sparql")

    def _post(self) -> None:
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            self.close_connection = True
            raise _Refused(411, "the length of the body is missing") from None
        if not 0 <= length <= _QUERY_BYTES:
            self.close_connection = True
            raise _Refused(413, f"a query has at most {_QUERY_BYTES} bytes")
        body = self.rfile.read(length)
        if urlsplit(self.path).path != "/sparql":
            raise _Refused(405, "only /sparql takes POST")
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            raise _Refused(400, "the body is not UTF-8") from None
        media = self.headers.get_content_type()
        if media == "application/sparql-update":
            raise _Refused(403, "updates are refused: the graph is read-only")
        asked = parse_qs(urlsplit(self.path).query, keep_blank_values=True)
        if media == "application/sparql-query":
            self._query(asked | {"query": [text]})
        elif media == "application/x-www-form-urlencoded":
            self._query(parse_qs(text, keep_blank_values=True))
        else:
            raise _Refused(415, "send application/sparql-query or application/x-www-form-urlencoded")

    def _query(self, asked: Mapping[str, list[str]]) -> None:
        if "update" in asked:
            raise _Refused(403, "updates are refused: the graph is read-only")
        if "default-graph-uri" in asked or "named-graph-uri" in asked:
            raise _Refused(400, "there is one graph here; leave default-graph-uri and named-graph-uri out")
        if len(asked.get("query", [])) != 1:
            raise _Refused(400, "one query is needed, in the parameter query")
        accept = self.headers.get("Accept", "")
        table, graph = best(accept, _TABLES, "json"), best(accept, _GRAPHS, "ttl")
        if table is None and graph is None:
            raise _Refused(406, "offered: " + ", ".join(sorted(set(_MEDIA.values()))))
        _, form, body = self._home.pool.ask(asked["query"][0], (table or "json", graph or "ttl"))
        self._send(200, _MEDIA[form] + ("; charset=utf-8" if _MEDIA[form].startswith("text/") else ""), body)

    def _describe(self) -> None:
        form = best(self.headers.get("Accept", ""), [*_GRAPHS, _HTML], "ttl")
        if form == "html":
            self._send(200, "text/html; charset=utf-8", pages.asset("editor.html"))
            return
        form = form or "ttl"
        self._send(200, _MEDIA[form], description(f"{self._home.address}sparql", form))

    def _thing(self, kind: str, rest: str, asked: Mapping[str, list[str]]) -> None:
        import pyoxigraph

        iri = str(pyoxigraph.NamedNode(f"{self._home.base}{kind}/{local(identifier(rest))}"))
        form = asked.get("format", [""])[0] or best(self.headers.get("Accept", ""), [_HTML, *_GRAPHS], "html") or "html"
        found: bytes | None
        if form in _MEDIA and FORMATS[form].engine:
            _, _, body = self._home.pool.ask(pages.GRAPH.format(iri=iri), ("json", form))
            found = body if self._ask(f"SELECT ?p {{ {iri} ?p ?o }} LIMIT 1") else None
            media = _MEDIA[form]
        else:
            text = pages.thing(kind, iri, self._home.base, self._home.terms, self._ask)
            found, media = text.encode() if text else None, "text/html; charset=utf-8"
        if found is None:
            raise _Refused(404, f"the build knows no {kind} {identifier(rest)!r}")
        self._send(200, media, found)

    def _ask(self, sparql: str) -> list[dict[str, Any]]:
        return Answer(*self._home.pool.ask(sparql, ("json", "ttl"))).rows

    def _send(self, status: int, media: str, body: bytes, *, policy: str = _POLICY) -> None:
        self.send_response(status)
        if media:
            self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Access-Control-Allow-Origin", self._home.origin)
        self.send_header("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS")
        self.send_header("Access-Control-Allow-Headers", "Accept, Content-Type")
        self.send_header("Vary", "Accept, Origin")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the library gives
        """Nothing is logged: addresses may hold what a person asks."""


def serve(folder: Path | str, host: str, port: int, *, limits: Limits, origin: str = "*", ready: Any = None) -> None:
    """Serve the build in `folder` until interrupted; `ready` is called with the server once it listens."""
    server = Server(folder, host, port, limits=limits, origin=origin)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        if ready:
            ready(server)
        while thread.is_alive():
            thread.join(1)
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
