"""The files that a build leaves beside its tables: which, in what order, and each replaced as a whole."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import BuildError

if TYPE_CHECKING:
    import duckdb

    from kg.settings import Settings

FILES: dict[str, str] = {
    "turtle": "graph.ttl",
    "html": "graph.html",
    "graphml": "graph.graphml",
    "json": "graph.json",
    "cards": "cards.jsonl",
    "papers": "papers.csv",
    "entities": "entities.csv",
    "links": "links.csv",
    "relations": "relations.csv",
    "results": "results.csv",
    "merges": "merges.csv",
}
"""What a build writes by default: the exporter's name and the file."""

WITH_AUTHORS: dict[str, str] = {"authors": "authors.csv"}
"""What it writes beside these with authors as nodes."""

WHOLE_GRAPH = ("graphml", "json")
"""Exporters that hold the whole graph in memory."""
WHOLE_GRAPH_LINKS = 400_000
"""Above so many links a build leaves them to `kg export`."""


def write_outputs(
    connection: "duckdb.DuckDBPyConnection", settings: "Settings", begin: Callable[[str], None] = lambda name: None
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Write the build's files into `settings.out`; returns their paths and notes on what was left out and how to get it.

    All are written aside first and replaced together at the end, so that a build that dies leaves the last good ones.
    `begin` hears the name of each file. Raises BuildError when the disk is full or the folder cannot be written.
    """
    from kg import export

    links = connection.execute("SELECT count(*) FROM links").fetchall()[0][0]
    aside = settings.out / ".kg" / "aside"
    notes: list[str] = []
    done: list[tuple[Path, Path]] = []
    try:
        aside.mkdir(parents=True, exist_ok=True)
        for name, file in (FILES | (WITH_AUTHORS if settings.authors or "authors" in settings.formats else {})).items():
            if settings.formats and name not in settings.formats:
                continue
            if name in WHOLE_GRAPH and links > WHOLE_GRAPH_LINKS and not settings.formats:
                notes.append(f"{file} is not written for {links:,} links; to get it: kg export {settings.out} --format {name}")
                continue
            begin(file)
            export.write(connection, name, aside / file, evidence=settings.evidence, base=settings.base)
            done.append((aside / file, settings.out / file))
        for written, final in done:
            os.replace(written, final)
    except OSError as error:
        raise BuildError(
            f"the exports cannot be written: {error}", hint=f"free some space or mend the rights of {settings.out}, then build again"
        ) from error
    return tuple(final for _, final in done), tuple(notes)
