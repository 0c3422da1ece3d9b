"""A build in other formats: one table of exporters, each a function of the build's connection and a path."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.aside import MARK, replaced, replaced_folder
from kg.errors import KgError

if TYPE_CHECKING:
    import duckdb

__all__ = ["EXPORTERS", "Exporter", "exporter", "write"]


@dataclass(frozen=True, slots=True)
class Exporter:
    """One format: `file` is its usual file name (a folder when `folder`), `function` the "module:name" that writes it.

    `fixed` are the arguments that make the function write this format, `options` those that a user may give.
    """

    name: str
    file: str
    about: str
    function: str
    fixed: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    folder: bool = False


_RDF_OPTIONS = ("evidence", "base", "vocabulary")

_RDF = (
    ("turtle", "graph.ttl", "Turtle, sorted"),
    ("ntriples", "graph.nt", "N-Triples"),
    ("nquads", "graph.nq", "N-Quads, a named graph a paper"),
    ("trig", "graph.trig", "TriG, a named graph a paper"),
    ("jsonld", "graph.jsonld", "JSON-LD"),
    ("rdfxml", "graph.rdf", "RDF/XML"),
    ("turtle12", "graph-1.2.ttl", "Turtle with the evidence as RDF 1.2 annotations"),
    ("ntriples12", "graph-1.2.nt", "N-Triples with the evidence as RDF 1.2 annotations"),
)
_CSV = (
    ("papers", "papers with their metadata and counts"),
    ("entities", "entities with type, aliases, family and counts"),
    ("links", "which paper does what with which entity, with the evidence"),
    ("relations", "relations between entities, with the evidence"),
    ("results", "reported numbers, verbatim and parsed"),
    ("merges", "which names were joined into one entity, and why"),
    ("authors", "authors by full name, with their papers"),
)
_TABLE = (
    *(Exporter(name, file, f"RDF: {about}", "kg.export.rdf:write", {"format": name}, _RDF_OPTIONS) for name, file, about in _RDF),
    Exporter("html", "graph.html", "the interactive page", "kg.export.view:write"),
    Exporter("graphml", "graph.graphml", "GraphML: Gephi, yEd, NetworkX, igraph", "kg.export.graphml:write"),
    Exporter("json", "graph.json", "node-link JSON, read by networkx.node_link_graph", "kg.export.nodelink:write"),
    Exporter("cards", "cards.jsonl", "one JSON object a paper, in the format of the gold files", "kg.export.cards:write"),
    *(Exporter(name, f"{name}.csv", f"CSV: {about}", "kg.export.tabular:write", {"table": name}) for name, about in _CSV),
    Exporter("gexf", "graph.gexf", "GEXF with colours and sizes, for Gephi", "kg.export.gephi:write"),
    Exporter("cx2", "graph.cx2", "CX2 with a style, for Cytoscape and NDEx", "kg.export.cytoscape:write_cx2"),
    Exporter("cyjs", "graph.cyjs", "the JSON of Cytoscape.js and Cytoscape", "kg.export.cytoscape:write_cyjs"),
    Exporter("neo4j", "neo4j", "a folder of CSV files for neo4j-admin and a Cypher script", "kg.export.neo4j:write", folder=True),
    Exporter("obsidian", "obsidian", "a folder of linked Markdown notes", "kg.export.obsidian:write", folder=True),
    Exporter("bibtex", "papers.bib", "BibTeX with the entities as keywords", "kg.export.bibtex:write"),
)

EXPORTERS: dict[str, Exporter] = {row.name: row for row in _TABLE}
"""The formats by name, in the order in which they are listed."""


def exporter(name: str) -> Exporter:
    """The exporter of a format. Raises KgError, naming the formats that there are.

    >>> exporter("bibtex").file
    'papers.bib'
    """
    if name not in EXPORTERS:
        raise KgError(f"there is no export format {name!r}", hint="one of " + ", ".join(EXPORTERS))
    return EXPORTERS[name]


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
    chosen = exporter(name)
    target = Path(path)
    if target.is_dir() and not (chosen.folder and (target / MARK).exists()):
        target = target / chosen.file
    target.parent.mkdir(parents=True, exist_ok=True)
    module, _, function = chosen.function.partition(":")
    writer: Callable[..., None] = getattr(importlib.import_module(module), function)
    with (replaced_folder if chosen.folder else replaced)(target) as aside:
        writer(connection, aside, **chosen.fixed, **{key: value for key, value in options.items() if key in chosen.options})
    return target
