"""Writing a build's tables as RDF: slices of them become text inside the database, and the text is streamed to the file."""

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from kg import ontology
from kg.errors import KgError
from kg.rdf.syntax import Kind, Syntax
from kg.rdf.terms import BASE, check_base, sql_local
from kg.rdf.vocabulary import Detail

if TYPE_CHECKING:
    import duckdb

EVIDENCE = ("none", "quotes", "full")
CHUNK = 4000
"""Papers or entities whose statements are made in one query: enough to keep the engine busy, few enough to keep memory small."""


@dataclass(frozen=True)
class Format:
    """A syntax of RDF. `engine` names the Oxigraph format that makes it out of N-Triples, for those not written directly."""

    name: str
    suffix: str
    media_type: str
    prefixed: bool = False
    graphs: bool = False
    reified: bool = False
    engine: str = ""


FORMATS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format("turtle", ".ttl", "text/turtle", prefixed=True),
        Format("ntriples", ".nt", "application/n-triples"),
        Format("nquads", ".nq", "application/n-quads", graphs=True),
        Format("trig", ".trig", "application/trig", prefixed=True, graphs=True),
        Format("jsonld", ".jsonld", "application/ld+json", engine="JSON_LD"),
        Format("rdfxml", ".rdf", "application/rdf+xml", engine="RDF_XML"),
        Format("turtle12", ".ttl", "text/turtle; version=1.2", prefixed=True, reified=True),
        Format("ntriples12", ".nt", "application/n-triples; version=1.2", reified=True),
    )
}


def write(
    connection: "duckdb.DuckDBPyConnection",
    output: "Path | str | IO[bytes]",
    *,
    format: str = "turtle",
    evidence: str = "quotes",
    base: str = BASE,
    vocabulary: str = "kg",
    min_cooccurrences: int = 2,
) -> None:
    """Write a build as RDF to a file, which is replaced whole, or to a binary stream.

    `format` is a key of FORMATS, `evidence` one of EVIDENCE, `vocabulary` "kg" or "lpwc" (that of Linked Papers With Code, which has no evidence).
    Pairs of entities are written from `min_cooccurrences` common papers on.

    Raises KgError for an unknown format, evidence or vocabulary, or a base that is no IRI.
    """
    row = _chosen("format", format, FORMATS)
    _chosen("evidence", evidence, dict.fromkeys(EVIDENCE))
    detail = Detail(evidence, row.reified, row.graphs, min_cooccurrences)
    writer = _Writer(connection, row, check_base(base), vocabulary, detail)
    with _opened(output) as stream:
        if row.engine:
            _convert(writer, row, stream)
        else:
            for text in writer.pieces():
                stream.write(text.encode("utf-8", "surrogatepass"))


def lines(connection: "duckdb.DuckDBPyConnection", format: Format, base: str) -> Iterator[str]:
    """The text of a build in pieces of whole lines, in a line-based format, with the evidence quoted."""
    return _Writer(connection, format, base, "kg", Detail(graphs=format.graphs)).pieces()


def _chosen(what: str, name: str, table: Mapping[str, Any]) -> Any:
    if name not in table:
        raise KgError(f"there is no {what} {name!r}", hint="one of " + ", ".join(table))
    return table[name]


@contextlib.contextmanager
def _opened(output: "Path | str | IO[bytes]") -> Iterator[IO[bytes]]:
    if not isinstance(output, str | Path):
        yield output
        return
    path = Path(output)
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as stream:
            yield stream
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


