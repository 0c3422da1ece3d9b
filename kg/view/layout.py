"""Where the nodes of a drawing lie: a force layout of what holds it together, with the loose ends fanned around what they hang on."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np

SEED = 7
SHAPE = 1.35
"""How much wider than high a drawing is to be."""
GAP = 22.0
"""The least room between two discs."""
RING = 40.0
"""The distance from a node to the first ring of its leaves, and between rings."""
SPACE = 32.0
"""The room that a leaf takes on its ring."""
GOLDEN = math.pi * (3 - math.sqrt(5))

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

    ForceAtlas2 (Jacomy et al., PLoS ONE 2014) as networkx has it places the nodes of each component that have two or more neighbours;
    each node with one neighbour goes on a ring around it; discs that overlap are pushed apart, and the components are packed into one
    drawing that is wider than high. The same input gives the same positions.
    """
    import networkx as nx

    packed: dict[int, Point] = {}
    discs: list[tuple[float, float, float]] = []
    parts = sorted((sorted(part) for part in nx.connected_components(_graph(nodes, weights))), key=lambda part: (-len(part), part))
    for part in parts:
        inside = set(part)
        spots = _component(part, {pair: weight for pair, weight in weights.items() if pair[0] in inside}, sizes)
        own = [(x, y, sizes[node]) for node, (x, y) in spots.items()]
        right, down = _free(discs, own)
        packed.update({node: (x + right, y + down) for node, (x, y) in spots.items()})
        discs += [(x + right, y + down, size) for x, y, size in own]
    return {node: (round(x), round(y)) for node, (x, y) in sorted(packed.items())}


def discs(nodes: Sequence[int], weights: Mapping[tuple[int, int], float], radii: Mapping[int, float]) -> dict[int, Point]:
    """A position for each of some discs of given radii, by force and without overlaps, close together and all taken as one component."""
    return _apart(_forces(nodes, weights, radii, roomy=5), radii, rounds=300)


def _component(part: Sequence[int], weights: Mapping[tuple[int, int], float], sizes: Mapping[int, float]) -> dict[int, Point]:
    hung, core = _leaves(part, weights)
    radii = {node: _disc(sizes[node], [sizes[leaf] for leaf in hung.get(node, ())]) for node in core}
    held = {pair: weight for pair, weight in weights.items() if pair[0] in radii and pair[1] in radii}
    spots = _apart(_forces(core, held, radii), radii)
    middle = _middle(spots, core)
    for node in core:
        spots.update(_fan(spots[node], sizes[node], [(leaf, sizes[leaf]) for leaf in hung.get(node, ())], middle))
    return spots


def _free(taken: Sequence[tuple[float, float, float]], own: Sequence[tuple[float, float, float]]) -> Point:
    """How far to move a component so that it touches nothing that is placed: the first free place on a spiral wider than high."""
    import numpy as np

    if not taken:
        return 0.0, 0.0
    others, mine = np.array(taken), np.array(own)
    mine[:, :2] -= (mine[:, :2].min(axis=0) + mine[:, :2].max(axis=0)) / 2
    for turn in range(100_000):
        reach = 14.0 * math.sqrt(turn)
        right, down = 1.2 * reach * math.cos(turn * GOLDEN), reach * math.sin(turn * GOLDEN)
        away = np.hypot(mine[:, None, 0] + right - others[None, :, 0], mine[:, None, 1] + down - others[None, :, 1])
        if (away > mine[:, None, 2] + others[None, :, 2] + 2 * GAP).all():
            break
    start = np.array(own)[:, :2]
    offset = (start.min(axis=0) + start.max(axis=0)) / 2
    return right - float(offset[0]), down - float(offset[1])


def _graph(nodes: Sequence[int], weights: Mapping[tuple[int, int], float]) -> "nx.Graph":
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(sorted(nodes))
    mean = sum(weights.values()) / len(weights) if weights else 1.0
    graph.add_weighted_edges_from((a, b, weight / mean) for (a, b), weight in sorted(weights.items()) if a != b)
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


def _forces(core: Sequence[int], weights: Mapping[tuple[int, int], float], radii: Mapping[int, float], roomy: int = 40) -> dict[int, Point]:
    """ForceAtlas2, scaled so that so many of a hundred discs have room beside their nearest."""
    import networkx as nx
    import numpy as np

    if len(core) == 1:
        return {core[0]: (0.0, 0.0)}
    start = {node: np.array(spot) for node, spot in _spiral(core).items()}
    found = nx.forceatlas2_layout(_graph(core, weights), pos=start, max_iter=150, scaling_ratio=3.0, gravity=1.0, weight="weight", seed=SEED)
    points = _wide(np.array([found[node] for node in core]))
    away = np.hypot(points[:, None, 0] - points[None, :, 0], points[:, None, 1] - points[None, :, 1])
    np.fill_diagonal(away, np.inf)
    radius = np.array([radii[node] for node in core]) + GAP / 2
    nearest = away.argmin(axis=1)
    room = (radius + radius[nearest]) / np.maximum(away.min(axis=1), 1e-6)
    points *= float(np.percentile(room, roomy))
    return {node: (float(x), float(y)) for node, (x, y) in zip(core, points, strict=True)}


def _wide(points: "np.ndarray") -> "np.ndarray":
    """The points around their middle, turned to spread from left to right, far strays drawn in, stretched towards the shape of a screen."""
    import numpy as np

    points = points - points.mean(axis=0)
    (a, b), (_, d) = points.T @ points
    turn = math.atan2(2 * b, a - d) / 2
    points = points @ np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    reach = np.hypot(points[:, 0], points[:, 1])
    most = float(np.percentile(reach, 85))
    points *= (np.where(reach > most, most + 0.35 * (reach - most), reach) / np.maximum(reach, 1e-9))[:, None]
    wide, high = np.maximum(np.ptp(points, axis=0), 1e-6)
    stretched: np.ndarray = points * np.array([1.0, min(2.5, max(1.0, float(wide / high) / SHAPE))])
    return stretched


def _spiral(core: Sequence[int]) -> dict[int, Point]:
    """Where the forces start: a sunflower's spiral, the strongest in the middle, the same on every machine."""
    return {node: (math.sqrt(n + 0.5) * math.cos(n * GOLDEN), math.sqrt(n + 0.5) * math.sin(n * GOLDEN)) for n, node in enumerate(core)}


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
