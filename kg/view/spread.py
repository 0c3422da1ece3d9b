"""Where the nodes of a whole graph lie, up to tens of thousands: each paper with its most telling strong entity, each rare entity with its papers."""

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kg.view.layout import GOLDEN, Point, discs
from kg.view.overview import strongest

if TYPE_CHECKING:
    import duckdb

HUBS = 240
"""So many of the strongest entities get a disc of their own."""
SLOT = 9.0
"""The room of one node in a disc, in the drawing's units."""
REST = -1
"""Where the papers stand that nothing joins to a strong entity."""


def spread(connection: "duckdb.DuckDBPyConnection", graph: dict[str, Any]) -> dict[str, list[int]]:
    """The columns `x` and `y` of all nodes, entities first, in whole units; the same tables give the same positions.

    A force layout of all nodes takes minutes at this size. The strongest entities, laid out by force, each gather the papers that name no rarer
    one of them, in a sunflower's spiral (Vogel 1979); papers that name none lie around all these. An entity of one paper lies beside it, one of
    several in their middle.
    """
    drawing = strongest(connection, graph, min(HUBS, len(graph["entities"]["id"])))
    homes, hung = _homes(graph, len(drawing.nodes))
    radii = {hub: SLOT * (2 + math.sqrt(_slots(homes.get(hub, []), hung))) for hub in drawing.nodes}
    centres = _centred(discs(drawing.nodes, drawing.weights, radii), radii) if radii else {}
    spots = dict(centres)
    entities = len(graph["entities"]["id"])
    edge = max((math.hypot(x, y) + radii[hub] for hub, (x, y) in centres.items()), default=0.0)
    for hub, papers in sorted(homes.items()):
        middle, used = (centres[hub], 2.0) if hub in centres else ((0.0, 0.0), (edge / SLOT + 4) ** 2)
        for turn, paper in enumerate(papers):
            reach, angle = SLOT * math.sqrt(used), turn * GOLDEN
            spot = (middle[0] + reach * math.cos(angle), middle[1] + reach * math.sin(angle))
            spots[entities + paper] = spot
            spots.update(_beside(spot, hung[paper]))
            used += _slots([paper], hung)
    _between(graph, spots)
    nodes = range(entities + len(graph["papers"]["id"]))
    return {axis: [round(spots[node][index]) for node in nodes] for index, axis in enumerate("xy")}


def _centred(spots: Mapping[int, Point], radii: Mapping[int, float]) -> dict[int, Point]:
    """Discs moved so that the box around them has its middle at the origin."""
    middle = [(min(spots[n][axis] - radii[n] for n in spots) + max(spots[n][axis] + radii[n] for n in spots)) / 2 for axis in (0, 1)]
    return {n: (x - middle[0], y - middle[1]) for n, (x, y) in spots.items()}


def _slots(papers: list[int], hung: dict[int, list[int]]) -> float:
    """The room that papers take together with what lies beside each."""
    return sum(1 + 0.6 * len(hung[paper]) for paper in papers)


def _homes(graph: dict[str, Any], hubs: int) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The papers of each hub, and the entities that occur in one paper alone, by that paper."""
    links = graph["links"]
    home: dict[int, int] = {}
    seen: dict[int, list[int]] = defaultdict(list)
    for paper, entity in zip(links["paper"], links["entity"], strict=True):
        if entity < hubs:
            home[paper] = max(home.get(paper, entity), entity)
        else:
            seen[entity].append(paper)
    for entity in range(hubs, len(graph["entities"]["id"])):
        known = [home[paper] for paper in seen[entity] if paper in home]
        for paper in seen[entity] if known else ():
            home.setdefault(paper, max(known))
    homes: dict[int, list[int]] = defaultdict(list)
    for paper in range(len(graph["papers"]["id"])):
        homes[home.get(paper, REST)].append(paper)
    hung: dict[int, list[int]] = defaultdict(list)
    for entity, papers in sorted(seen.items()):
        if len(papers) == 1:
            hung[papers[0]].append(entity)
    return homes, hung


def _beside(spot: tuple[float, float], entities: list[int]) -> dict[int, tuple[float, float]]:
    reach = 0.45 * SLOT * math.sqrt(1 + 0.6 * len(entities))
    turn = 2 * math.pi / max(1, len(entities))
    return {entity: (spot[0] + reach * math.cos(n * turn), spot[1] + reach * math.sin(n * turn)) for n, entity in enumerate(entities)}


def _between(graph: dict[str, Any], spots: dict[int, tuple[float, float]]) -> None:
    """Place the entities of several papers in the middle of these, moved aside by their number so that none lies on another."""
    entities = len(graph["entities"]["id"])
    near: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for paper, entity in zip(graph["links"]["paper"], graph["links"]["entity"], strict=True):
        if entity not in spots:
            near[entity].append(spots[entities + paper])
    for entity in range(entities):
        if entity in spots:
            continue
        points = near.get(entity) or [(0.0, 0.0)]
        angle = entity * GOLDEN
        spots[entity] = (
            math.fsum(x for x, _ in points) / len(points) + 0.6 * SLOT * math.cos(angle),
            math.fsum(y for _, y in points) / len(points) + 0.6 * SLOT * math.sin(angle),
        )
