"""The shortest explained chain between two things."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kg.errors import KgError
from kg.explore.things import thing
from kg.frame import Frame
from kg.metrics.network import Network, network

if TYPE_CHECKING:
    import duckdb

_LINK = """
SELECT 'link', l.role, l.confidence, l.paper, t.text FROM links l LEFT JOIN sentences t ON t.paper = l.paper AND t.sentence = l.sentence
WHERE l.paper = ? AND l.entity = ?
"""
_RELATION = """
SELECT r.head, r.relation, r.confidence, r.paper, t.text FROM relations r LEFT JOIN sentences t ON t.paper = r.paper AND t.sentence = r.sentence
WHERE (r.head = $a AND r.tail = $b) OR (r.head = $b AND r.tail = $a) ORDER BY r.confidence DESC, r.paper, r.relation LIMIT 1
"""


def path(connection: "duckdb.DuckDBPyConnection", a: str, b: str) -> Frame:
    """The chain of fewest steps from one entity or paper to another; of equally short ones the surest, through the less common things.

    A step is a link (paper and entity) or a relation (two entities). Columns: step, from, how, to, confidence, paper, evidence; `how` reads from
    left to right, "←" before it says that the relation runs the other way. Raises UnknownNameError, and KgError when nothing connects them.
    """
    ends = [thing(connection, name) for name in (a, b)]
    net = network(connection)
    places = {(kind == "paper", node): number for number, (node, kind) in enumerate(zip(net.nodes, net.kinds, strict=True))}
    start, goal = (places[kind == "paper", identifier] for kind, identifier in ends)
    chain = _shortest(net, start, goal)
    if not chain:
        raise KgError(f"nothing in this build connects {a!r} with {b!r}", hint=f'kg related "{a}" shows what is near')
    rows = [(number, *_explained(connection, net, x, y)) for number, (x, y) in enumerate(pairwise(chain), start=1)]
    return Frame(("step", "from", "how", "to", "confidence", "paper", "evidence"), tuple(rows))


def _shortest(net: Network, start: int, goal: int) -> list[int]:
    """Dijkstra, each step costing 1 and a little more the less sure it is and the more common the thing that it leads to."""
    import numpy as np
    from scipy import sparse
    from scipy.sparse import csgraph

    degree = np.diff(net.weights.indptr)
    sure = np.minimum(net.weights.data, 1)
    cost = 1 + 0.02 * (1 - sure) + 0.01 * np.log1p(degree[net.weights.indices])
    costs = sparse.csr_array((cost, net.weights.indices, net.weights.indptr), shape=net.weights.shape)
    _, before = csgraph.dijkstra(costs, directed=True, indices=start, return_predecessors=True)
    chain = [goal]
    while chain[-1] != start:
        previous = int(before[chain[-1]])
        if previous < 0:
            return []
        chain.append(previous)
    return chain[::-1]


def _explained(connection: "duckdb.DuckDBPyConnection", net: Network, x: int, y: int) -> tuple[Any, ...]:
    source, target = net.nodes[x], net.nodes[y]
    if "paper" in {net.kinds[x], net.kinds[y]}:
        paper, entity = (source, target) if net.kinds[x] == "paper" else (target, source)
        _, role, confidence, _, text = connection.execute(_LINK, [paper, entity]).fetchall()[0]
        how = f"{role} here:" if paper == source else f"{role} in"
    else:
        head, relation, confidence, paper, text = connection.execute(_RELATION, {"a": source, "b": target}).fetchall()[0]
        how = relation if head == source else f"← {relation}"
    return net.labels[x], how, net.labels[y], confidence, paper, text
