"""Measures of every node: degree, PageRank, betweenness, community, component, core."""

from typing import TYPE_CHECKING, Any

from kg.frame import Frame
from kg.metrics.network import Network

if TYPE_CHECKING:
    import numpy as np

SEED = 20240
EXACT = 1500
"""Up to so many nodes betweenness is computed from every node, above from SAMPLE of them."""
SAMPLE = 64
_BATCH = 16
_DAMPING = 0.85


def measure(net: Network, *, sample: int = SAMPLE) -> Frame:
    """Every node's measures, most central first.

    Columns: node, kind, label, degree (neighbours), strength (sum of the confidences of its edges), pagerank (weighted by confidence, sums to 1),
    betweenness (share of shortest paths, estimated from `sample` sources on graphs of more than EXACT nodes), community and component (numbered
    by size, from 0), core (the largest k for which the node is in the k-core).
    """
    import numpy as np
    from scipy.sparse import csgraph

    if not len(net):
        return Frame(("node", "kind", "label", "degree", "strength", "pagerank", "betweenness", "community", "component", "core"), ())
    degree = np.diff(net.weights.indptr)
    strength = net.weights.sum(axis=1)
    rank = pagerank(net)
    between = betweenness(net, sample=sample)
    _, component = csgraph.connected_components(net.weights, directed=False)
    columns = {
        "node": net.nodes,
        "kind": net.kinds,
        "label": net.labels,
        "degree": degree.tolist(),
        "strength": [round(value, 3) for value in strength.tolist()],
        "pagerank": [_significant(value) for value in rank.tolist()],
        "betweenness": [_significant(value) for value in between.tolist()],
        "community": communities(net),
        "component": _by_size(component.tolist()),
        "core": cores(net),
    }
    rows = sorted(zip(*columns.values(), strict=True), key=lambda row: (-row[5], row[0]))
    return Frame(tuple(columns), tuple(rows))


def pagerank(net: Network, *, tolerance: float = 1e-12, rounds: int = 200) -> "np.ndarray[Any, Any]":
    """PageRank by power iteration on the matrix (networkx' own spends its time on building that matrix from dictionaries).

    Brin and Page, "The anatomy of a large-scale hypertextual web search engine" (1998), damping 0.85; nodes without edges give evenly to all.
    """
    import numpy as np

    size = len(net)
    strength = net.weights.sum(axis=1)
    alone = strength == 0
    share = np.divide(1.0, strength, out=np.zeros(size), where=~alone)
    rank = np.full(size, 1 / size)
    for _ in range(rounds):
        new = _DAMPING * (net.weights @ (rank * share) + rank[alone].sum() / size) + (1 - _DAMPING) / size
        moved = np.abs(new - rank).sum()
        rank = new
        if moved < tolerance:
            break
    return rank


def betweenness(net: Network, *, sample: int = SAMPLE) -> "np.ndarray[Any, Any]":
    """The share of shortest paths (in hops) through each node, as networkx normalises it.

    Brandes, "A faster algorithm for betweenness centrality" (2001), many sources at once as products of matrices; on graphs of more than EXACT
    nodes from `sample` pivots, drawn with a fixed seed: Brandes and Pich, "Centrality estimation in large networks" (2007).
    """
    import numpy as np

    size = len(net)
    pivots = np.arange(size)
    if size > EXACT:
        pivots = np.sort(np.random.default_rng(SEED).choice(size, size=min(sample, size), replace=False))
    hops = (net.weights > 0).astype(np.float64)
    total = np.zeros(size)
    for start in range(0, len(pivots), _BATCH):
        total += _dependencies(hops, pivots[start : start + _BATCH])
    return total * (size / len(pivots)) / ((size - 1) * (size - 2)) if size > 2 else total


def _dependencies(hops: Any, sources: "np.ndarray[Any, Any]") -> Any:
    """Brandes' dependencies of some sources, summed over them."""
    import numpy as np

    paths = np.zeros((hops.shape[0], len(sources)))
    paths[sources, np.arange(len(sources))] = 1
    front, levels = paths, [paths > 0]
    while True:
        front = hops @ front
        front[paths > 0] = 0
        if not front.any():
            break
        levels.append(front > 0)
        paths = paths + front
    dependency = np.zeros_like(paths)
    inverse = np.divide(1.0, paths, out=np.zeros_like(paths), where=paths > 0)
    for nearer, farther in zip(levels[-2::-1], levels[:0:-1], strict=True):
        dependency += np.where(nearer, (hops @ np.where(farther, (1 + dependency) * inverse, 0)) * paths, 0)
    dependency[sources, np.arange(len(sources))] = 0
    return dependency.sum(axis=1)


def communities(net: Network) -> list[int]:
    """The community of each node, numbered by size; nodes without edges have one each.

    Leiden on modularity with confidences as weights, seeded: Traag, Waltman and van Eck, "From Louvain to Leiden" (2019), as graspologic-native
    has it (networkx' Louvain takes minutes on a corpus; igraph and leidenalg are GPL).
    """
    import graspologic_native  # type: ignore[import-untyped]
    import numpy as np
    from scipy import sparse

    upper = sparse.triu(net.weights, k=1).tocoo()
    order = np.lexsort((upper.col, upper.row))
    edges = [(str(a), str(b), w) for a, b, w in zip(upper.row[order].tolist(), upper.col[order].tolist(), upper.data[order].tolist(), strict=True)]
    if not edges:
        return list(range(len(net)))
    _, found = graspologic_native.leiden(edges=edges, seed=SEED)
    return _by_size([found.get(str(number), -1 - number) for number in range(len(net))])


def cores(net: Network) -> list[int]:
    """The core number of each node: Batagelj and Zaveršnik, "An O(m) algorithm for cores decomposition" (2003), peeling whole shells at once.

    networkx' own takes more time on a corpus than all other measures but one.
    """
    import numpy as np

    hops = (net.weights > 0).astype(np.int64)
    degree = np.diff(net.weights.indptr).astype(np.int64)
    core, alive, k = np.zeros(len(net), dtype=np.int64), np.ones(len(net), dtype=bool), 0
    while alive.any():
        k = max(k, int(degree[alive].min()))
        gone = np.flatnonzero(alive & (degree <= k))
        core[gone] = k
        alive[gone] = False
        degree -= np.bincount(hops[gone].indices, minlength=len(net))
    found: list[int] = core.tolist()
    return found


def _by_size(groups: list[int]) -> list[int]:
    """Group numbers anew: the largest is 0; equally large ones in the order of their first members."""
    counts: dict[int, int] = {}
    for group in groups:
        counts[group] = counts.get(group, 0) + 1
    first = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    numbers = {group: number for number, group in enumerate(sorted(counts, key=lambda group: (-counts[group], first[group])))}
    return [numbers[group] for group in groups]


def _significant(value: float) -> float:
    """Six digits: the last ones of a float depend on the processor."""
    return float(f"{value:.6g}")