class _Writer:
    """Streams the text of one export, slice by slice."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection", format: Format, base: str, vocabulary: str, detail: Detail) -> None:
        self.connection = connection
        self.format = format
        self.vocabulary = _chosen("vocabulary", vocabulary, _vocabularies())
        self.syntax = Syntax(self.vocabulary.prefixes(base), format.prefixed)
        self.detail = detail

    def pieces(self) -> Iterator[str]:
        """The text in pieces."""
        with _slices(self.connection):
            if self.format.prefixed:
                yield "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in sorted(self.syntax.prefixes.items())) + "\n"
            yield from self._section("rdf_sources", self.vocabulary.preamble_kinds(self.syntax), whole=True)
            yield from self._section("rdf_entities", self.vocabulary.entity_kinds(self.syntax, self.detail))
            kinds = self.vocabulary.paper_kinds(self.syntax, self.detail)
            yield from self._graphs(kinds) if self.format.graphs and self.format.prefixed else self._section("rdf_papers", kinds, graph=self.format.graphs)

    def _section(self, table: str, kinds: Sequence[Kind], *, whole: bool = False, graph: bool = False) -> Iterator[str]:
        name = self.syntax.node("paper", "paper_name", "'graph'") if graph else ""
        queries = [f"SELECT n, {rank} AS rank, {kind.key} AS key, {self.syntax.block(kind, name)} AS block {_source(kind)}" for rank, kind in enumerate(kinds)]
        for rows in self._rows(table, "block", queries, whole=whole):
            yield "\n".join(block for (block,) in rows if block) + "\n"

    def _graphs(self, kinds: Sequence[Kind]) -> Iterator[str]:
        name = self.syntax.node("paper", "paper_name", "'graph'")
        queries = [
            f"SELECT n, {rank} AS rank, {kind.key} AS key, {name} AS graph, {self.syntax.block(kind)} AS block {_source(kind)}" for rank, kind in enumerate(kinds)
        ]
        for rows in self._rows("rdf_papers", "graph, block", queries):
            for graph, blocks in itertools.groupby(rows, key=lambda row: row[0]):
                yield f"{graph} {{\n" + "\n".join(block for _, block in blocks) + "}\n\n"

    def _rows(self, table: str, columns: str, queries: Sequence[str], *, whole: bool = False) -> Iterator[list[tuple[str, ...]]]:
        (total,) = self.connection.execute(f"SELECT count(*) FROM {table}").fetchone() or (0,)
        step = max(total, 1) if whole else CHUNK
        for low in range(0, max(total, 1) if whole else total, step):
            chunk = f"WITH chunk AS MATERIALIZED (SELECT * FROM {table} WHERE n >= {low} AND n < {low + step})"
            rows = self.connection.execute(f"{chunk} SELECT {columns} FROM ({' UNION ALL '.join(queries)}) ORDER BY n, rank, key").fetchall()
            if rows:
                yield rows


def _source(kind: Kind) -> str:
    return f"FROM (SELECT *, {kind.subject} AS s FROM ({kind.rows}))"


@contextlib.contextmanager
def _slices(connection: "duckdb.DuckDBPyConnection") -> Iterator[None]:
    """The temporary tables of ids in order, each with the local part of its IRI."""
    tables = {"rdf_papers": ("paper", "papers"), "rdf_entities": ("entity, type", "entities"), "rdf_sources": ("source", "(SELECT source FROM sources UNION SELECT source FROM places)")}
    try:
        for name, (column, source) in tables.items():
            key = column.partition(",")[0]
            connection.execute(
                f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT {column}, {sql_local(key)} AS name, row_number() OVER (ORDER BY {key}) - 1 AS n FROM {source} ORDER BY n"
            )
        yield
    finally:
        for name in tables:
            connection.execute(f"DROP TABLE IF EXISTS {name}")


def _convert(writer: _Writer, format: Format, stream: IO[bytes]) -> None:
    import tempfile

    import pyoxigraph

    with tempfile.TemporaryFile() as lines:
        for text in writer.pieces():
            lines.write(text.encode("utf-8", "surrogatepass"))
        lines.seek(0)
        triples = (quad.triple for quad in pyoxigraph.parse(lines, pyoxigraph.RdfFormat.N_TRIPLES))
        pyoxigraph.serialize(triples, stream, getattr(pyoxigraph.RdfFormat, format.engine), prefixes=dict(writer.syntax.prefixes))


@dataclass(frozen=True)
class _Vocabulary:
    prefixes: Any
    preamble_kinds: Any
    entity_kinds: Any
    paper_kinds: Any


def _vocabularies() -> dict[str, _Vocabulary]:
    from kg.rdf import vocabulary

    return {"kg": _Vocabulary(prefixes, vocabulary.preamble_kinds, vocabulary.entity_kinds, vocabulary.paper_kinds)}


def prefixes(base: str = BASE) -> dict[str, str]:
    """The prefixes of a build whose IRIs begin with `base`.

    >>> prefixes("https://example.org/")["e"]
    'https://example.org/entity/'
    """
    known = dict(ontology.load().prefixes)
    return known | {"g": base, "e": f"{base}entity/", "p": f"{base}paper/", "s": f"{base}source/"}
