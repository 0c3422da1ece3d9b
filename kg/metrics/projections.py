"""Projections: entities that share papers, papers that share entities, and one type against another."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kg.errors import KgError
from kg.frame import Frame
from kg.model import EntityType

if TYPE_CHECKING:
    import duckdb
    import networkx as nx

_PAIRS = """
WITH counted AS (SELECT entity, count(*) AS papers FROM links GROUP BY entity),
total AS (SELECT count(DISTINCT paper) AS papers FROM links),
pairs AS (
    SELECT x.entity AS a, y.entity AS b, count(*) AS papers FROM links x JOIN links y ON x.paper = y.paper AND x.entity <> y.entity
    JOIN entities ex ON ex.entity = x.entity JOIN entities ey ON ey.entity = y.entity
    WHERE {where} GROUP BY x.entity, y.entity HAVING count(*) >= $least
)
SELECT p.a, ea.label AS label_a, lower(ea.type) AS kind_a, p.b, eb.label AS label_b, lower(eb.type) AS kind_b, p.papers,
    round(log2(p.papers * t.papers / (ca.papers * cb.papers)), 4) AS pmi,
    round(p.papers / (ca.papers + cb.papers - p.papers), 4) AS jaccard
FROM pairs p CROSS JOIN total t JOIN counted ca ON ca.entity = p.a JOIN counted cb ON cb.entity = p.b
JOIN entities ea ON ea.entity = p.a JOIN entities eb ON eb.entity = p.b
ORDER BY p.papers DESC, jaccard DESC, p.a, p.b
"""

_SIMILAR = """
WITH total AS (SELECT count(DISTINCT paper) AS papers FROM links),
rarity AS (SELECT entity, count(*) AS papers, ln((1 + t.papers) / count(*)) AS weight FROM links CROSS JOIN total t GROUP BY entity, t.papers),
lengths AS (
    SELECT l.paper, sqrt(CAST(sum(CAST(weight * weight AS DECIMAL(18, 6))) AS DOUBLE)) AS length
    FROM links l JOIN rarity USING (entity) GROUP BY l.paper
),
held AS (SELECT l.paper, l.entity, r.weight FROM links l JOIN rarity r USING (entity) WHERE r.papers BETWEEN 2 AND $common)
SELECT a.paper AS a, b.paper AS b,
    round(CAST(sum(CAST(a.weight * b.weight AS DECIMAL(18, 6))) AS DOUBLE) / (any_value(x.length) * any_value(y.length)), 4) AS similarity,
    list(a.entity ORDER BY a.weight DESC, a.entity) AS shared
FROM held a JOIN held b ON a.entity = b.entity AND {pair} JOIN lengths x ON x.paper = a.paper JOIN lengths y ON y.paper = b.paper
WHERE x.length > 0 AND y.length > 0 {one}
GROUP BY a.paper, b.paper HAVING similarity >= $least ORDER BY similarity DESC, a.paper, b.paper
"""


def entity_type(name: str) -> EntityType:
    """A type by its name in any case, singular or plural. Raises KgError for another.

    >>> entity_type("datasets"), entity_type("Method")
    (<EntityType.DATASET: 'Dataset'>, <EntityType.METHOD: 'Method'>)
    """
    for kind in EntityType:
        if name.lower() in {kind.lower(), f"{kind.lower()}s"}:
            return kind
    raise KgError(f"{name!r} is no type of entity", hint="one of " + ", ".join(kind.lower() for kind in EntityType))


def cooccurrence(connection: "duckdb.DuckDBPyConnection", a: str = "", b: str = "", *, min_papers: int = 2) -> Frame:
    """Pairs of entities that papers link together: count, PMI (base 2) and Jaccard, most frequent first.

    `a` and `b` are types ("dataset", "method"); "" takes any. Church and Hanks, "Word association norms, mutual information and lexicography" (1990).
    """
    where = ["x.entity < y.entity"] if a == b else []
    where += [f"{alias}.type = '{entity_type(kind)}'" for alias, kind in (("ex", a), ("ey", b)) if kind]
    if a != b and not (a and b):
        where += ["(x.entity < y.entity OR ex.type <> ey.type)"]
    return Frame.of(connection, _PAIRS.format(where=" AND ".join(where)), {"least": min_papers})


def cooccurrence_graph(connection: "duckdb.DuckDBPyConnection", a: str = "", b: str = "", *, min_papers: int = 2) -> "nx.Graph[str]":
    """The same as an undirected graph: nodes with kind and label, edges with weight (papers), pmi and jaccard."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph(name="co-occurrence")
    for row in cooccurrence(connection, a, b, min_papers=min_papers):
        for end in "ab":
            graph.add_node(row[end], kind=row[f"kind_{end}"], label=row[f"label_{end}"])
        graph.add_edge(row["a"], row["b"], weight=row["papers"], pmi=row["pmi"], jaccard=row["jaccard"])
    return graph


