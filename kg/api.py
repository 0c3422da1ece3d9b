"""The Python interface: build, load, card, and the object that a loaded build is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from kg import pipeline, settings, tables
from kg.analysis import Analysis
from kg.model import Card, Paper

if TYPE_CHECKING:
    import duckdb
    import networkx
    import rdflib


def build(papers: str | Path | Sequence[str | Path], out: str | Path = "exports", **options: Any) -> "KnowledgeGraph":
    """Build the graph of papers (files and folders) into a folder and load it.

    `options` are those of `kg build`: tier, workers, strict, fresh, catalogue, decisions, map, full_text, evidence, base, formats; a kg.toml
    beside the papers is read as the command line reads it. Raises KgError. ::

        graph = kg.build("seeds", "exports")
    """
    paths = [papers] if isinstance(papers, str | Path) else list(papers)
    known, _ = settings.load(settings.find(tuple(str(path) for path in paths)), out=Path(out), **options)
    pipeline.build(paths, known)
    return load(out)


def load(folder: str | Path = "exports") -> "KnowledgeGraph":
    """The build in a folder. Raises BuildError when there is none."""
    return KnowledgeGraph(Path(folder))


def card(text: str, title: str = "", *, tier: str = "default") -> Card:
    """The card of one text: its entities with roles, relations and results.

    >>> read = card("We introduce FooNet, a network for image classification, and test it on ImageNet.")
    >>> "ImageNet" in [entity.name for entity in read.entities]
    True
    """
    return pipeline.read_card(Paper("text", title, text, ()), tier)


class KnowledgeGraph(Analysis):
    """A build, opened to read. Nothing is loaded before it is asked for. Use it as a context manager, or call `close`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tables: duckdb.DuckDBPyConnection = tables.open_build(folder)

    def __enter__(self) -> "KnowledgeGraph":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.tables.close()

    def __repr__(self) -> str:
        return f"KnowledgeGraph({str(self.folder)!r}: {len(self.papers):,} papers, {len(self.entities):,} entities)"

    @cached_property
    def graph(self) -> "networkx.MultiDiGraph[str]":
        """The NetworkX graph; docs/graph.md says what its nodes and edges carry."""
        from kg.graph import graph

        return graph(self.tables)

    @cached_property
    def rdf(self) -> "rdflib.Graph":
        """The RDF graph, for rdflib's own queries and for scripts."""
        from kg.rdf import graph

        return graph(self.tables, self.folder)

    @cached_property
    def papers(self) -> Mapping[str, Mapping[str, Any]]:
        """Paper id to its fields: label, title, abstract, authors, year, venue and ids."""
        return self._rows("SELECT * EXCLUDE (text_hash, fingerprint) FROM papers ORDER BY paper", "paper")

    @cached_property
    def entities(self) -> Mapping[str, Mapping[str, Any]]:
        """Entity id to label, type, number of papers and mentions, urls and aliases."""
        return self._rows(
            """SELECT e.*, (SELECT list(surface ORDER BY papers DESC, surface) FROM aliases a WHERE a.entity = e.entity) AS aliases
            FROM entities e ORDER BY entity""",
            "entity",
        )

    def _rows(self, sql: str, name: str) -> Mapping[str, Mapping[str, Any]]:
        found = self.tables.execute(sql)
        names = [column[0] for column in found.description or ()]
        rows = (dict(zip(names, row, strict=True)) for row in found.fetchall())
        return MappingProxyType({row[name]: MappingProxyType(row) for row in rows})

    def entity(self, name: str) -> dict[str, Any]:
        """The card of an entity, by its id, label or any of its names. Raises UnknownNameError with the nearest names."""
        from kg.show import entity_card, entity_id

        return entity_card(self.tables, entity_id(self.tables, name))

    def show(self, *, height: int = 640, **wanted: Any) -> "Page":
        """The interactive page, or a part of it, for a notebook's cell; `wanted` as in `kg.view.html`: around, hops, types, min_papers, top."""
        from kg import view

        return Page(view.html(self.tables, **wanted), height)

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the graph, which JupyterLab and VS Code draw in the cell; `html` is its text."""

    html: str = field(repr=False)
    height: int = 640

    def _repr_html_(self) -> str:
        from kg.view import frame

        return frame(self.html, height=self.height)
