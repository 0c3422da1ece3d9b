"""A few worker processes, each answering one query at a time."""

import contextlib
import queue
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.query import Stopped, Worker


@dataclass(frozen=True)
class Limits:
    """What a query may take: seconds, megabytes beyond the open store, rows of its answer; and how many run at a time."""

    seconds: float = 30
    memory_mb: int = 1000
    rows: int = 100_000
    workers: int = 2


class Pool:
    """Workers on one build."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.limits = limits
        self._workers = [Worker(folder, memory_mb=limits.memory_mb) for _ in range(limits.workers)]
        self._free: queue.Queue[Worker] = queue.Queue()
        for worker in self._workers:
            self._free.put(worker)

    @contextlib.contextmanager
    def _taken(self) -> Iterator[Worker]:
        try:
            worker = self._free.get(timeout=self.limits.seconds)
        except queue.Empty:
            raise Stopped("all workers are busy", hint="try again in a moment") from None
        try:
            yield worker
        finally:
            self._free.put(worker)

    def ask(self, sparql: str, formats: tuple[str, str]) -> tuple[str, str, bytes]:
        """The form of a query, the format and the bytes of its answer. Raises QueryError and Stopped as `Worker.ask` does."""
        with self._taken() as worker:
            return worker.ask(sparql, formats, timeout=self.limits.seconds, rows=self.limits.rows)

    def start(self) -> None:
        """Start one worker now, so that a build that cannot be read is noticed at once."""
        with self._taken() as worker:
            worker.start()

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.stop()
