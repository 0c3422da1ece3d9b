"""What is drawn when a page opens: everything when it is small, else the strongest entities and what most ties them together."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kg.view.layout import communities

if TYPE_CHECKING:
    import duckdb

WHOLE = 640
"""Up to this many nodes a page opens with all of them."""
STRONGEST = 180
"""So many entities make an overview."""
TIES = 3
"""So many of its strongest ties each entity of an overview keeps."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A drawn edge between two nodes: `kind` is a role, a relation, "variant" to a family, or "together" for entities that share `papers` papers."""

    source: int
    target: int
    kind: str
    papers: int = 1


@dataclass(frozen=True, slots=True)
class Drawing:
    """The nodes and edges that are drawn at first. Entity n is node n; paper n is node `entities` + n."""

    nodes: list[int]
    ties: list[Tie]
    weights: dict[tuple[int, int], float] = field(default_factory=dict)
    communities: list[list[int]] = field(default_factory=list)
    is_overview: bool = False


def opening(connection: "duckdb.DuckDBPyConnection", graph: dict[str, Any]) -> Drawing:
    """The drawing that a page opens with.

    `graph` is the data of `kg.view.data.read`; the connection still holds the prepared tables.
    """
    entities, papers = len(graph["entities"]["id"]), len(graph["papers"]["id"])
    return _everything(graph, entities, papers) if entities + papers <= WHOLE else strongest(connection, graph, min(STRONGEST, entities))


def _everything(graph: dict[str, Any], entities: int, papers: int) -> Drawing:
    links, roles = graph["links"], graph["roles"]
    ties = [Tie(entities + paper, entity, roles[role]) for paper, entity, role in zip(links["paper"], links["entity"], links["role"], strict=True)]
    weights = {(tie.target, tie.source): 1.0 for tie in ties}
    families = [(entity, parent) for entity, parents in enumerate(graph["entities"]["parents"]) for parent in parents]
    weights |= {(min(pair), max(pair)): 1.0 for pair in families}
    ties += _relations(graph, entities) + [Tie(entity, parent, "variant") for entity, parent in families]
    return Drawing(list(range(entities + papers)), ties, weights)


def _relations(graph: dict[str, Any], drawn: int) -> list[Tie]:
    """The stated relations among the first `drawn` entities, each pair and kind once."""
    table, kinds = graph["relations"], graph["kinds"]
    stated: dict[tuple[int, int, int], int] = defaultdict(int)
    for head, kind, tail in zip(table["head"], table["kind"], table["tail"], strict=True):
        if head < drawn and tail < drawn:
            stated[head, tail, kind] += 1
    return [Tie(head, tail, kinds[kind], papers) for (head, tail, kind), papers in sorted(stated.items())]


_PAIRS = """WITH strong AS (SELECT paper, entity AS n FROM page_links WHERE entity < ?)
SELECT a.n, b.n, count(*) FROM strong a JOIN strong b ON a.paper = b.paper AND a.n < b.n GROUP BY ALL ORDER BY ALL"""


def strongest(connection: "duckdb.DuckDBPyConnection", graph: dict[str, Any], drawn: int) -> Drawing:
    """The drawing of the first `drawn` entities, each tied to those whose sets of papers are the most like its own, by their cosine."""
    papers = graph["entities"]["papers"]
    shared = {(a, b): n for a, b, n in connection.execute(_PAIRS, [drawn]).fetchall()}
    weights = {pair: n / (papers[pair[0]] * papers[pair[1]]) ** 0.5 for pair, n in shared.items()}
    best: dict[int, list[tuple[float, tuple[int, int]]]] = defaultdict(list)
    for pair, weight in weights.items():
        for node in pair:
            best[node].append((-weight, pair))
    kept = sorted({pair for found in best.values() for _, pair in sorted(found)[:TIES]})
    ties = [Tie(a, b, "together", shared[a, b]) for a, b in kept]
    groups = communities(range(drawn), {pair: weights[pair] for pair in kept})
    member = {node: group for group, nodes in enumerate(groups) for node in nodes}
    closer = {(a, b): weights[a, b] * (6 if member.get(a) == member.get(b) else 1) for a, b in kept}
    return Drawing(list(range(drawn)), ties, closer, groups, is_overview=True)
