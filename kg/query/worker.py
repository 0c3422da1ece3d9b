"""A process that answers queries, so that one which runs too long or grows too large can be killed.

The engine runs a query to its end whatever happens in Python (no timeout, no interruption), hence a process of its own. Requests and answers
are lines of JSON on its standard input and output, an answer's bytes following its line.
"""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from kg.errors import QueryError

ROWS = 1_000_000
"""Rows of an answer, unless a caller sets fewer."""

Formats = tuple[str, str]
Answered = tuple[str, str, bytes]
"""The query's form, the format and the body of its answer."""


class Stopped(QueryError):  # noqa: N818 - it is what happened to the query
    """A query that was ended because it took too much time or memory."""


class Worker:
    """A process with the store of one build open. Not for several threads at a time."""

    def __init__(self, folder: Path | str, *, memory_mb: int | None = None) -> None:
        self.folder = str(folder)
        self.memory_mb = memory_mb
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process when it does not run, and wait until its store is open."""
        if self._process and self._process.poll() is None:
            return
        command = [sys.executable, "-m", "kg.query", self.folder, str(self.memory_mb or 0)]
        paths = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": paths})
        self._read()

    def ask(self, sparql: str, formats: Formats, *, timeout: float | None = None, rows: int = ROWS) -> Answered:
        """The answer to a query; `formats` are the keys of `kg.query.results.FORMATS` for a table and for a graph.

        The process checks the query before its engine sees it. Raises QueryError when it is refused, does not parse or has more than `rows` rows,
        Stopped when it takes more than `timeout` seconds or more memory than the worker may have.
        """
        self.start()
        process = self._process
        if process is None or process.stdin is None:
            raise QueryError("the process that answers queries could not be started")
        late = threading.Event()
        timer = threading.Timer(timeout, _end, (process, late)) if timeout else None
        try:
            process.stdin.write(json.dumps({"sparql": sparql, "formats": formats, "rows": rows}).encode() + b"\n")
            process.stdin.flush()
            if timer:
                timer.start()
            return self._read()
        except (EOFError, OSError) as error:
            self.stop()
            if late.is_set():
                raise Stopped(f"the query took more than {timeout:g} s", hint="narrow it, add LIMIT, or allow more with --timeout") from error
            raise Stopped("the query needed more memory than it may have, or the engine failed", hint="narrow it or add LIMIT") from error
        finally:
            if timer:
                timer.cancel()

    def _read(self) -> Answered:
        stream = self._process.stdout if self._process else None
        line = stream.readline() if stream else b""
        if not line or stream is None:
            raise EOFError
        head = json.loads(line)
        body = stream.read(head["bytes"])
        if len(body) < head["bytes"]:
            raise EOFError
        if "error" in head:
            raise QueryError(head["error"], hint=head.get("hint", ""))
        return head.get("form", ""), head.get("format", ""), body

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    stream.close()


def _end(process: "subprocess.Popen[bytes]", late: threading.Event) -> None:
    late.set()
    process.kill()


def _say(head: dict[str, Any], body: bytes = b"") -> None:
    sys.stdout.buffer.write(json.dumps(head | {"bytes": len(body)}).encode() + b"\n" + body)
    sys.stdout.buffer.flush()


def _limit(memory_mb: int) -> None:
    """Bound what the process may still take; where the system has no such limit, only time and rows bound a query."""
    if not memory_mb:
        return
    try:
        import resource

        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + memory_mb * 2**20,) * 2)
    except (ImportError, OSError, ValueError):
        return


def main(folder: str, memory_mb: str) -> None:
    """Open the store and answer until the input ends."""
    from kg.errors import KgError
    from kg.query import respond
    from kg.rdf.stores import base_in, store
    from kg.rdf.write import prefixes

    try:
        opened = store(folder)
        terms = prefixes(base_in(folder))
    except KgError as error:
        _say({"error": error.message, "hint": error.hint})
        return
    _limit(int(memory_mb))
    _say({})
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            form, chosen, body = respond(opened, request["sparql"], tuple(request["formats"]), rows=request["rows"], terms=terms)
            _say({"form": form, "format": chosen}, body)
        except KgError as error:
            _say({"error": error.message, "hint": error.hint})
        except MemoryError:
            os._exit(1)
