"""Slices of a build's tables become text inside the database, and the text is streamed."""

import contextlib
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.authors import AUTHORS
from kg.rdf.syntax import Kind, Syntax
from kg.rdf.terms import sql_local
from kg.rdf.vocabulary import Detail

if TYPE_CHECKING:
    import duckdb

CHUNK = 5_000
"""Papers or entities whose statements are made in one query: enough to keep the engine busy, few enough to keep memory small."""

SECTIONS = ("build", "entities", "papers", "authors")
"""What an export is written in, in this order: the build and its files, the entities, the papers, and the authors where these are nodes."""

_TABLES = {
    "rdf_papers": ("paper", "paper", "papers"),
    "rdf_entities": ("entity", "entity, type", "entities"),
    "rdf_sources": ("source", "source", "(SELECT source FROM sources UNION SELECT source FROM places)"),
    "rdf_authors": ("author", "author, label", f"({AUTHORS})"),
}


@dataclass(frozen=True)
class Vocabulary:
    """What a build is written in: the prefixes of a base IRI, and the kinds of statements about the build, its entities and its papers."""

    prefixes: Callable[[str], Mapping[str, str]]
    preamble: Callable[[Syntax], Sequence[Kind]]
    entities: Callable[[Syntax, Detail], Sequence[Kind]]
    papers: Callable[[Syntax, Detail], Sequence[Kind]]
    authors: Callable[[Syntax], Sequence[Kind]]


class Stream:
    """The text of one export, slice by slice."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection", vocabulary: Vocabulary, syntax: Syntax, detail: Detail) -> None:
        self.connection = connection
        self.vocabulary = vocabulary
        self.syntax = syntax
        self.detail = detail

    def pieces(self, sections: Collection[str] = SECTIONS) -> Iterator[str]:
        """The text, or that of some sections, in pieces of whole statements."""
        with _slices(self.connection, authors=self.detail.authors):
            if self.syntax.prefixed:
                yield "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in sorted(self.syntax.prefixes.items())) + "\n"
            if "build" in sections:
                yield from self._section("rdf_sources", self.vocabulary.preamble(self.syntax), whole=True)
            if "entities" in sections:
                yield from self._section("rdf_entities", self.vocabulary.entities(self.syntax, self.detail))
            if "papers" in sections:
                yield from self._papers()
            if "authors" in sections and self.detail.authors:
                yield from self._section("rdf_authors", self.vocabulary.authors(self.syntax))

    def _papers(self) -> Iterator[str]:
        kinds = self.vocabulary.papers(self.syntax, self.detail)
        if self.detail.graphs and self.syntax.prefixed:
            yield from self._graphs(kinds)
        else:
            yield from self._section("rdf_papers", kinds, graph=self.detail.graphs)

    def _section(self, table: str, kinds: Sequence[Kind], *, whole: bool = False, graph: bool = False) -> Iterator[str]:
        name = self._graph_name if graph else ""
        queries = [_query(rank, kind, f"{self.syntax.block(kind, name)} AS block") for rank, kind in enumerate(kinds)]
        for rows in self._rows(table, "block", queries, whole=whole):
            yield "\n".join(block for (block,) in rows if block) + "\n"

    def _graphs(self, kinds: Sequence[Kind]) -> Iterator[str]:
        queries = [_query(rank, kind, f"{self._graph_name} AS graph, {self.syntax.block(kind)} AS block") for rank, kind in enumerate(kinds)]
        for rows in self._rows("rdf_papers", "graph, block", queries):
            for graph, blocks in itertools.groupby(rows, key=lambda row: row[0]):
                yield f"{graph} {{\n" + "\n".join(block for _, block in blocks) + "}\n\n"

    @property
    def _graph_name(self) -> str:
        return self.syntax.node("paper", "paper_name", "'graph'")

    def _rows(self, table: str, columns: str, queries: Sequence[str], *, whole: bool = False) -> Iterator[list[tuple[str, ...]]]:
        (total,) = self.connection.execute(f"SELECT count(*) FROM {table}").fetchone() or (0,)
        only = self.detail.only
        wanted = {"rdf_papers": f"paper IN (FROM {only.papers})", "rdf_entities": f"entity IN (FROM {only.entities})"} if only else {}
        step = max(total, 1) if whole or wanted else CHUNK
        for low in range(0, max(total, 1) if whole else total, step):
            chosen = wanted.get(table) or f"n >= {low} AND n < {low + step}"
            chunk = f"WITH chunk AS MATERIALIZED (SELECT * FROM {table} WHERE {chosen})"
            union = " UNION ALL ".join(queries)
            order = "ORDER BY n, rank, key" if self.detail.sort else ""
            rows = self.connection.execute(f"{chunk} SELECT {columns} FROM ({union}) {order}").fetchall()
            if rows:
                yield rows


def _query(rank: int, kind: Kind, selected: str) -> str:
    return f"SELECT n, {rank} AS rank, {kind.key} AS key, {selected} FROM (SELECT *, {kind.subject} AS s FROM ({kind.rows}))"


@contextlib.contextmanager
def _slices(connection: "duckdb.DuckDBPyConnection", *, authors: bool) -> Iterator[None]:
    """The temporary tables of ids in order, each with the local part of its IRI."""
    try:
        for name, (key, selected, source) in _TABLES.items():
            if name == "rdf_authors" and not authors:
                continue
            numbered = f"{selected}, {sql_local(key)} AS name, row_number() OVER (ORDER BY {key}) - 1 AS n"
            connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT {numbered} FROM {source} ORDER BY n")
        yield
    finally:
        for name in _TABLES:
            connection.execute(f"DROP TABLE IF EXISTS temp.{name}")
