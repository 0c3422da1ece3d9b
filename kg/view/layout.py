"""Where the nodes of a drawing lie: a force layout of what holds it together, with the loose ends fanned around what they hang on."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

SEED = 7
GAP = 26.0
"""The least room between two discs."""
RING = 46.0
"""The distance from a node to the first ring of its leaves, and between rings."""
SPACE = 44.0
"""The room that a leaf takes on its ring."""
_GOLDEN = math.pi * (3 - math.sqrt(5))

Point = tuple[float, float]


def communities(nodes: Sequence[int], weights: Mapping[tuple[int, int], float]) -> list[list[int]]:
    """Groups of nodes that hang together (Louvain, seeded), the largest first; those of one node are left out.

    Blondel et al., "Fast unfolding of communities in large networks" (2008), as networkx has it.
    """
    import networkx as nx

    graph = _graph(nodes, weights)
    found = [sorted(group) for group in nx.community.louvain_communities(graph, seed=SEED)]
    return sorted((group for group in found if len(group) > 1), key=lambda group: (-len(group), group))


def place(nodes: Sequence[int], weights: Mapping[tuple[int, int], float], sizes: Mapping[int, float]) -> dict[int, tuple[int, int]]:
    """A position for each node, in the drawing's units, whole numbers; `sizes` are radii in the same units.

    ForceAtlas2 (Jacomy et al., PLoS ONE 2014) as networkx has it places the nodes with two or more neighbours, and each node with one
    neighbour goes on a disc around it; discs that overlap are pushed apart. The same input gives the same positions.
    """
    if not nodes:
        return {}
    hung, core = _leaves(nodes, weights)
    radii = {node: _disc(sizes[node], [sizes[leaf] for leaf in hung.get(node, ())]) for node in core}
    held = {pair: weight for pair, weight in weights.items() if pair[0] in radii and pair[1] in radii}
    spots = _apart(_forces(core, held, radii), radii)
    for node in core:
        spots.update(_fan(spots[node], sizes[node], [(leaf, sizes[leaf]) for leaf in hung.get(node, ())], _middle(spots, core)))
    return {node: (round(x), round(y)) for node, (x, y) in sorted(spots.items())}


def _graph(nodes: Sequence[int], weights: Mapping[tuple[int, int], float]) -> "nx.Graph":
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(sorted(nodes))
    graph.add_weighted_edges_from((a, b, weight) for (a, b), weight in sorted(weights.items()) if a != b)
    return graph


def _leaves(nodes: Sequence[int], weights: Mapping[tuple[int, int], float]) -> tuple[dict[int, list[int]], list[int]]:
    """The nodes with one neighbour, by that neighbour, and the rest; of a lone pair both are of the rest."""
    near: dict[int, set[int]] = defaultdict(set)
    for a, b in weights:
        near[a].add(b)
        near[b].add(a)
    hung: dict[int, list[int]] = defaultdict(list)
    for node in sorted(nodes):
        if len(near[node]) == 1 and len(near[hub := next(iter(near[node]))]) > 1:
            hung[hub].append(node)
    loose = {leaf for leaves in hung.values() for leaf in leaves}
    return hung, [node for node in sorted(nodes) if node not in loose]


def _forces(core: Sequence[int], weights: Mapping[tuple[int, int], float], radii: Mapping[int, float]) -> dict[int, Point]:
    """ForceAtlas2, scaled so that the discs have about three times the room that they fill."""
    import networkx as nx
    import numpy as np

    if len(core) == 1:
        return {core[0]: (0.0, 0.0)}
    start = {node: np.array(spot) for node, spot in _spiral(core).items()}
    found = nx.forceatlas2_layout(
        _graph(core, weights), pos=start, max_iter=120, scaling_ratio=4.0, strong_gravity=False, gravity=1.5, weight="weight", seed=SEED
    )
    points = np.array([found[node] for node in core])
    points -= points.mean(axis=0)
    reach = float(np.percentile(np.hypot(*points.T), 90)) or 1.0
    wanted = math.sqrt(3 * sum((radii[node] + GAP) ** 2 for node in core))
    return {node: (float(x), float(y)) for node, (x, y) in zip(core, points * wanted / reach, strict=True)}


def _spiral(core: Sequence[int]) -> dict[int, Point]:
    """Where the forces start: a sunflower's spiral, the strongest in the middle, the same on every machine."""
    return {node: (math.sqrt(n + 0.5) * math.cos(n * _GOLDEN), math.sqrt(n + 0.5) * math.sin(n * _GOLDEN)) for n, node in enumerate(core)}


def _apart(spots: Mapping[int, Point], radii: Mapping[int, float], rounds: int = 80) -> dict[int, Point]:
    """Push discs that overlap apart, each pair by half of what it lacks, until none do or the rounds are over."""
    import numpy as np

    nodes = list(spots)
    points = np.array([spots[node] for node in nodes])
    radius = np.array([radii[node] for node in nodes])
    need = radius[:, None] + radius[None, :] + GAP
    np.fill_diagonal(need, 0)
    for _ in range(rounds):
        away = points[:, None, :] - points[None, :, :]
        distance = np.hypot(away[..., 0], away[..., 1])
        lack = np.where(distance < need, need - distance, 0)
        if lack.max(initial=0) < 1:
            break
        points += 0.5 * (away * (lack / np.maximum(distance, 1e-6))[..., None]).sum(axis=1)
    return {node: (float(x), float(y)) for node, (x, y) in zip(nodes, points, strict=True)}


def _rings(count: int, size: float) -> list[tuple[float, int]]:
    """The radius of each ring around a node of a size, and how many leaves go on it."""
    rings = []
    radius = size + RING
    while count > 0:
        room = min(count, max(3, int(2 * math.pi * radius / SPACE)))
        rings.append((radius, room))
        count -= room
        radius += RING
    return rings


def _disc(size: float, leaves: Sequence[float]) -> float:
    rings = _rings(len(leaves), size)
    return rings[-1][0] + max(leaves) if rings else size


def _middle(spots: Mapping[int, Point], core: Sequence[int]) -> Point:
    return sum(spots[node][0] for node in core) / len(core), sum(spots[node][1] for node in core) / len(core)


def _fan(centre: Point, size: float, leaves: Sequence[tuple[int, float]], middle: Point) -> dict[int, Point]:
    """The leaves of a node on rings around it, the first of them on the side away from the middle of the drawing."""
    outward = math.atan2(centre[1] - middle[1], centre[0] - middle[0])
    spots = {}
    waiting = iter(leaves)
    for turn, (radius, room) in enumerate(_rings(len(leaves), size)):
        for step in range(room):
            node, _ = next(waiting)
            angle = outward + math.pi * turn / room + 2 * math.pi * step / room
            spots[node] = (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))
    return spots
