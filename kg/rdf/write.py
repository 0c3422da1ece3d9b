"""Writing a build as RDF, in every format."""

import contextlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from kg import authors, ontology
from kg.errors import KgError
from kg.rdf import lpwc
from kg.rdf import vocabulary as own
from kg.rdf.stream import SECTIONS, Stream, Vocabulary
from kg.rdf.syntax import Syntax
from kg.rdf.terms import BASE, check_base
from kg.rdf.vocabulary import Detail, Touched

if TYPE_CHECKING:
    import duckdb

EVIDENCE = ("none", "quotes", "full")


@dataclass(frozen=True)
class Format:
    """A syntax of RDF. `made_by` names the function of `kg.rdf.convert` that makes it out of N-Triples, when it is not written directly."""

    name: str
    suffix: str
    media_type: str
    prefixed: bool = False
    graphs: bool = False
    reified: bool = False
    made_by: str = ""


FORMATS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format("turtle", ".ttl", "text/turtle", prefixed=True),
        Format("ntriples", ".nt", "application/n-triples"),
        Format("nquads", ".nq", "application/n-quads", graphs=True),
        Format("trig", ".trig", "application/trig", prefixed=True, graphs=True),
        Format("jsonld", ".jsonld", "application/ld+json", made_by="json_ld"),
        Format("rdfxml", ".rdf", "application/rdf+xml", made_by="rdf_xml"),
        Format("turtle12", ".ttl", "text/turtle; version=1.2", prefixed=True, reified=True),
        Format("ntriples12", ".nt", "application/n-triples; version=1.2", reified=True),
    )
}


def write(
    connection: "duckdb.DuckDBPyConnection",
    output: "Path | str | IO[bytes]",
    *,
    format: str = "turtle",  # noqa: A002 - what every library calls it
    evidence: str = "quotes",
    base: str = BASE,
    vocabulary: str = "kg",
    min_cooccurrences: int = 2,
    sort: bool = True,
) -> None:
    """Write a build as RDF to a file, which is replaced whole, or to a binary stream.

    `format` is a key of FORMATS, `evidence` one of EVIDENCE, `vocabulary` "kg" or "lpwc" (that of Linked Papers With Code, which has no evidence).
    Pairs of entities are written from `min_cooccurrences` common papers on. Turtle and N-Triples that nobody compares can do without `sort`.
    Texts lose the control characters that XML cannot hold, so that every format holds the same statements.

    Raises KgError for an unknown format, evidence or vocabulary, or a base that is no IRI.
    """
    row = _chosen("format", format, FORMATS)
    _chosen("evidence", evidence, dict.fromkeys(EVIDENCE))
    chosen = _chosen("vocabulary", vocabulary, VOCABULARIES)
    stream = _stream(
        connection,
        row,
        chosen,
        check_base(base),
        Detail(
            evidence,
            row.reified,
            row.graphs,
            min_cooccurrences,
            sort or row.graphs or bool(row.made_by),
            authors=vocabulary == "kg" and authors.wanted(connection),
        ),
    )
    with _opened(output) as target:
        if row.made_by:
            from kg.rdf import convert

            getattr(convert, row.made_by)(stream.pieces(), target, stream.syntax.prefixes)
        else:
            for text in stream.pieces():
                target.write(text.encode("utf-8", "surrogatepass"))


def lines(
    connection: "duckdb.DuckDBPyConnection",
    base: str = BASE,
    *,
    evidence: str = "quotes",
    sections: Collection[str] = SECTIONS,
    only: Touched | None = None,
) -> Iterator[str]:
    """A build, or the named sections of it, or `only` what is said of some papers and entities, as N-Triples in pieces of whole lines."""
    detail = Detail(evidence, sort=False, authors=authors.wanted(connection), only=only)
    return _stream(connection, FORMATS["ntriples"], VOCABULARIES["kg"], base, detail).pieces(sections)


def _stream(connection: "duckdb.DuckDBPyConnection", row: Format, vocabulary: Vocabulary, base: str, detail: Detail) -> Stream:
    spaces = dict(vocabulary.prefixes(base)) | ({"a": f"{base}author/"} if detail.authors else {})
    return Stream(connection, vocabulary, Syntax(spaces, row.prefixed), detail)


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


def prefixes(base: str = BASE) -> dict[str, str]:
    """The prefixes of a build whose IRIs begin with `base`.

    >>> prefixes("https://example.org/")["e"]
    'https://example.org/entity/'
    """
    known = dict(ontology.load().prefixes)
    return known | {"g": base, "e": f"{base}entity/", "p": f"{base}paper/", "s": f"{base}source/"}


VOCABULARIES: Mapping[str, Vocabulary] = {
    "kg": Vocabulary(prefixes, own.preamble_kinds, own.entity_kinds, own.paper_kinds, own.author_kinds),
    "lpwc": Vocabulary(lpwc.prefixes, lpwc.preamble_kinds, lpwc.entity_kinds, lpwc.paper_kinds, lambda syntax: ()),
}
