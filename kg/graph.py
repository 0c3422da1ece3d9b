"""Tables to a networkx.MultiDiGraph. docs/graph.md lists every attribute."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kg import authors

if TYPE_CHECKING:
    import duckdb
    import networkx as nx

Attributes = dict[str, Any]
Node = tuple[str, Attributes]
Edge = tuple[str, str, str, Attributes]

_BATCH = 10_000

# A paper whose id happens to be an entity's id (a file's own "bert") must not become that entity's node.
_PAPER = "CASE WHEN {0} IN (SELECT entity FROM entities) THEN 'paper:' || {0} ELSE {0} END"

_PAPERS = f"""
SELECT {_PAPER.format("p.paper")} AS node, 'paper' AS kind, p.label, p.title, p.year, p.venue, p.authors, p.doi, p.arxiv, p.openreview, p.acl, p.pmid,
    p.url, p.keywords, p.language, (SELECT list(DISTINCT s.source ORDER BY s.source) FROM places s WHERE s.paper = p.paper) AS sources
FROM papers p ORDER BY p.paper
"""

_ENTITIES = """
SELECT e.entity AS node, lower(e.type) AS kind, e.label, a.aliases, e.expansion, lower(e.also) AS also, e.catalogue, e.urls, e.papers, e.mentions
FROM entities e
LEFT JOIN (SELECT entity, list(surface ORDER BY papers DESC, surface) AS aliases FROM aliases GROUP BY entity) a USING (entity) ORDER BY e.entity
"""

_AUTHORS = f"SELECT 'author:' || author AS node, 'author' AS kind, label, aliases, papers FROM ({authors.AUTHORS}) ORDER BY author"

_AUTHORED = f"""
SELECT DISTINCT 'author:' || w.author AS source, {_PAPER.format("w.paper")} AS node, 'authored' AS key, CAST(1 AS DOUBLE) AS confidence, w.paper
FROM ({authors.WRITTEN}) w ORDER BY 1, 2
"""

_LINKS = f"""
SELECT {_PAPER.format("l.paper")} AS source, l.entity, l.role, l.confidence, t.text AS evidence, l.paper, l.sentence, l.start, l."end", l.mentions,
    l.extractor
FROM links l LEFT JOIN sentences t ON t.paper = l.paper AND t.sentence = l.sentence ORDER BY l.paper, l.entity
"""

_RELATIONS = """
WITH stated AS (
    SELECT head, tail, relation, max(confidence) AS confidence, list(DISTINCT paper ORDER BY paper) AS stated_by,
        arg_min({'paper': paper, 'sentence': sentence, 'extractor': extractor}, (-confidence, paper, sentence)) AS best
    FROM relations GROUP BY head, tail, relation
)
SELECT s.head, s.tail, s.relation, s.confidence, t.text AS evidence, s.best.paper AS paper, s.best.sentence AS sentence, t.start, t."end",
    s.stated_by, s.best.extractor AS extractor
FROM stated s LEFT JOIN sentences t ON t.paper = s.best.paper AND t.sentence = s.best.sentence
UNION ALL
SELECT f.entity, f.parent, 'variantOf', 1.0, f.reason, NULL, NULL, NULL, NULL, []::VARCHAR[], 'family'
FROM families f ANTI JOIN stated s ON s.head = f.entity AND s.tail = f.parent AND s.relation = 'variantOf'
ORDER BY 1, 2, 3
"""


def graph(connection: "duckdb.DuckDBPyConnection") -> "nx.MultiDiGraph":
    """The whole build as one graph: papers and entities are nodes, links and relations are edges keyed by their role or relation.

    In a build with authors these are nodes too, joined to their papers by edges `authored`.

    >>> from kg.tables.store import create
    >>> import duckdb
    >>> memory = duckdb.connect(); create(memory)
    >>> _ = memory.execute("INSERT INTO entities VALUES ('gsm8k', 'GSM8K', 'Dataset', '', '', true, [], 0, 0)")
    >>> graph(memory).nodes["gsm8k"]["kind"]
    'dataset'
    """
    import networkx as nx

    result = nx.MultiDiGraph(name="kg")
    result.add_nodes_from(nodes(connection))
    result.add_edges_from(edges(connection))
    return result


def nodes(connection: "duckdb.DuckDBPyConnection") -> Iterator[Node]:
    """The nodes, papers first and authors last, each with the attributes that it has: what is unknown is left out, `aliases` is always there."""
    for query in (_PAPERS, _ENTITIES, *([_AUTHORS] if authors.wanted(connection) else [])):
        for row in _rows(connection, query):
            node = row.pop("node")
            yield node, {"kind": row.pop("kind"), "label": row.pop("label") or node, "aliases": row.pop("aliases", None) or []} | _known(row)


def edges(connection: "duckdb.DuckDBPyConnection") -> Iterator[Edge]:
    """The edges as (source, target, key, attributes): links of papers to entities first, then relations between entities, then what authors wrote."""
    text: dict[str, str] = {}
    for query in (_LINKS, _RELATIONS, *([_AUTHORED] if authors.wanted(connection) else [])):
        for row in _rows(connection, query):
            source, target, key = list(row.values())[:3]
            attributes = {name: value for name, value in list(row.items())[3:] if value not in (None, [])}
            attributes["evidence"] = text.setdefault(attributes.get("evidence") or "", attributes.get("evidence") or "")
            if len(text) > _BATCH:
                text.clear()
            yield source, target, key, attributes


def _known(row: Attributes) -> Attributes:
    return {name: value for name, value in row.items() if value not in (None, "", [])}


def _rows(connection: "duckdb.DuckDBPyConnection", query: str) -> Iterator[Attributes]:
    """Rows as dictionaries, in batches and on a cursor of their own, so that a corpus never lies in memory and streams do not cut each other off."""
    with connection.cursor() as cursor:
        cursor.execute(query)
        names = [column[0] for column in cursor.description or ()]
        while batch := cursor.fetchmany(_BATCH):
            for row in batch:
                yield dict(zip(names, row, strict=True))
