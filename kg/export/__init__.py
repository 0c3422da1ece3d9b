"""A build in other formats: one table of exporters, each a function of the build's connection and a path."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import KgError
from kg.export.aside import replaced, replaced_folder

if TYPE_CHECKING:
    import duckdb

__all__ = ["EXPORTERS", "Exporter", "write"]


@dataclass(frozen=True, slots=True)
class Exporter:
    """One format: `file` is its usual file name (a folder when `folder`), `function` the "module:name" that writes it, `options` what that takes."""

    name: str
    file: str
    about: str
    function: str
    folder: bool = False
    options: tuple[str, ...] = ()


_TABLE = (
    Exporter("graphml", "graph.graphml", "GraphML: Gephi, yEd, NetworkX, igraph", "kg.export.graphml:write"),
    Exporter("json", "graph.json", "node-link JSON, read by networkx.node_link_graph", "kg.export.nodelink:write"),
    Exporter("turtle", "graph.ttl", "RDF as Turtle, sorted", "kg.rdf:write_turtle", options=("evidence", "base")),
    Exporter("html", "graph.html", "the interactive page", "kg.view:write"),
    Exporter("cards", "cards.jsonl", "one JSON object a paper, in the format of the gold files", "kg.export.cards:write"),
    Exporter("papers", "papers.csv", "papers with their metadata and counts", "kg.export.tabular:papers"),
    Exporter("entities", "entities.csv", "entities with type, aliases, family and counts", "kg.export.tabular:entities"),
    Exporter("links", "links.csv", "which paper does what with which entity, with the evidence", "kg.export.tabular:links"),
    Exporter("relations", "relations.csv", "relations between entities, with the evidence", "kg.export.tabular:relations"),
    Exporter("results", "results.csv", "reported numbers, verbatim and parsed", "kg.export.tabular:results"),
    Exporter("merges", "merges.csv", "which names were joined into one entity, and why", "kg.export.tabular:merges"),
)

EXPORTERS: dict[str, Exporter] = {exporter.name: exporter for exporter in _TABLE}
"""The formats by name, in the order in which they are listed."""


def write(connection: "duckdb.DuckDBPyConnection", name: str, path: Path | str, **options: Any) -> Path:
    """Write a build in the format `name` to `path`; a folder as `path` takes the format's usual file name.

    `options` go to the formats that know them ("evidence" and "base" of RDF) and mean nothing to the others.
    The file is written aside and then put in place, so that a failure leaves the old one. Returns where it was written.
    Raises KgError for an unknown format, and when a folder in the way was not made by an export.

    >>> from kg.tables.store import create
    >>> import duckdb, tempfile
    >>> memory = duckdb.connect(); create(memory)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(memory, "papers", folder).name
    'papers.csv'
    """
    exporter = EXPORTERS.get(name)
    if exporter is None:
        raise KgError(f"there is no export format {name!r}", hint="one of " + ", ".join(EXPORTERS))
    target = Path(path)
    if target.is_dir() and not (exporter.folder and target.name == exporter.file):
        target = target / exporter.file
    target.parent.mkdir(parents=True, exist_ok=True)
    module, _, function = exporter.function.partition(":")
    writer: Callable[..., None] = getattr(importlib.import_module(module), function)
    with (replaced_folder if exporter.folder else replaced)(target) as aside:
        writer(connection, aside, **{key: value for key, value in options.items() if key in exporter.options})
    return target