def paper_similarity(connection: "duckdb.DuckDBPyConnection", paper: str = "", *, least: float = 0.2, common: int = 200) -> Frame:
    """Pairs of papers by the cosine of their entities, each weighted by its rarity (inverse document frequency), most similar first.

    `paper` gives the neighbours of one paper alone. Entities in more than `common` papers say little and would make every pair a candidate: they
    count for the length of the vectors only. Spärck Jones, "A statistical interpretation of term specificity" (1972).
    """
    query = _SIMILAR.format(pair="a.paper <> b.paper" if paper else "a.paper < b.paper", one="AND a.paper = $paper" if paper else "")
    return Frame.of(connection, query, {"least": least, "common": common} | ({"paper": paper} if paper else {}))


def paper_similarity_graph(connection: "duckdb.DuckDBPyConnection", *, least: float = 0.2, common: int = 200) -> "nx.Graph[str]":
    """The same as an undirected graph: edges with weight (the similarity) and shared (the entities)."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph(name="paper similarity")
    graph.add_nodes_from(
        (paper, {"kind": "paper", "label": label}) for paper, label in connection.execute("SELECT paper, label FROM papers ORDER BY paper").fetchall()
    )
    graph.add_edges_from(
        (row["a"], row["b"], {"weight": row["similarity"], "shared": row["shared"]})
        for row in paper_similarity(connection, least=least, common=common)
    )
    return graph


def matrix(connection: "duckdb.DuckDBPyConnection", rows: str = "method", columns: str = "dataset", *, top: int = 20) -> Frame:
    """How many papers have both: one row an entity of the type `rows`, one column one of the type `columns`, at most `top` of each.

    The first column is the row's label. The columns are those that meet most often, the rows those that meet these most, both most first; a row or
    column that meets none of the others is left out.
    """
    pairs = cooccurrence(connection, rows, columns, min_papers=1)
    across = _strongest(((row["b"], row["papers"]) for row in pairs), top)
    down = _strongest(((row["a"], row["papers"]) for row in pairs if row["b"] in across), top)
    across = _strongest(((row["b"], row["papers"]) for row in pairs if row["a"] in down and row["b"] in across), top)
    labels = {row[end]: row[f"label_{end}"] for row in pairs for end in "ab"}
    counts = {(row["a"], row["b"]): row["papers"] for row in pairs}
    body = tuple((labels[a], *(counts.get((a, b), 0) for b in across)) for a in down)
    return Frame((entity_type(rows).lower(), *(labels[b] for b in across)), body)


def _strongest(counted: Iterable[tuple[str, int]], top: int) -> dict[str, int]:
    """The names with the largest sums, largest first."""
    sums: dict[str, int] = {}
    for name, papers in counted:
        sums[name] = sums.get(name, 0) + papers
    return dict(sorted(sums.items(), key=lambda item: (-item[1], item[0]))[:top])
