"""After a small change of a large build: the store on disk is brought in line with the tables instead of being loaded anew."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kg.rdf import stores
from kg.rdf.terms import entity_iri, local, paper_iri
from kg.rdf.vocabulary import Touched
from kg.rdf.write import lines, prefixes

if TYPE_CHECKING:
    import duckdb
    import pyoxigraph

MOST = 5_000
"""Touched papers up to which a store is changed; above it loading is as quick."""


@dataclass(frozen=True)
class Change:
    """What a store must forget, by the IRIs of papers, entities and pairs of entities, and the statements it must learn, as N-Triples."""

    base: str
    papers: tuple[str, ...]
    entities: tuple[str, ...]
    pairs: tuple[str, ...]
    learnt: bytes


def change(connection: "duckdb.DuckDBPyConnection") -> Change | None:
    """What a partial resolution changed, from the temporary tables that it left (`kg.tables.partial.renew`); None when it is too much.

    `moved(paper)` are papers that stand in other places of the files than before.
    """
    base = stores.base_of(connection)
    connection.execute("CREATE OR REPLACE TEMP TABLE rewritten AS SELECT paper FROM touched UNION SELECT paper FROM moved")
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE renamed AS SELECT entity FROM counted UNION SELECT entity FROM held UNION SELECT entity FROM renewed"
    )
    papers = _names(connection, "SELECT paper FROM rewritten ORDER BY ALL")
    if len(papers) > MOST:
        return None
    pairs = connection.execute("SELECT DISTINCT a, b FROM pairs ORDER BY ALL").fetchall()
    told = lines(connection, base, only=Touched(papers="rewritten", entities="renamed", pairs="pairs"))
    return Change(
        base,
        tuple(paper_iri(paper, base) for paper in papers),
        tuple(entity_iri(entity, base) for entity in _names(connection, "SELECT entity FROM renamed ORDER BY ALL")),
        tuple(f"{entity_iri(a, base)}#{local(b)}" for a, b in pairs),
        "".join(told).encode("utf-8", "surrogatepass"),
    )


def apply(folder: Path | str, ready: Path, changed: Change) -> None:
    """Put a changed copy of the store `ready`, whose files are shared as far as they stay the same, in the place of it.

    A store that another process holds is left: it is out of date then, and the next question loads it anew.
    """
    import pyoxigraph

    with contextlib.suppress(OSError), stores.building(ready.parent) as place:
        place.rmdir()
        pyoxigraph.Store(str(ready)).backup(str(place))
        made = pyoxigraph.Store(str(place))
        for quad in list(_stale(made, changed)):
            made.remove(quad)
        made.load(changed.learnt, pyoxigraph.RdfFormat.N_TRIPLES)
        made.flush()
        del made
        stores.install(folder, place)


def _stale(made: "pyoxigraph.Store", changed: Change) -> Iterator["pyoxigraph.Quad"]:
    import pyoxigraph

    def about(node: object) -> Iterator["pyoxigraph.Quad"]:
        if isinstance(node, pyoxigraph.NamedNode):
            yield from made.quads_for_pattern(node, None, None)

    named = pyoxigraph.NamedNode
    terms = prefixes(changed.base)
    states, reports, target = named(terms["kg"] + "states"), named(terms["kg"] + "reports"), named(terms["oa"] + "hasTarget")
    derived, replaced = named(terms["prov"] + "wasDerivedFrom"), named(terms["dcterms"] + "isReplacedBy")
    for iri in (*changed.entities, *changed.pairs, f"{changed.base}build"):
        yield from about(named(iri))
    for iri in changed.papers:
        paper = named(iri)
        for said in (states, reports):
            for quad in made.quads_for_pattern(paper, said, None):
                yield from about(quad.object)
        for quad in made.quads_for_pattern(None, target, paper):
            yield from about(quad.subject)
        yield from about(paper)
    graph = named(f"{changed.base}graph")
    for quad in made.quads_for_pattern(graph, derived, None):
        yield from about(quad.object)
    yield from about(graph)
    yield from made.quads_for_pattern(None, replaced, None)


def _names(connection: "duckdb.DuckDBPyConnection", query: str) -> list[str]:
    return [name for (name,) in connection.execute(query).fetchall()]
