"""Positions: nothing on top of anything else, the same each time, leaves beside what they hang on."""

import itertools
import math

from kg.view.layout import communities, place

STAR = {(0, leaf): 1.0 for leaf in range(1, 9)}
RING = {(a, (a + 1) % 6): 1.0 for a in range(6)}


def overlaps(spots: dict[int, tuple[int, int]], sizes: dict[int, float]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in itertools.combinations(spots, 2) if math.dist(spots[a], spots[b]) < sizes[a] + sizes[b]]


def test_the_leaves_of_a_star_lie_around_it_and_apart() -> None:
    sizes = dict.fromkeys(range(9), 8.0)
    spots = place(range(9), STAR, sizes)
    assert not overlaps(spots, sizes)
    distances = [math.dist(spots[0], spots[leaf]) for leaf in range(1, 9)]
    assert max(distances) - min(distances) < 2


def test_separate_parts_do_not_lie_on_one_another() -> None:
    weights = {**RING, **{(a + 10, b + 10): w for (a, b), w in RING.items()}, **{(a + 20, b + 20): w for (a, b), w in STAR.items()}}
    nodes = [*range(6), *range(10, 16), *range(20, 29), 40, 41]
    sizes = {node: 5.0 + node % 7 for node in nodes}
    spots = place(nodes, weights, sizes)
    assert sorted(spots) == nodes
    assert not overlaps(spots, sizes)


def test_the_same_input_gives_the_same_whole_numbers() -> None:
    sizes = dict.fromkeys(range(6), 9.0)
    first = place(range(6), RING, sizes)
    assert first == place(list(range(6))[::-1], dict(sorted(RING.items(), reverse=True)), sizes)
    assert all(isinstance(value, int) for spot in first.values() for value in spot)


def test_nothing_and_one_node() -> None:
    assert place([], {}, {}) == {}
    assert place([3], {}, {3: 5.0}) == {3: (0, 0)}


def test_communities_are_the_parts_that_hang_together_largest_first() -> None:
    weights = {
        **dict.fromkeys(itertools.combinations(range(4), 2), 1.0),
        **dict.fromkeys(itertools.combinations(range(10, 15), 2), 1.0),
        (0, 10): 0.1,
    }
    assert communities([*range(4), *range(10, 15), 30], weights) == [[10, 11, 12, 13, 14], [0, 1, 2, 3]]
