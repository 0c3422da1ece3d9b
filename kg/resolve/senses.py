"""What a short form means: its expansions across papers grouped, and disjoint sets of senses that keep vetoed pairs apart."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from kg.resolve.keys import loose_key
from kg.resolve.likeness import GENERIC, content_words, stem

Edge = tuple[str, str, str, str, str]
"""Two senses that are one, a name of each, and the reason: (sense, sense, name, name, reason)."""


def alike(first: str, second: str) -> bool:
    """Whether two expansions of the same short form are one full name, written differently.

    >>> alike("graph convolutional networks", "Graph Convolution Network"), alike("Partition Generative Model", "probabilistic graphical model")
    (True, False)
    >>> alike("masked language model", "multimodal language model"), alike("Large Zebra and Okapi Assistant", "large zebra okapi assistant model")
    (False, True)
    """
    one, two = content_words(first), content_words(second)
    stems = [{stem(w): w for w in words} for words in (one, two)]
    left = [w for s, w in stems[0].items() if s not in stems[1]]
    right = [w for s, w in stems[1].items() if s not in stems[0]]
    shared = len(stems[0].keys() & stems[1].keys())
    if not left and not right:
        return True
    if not shared and (left and right) and len(left) != len(right):
        return False
    if not left or not right:
        extra = left or right
        return set(extra) <= GENERIC or (len(extra) == 1 and shared >= 2)
    if set(left) | set(right) <= GENERIC and shared >= 2:
        return True
    return len(left) == len(right) and all(_near(a, b) for a, b in zip(sorted(left), sorted(right), strict=True))


def _near(first: str, second: str) -> bool:
    """Whether two words are one in another inflection (privacy, private) or with a slip of the pen."""
    begun = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
    if begun >= 5 and begun >= 0.65 * min(len(first), len(second)):
        return True
    ratio = SequenceMatcher(None, first, second, autojunk=False).ratio()
    return first[0] == second[0] and ratio >= (0.75 if first[:4] == second[:4] else 0.85)


def group_expansions(rows: Iterable[tuple[str, str, str, int]]) -> list[Edge]:
    """Edges between the senses of alike expansions of one short form.

    `rows` are (short, sense, expansion, papers); of several expansions the one in most papers is compared first. A short form inside an expansion
    ("large LMs") is read as what most papers mean by it.
    """
    by_short: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for short, sense, expansion, papers in rows:
        by_short[short].append((-papers, sense, expansion))
    usual = {short: min(senses)[2] for short, senses in by_short.items()}
    edges = []
    for short in sorted(by_short):
        groups: list[tuple[str, str, list[str]]] = []
        for _, sense, expansion in sorted(by_short[short]):
            full = " ".join(usual.get(loose_key(w), w) if w[:-1].isupper() and loose_key(w) != short else w for w in expansion.split())
            group = next((g for g in groups if g[0] == sense or any(alike(known, full) for known in g[2][:4])), None)
            if group is None:
                groups.append((sense, expansion, [full]))
                continue
            group[2].append(full)
            if group[0] != sense:
                edges.append((group[0], sense, group[1], expansion, f"both spell out {short.upper()}"))
    return edges


class Senses:
    """Disjoint sets of senses. A set stands under its catalogue id, else under its first sense; two that a decision parts never meet."""

    def __init__(self, apart: Sequence[tuple[frozenset[str], frozenset[str]]] = ()) -> None:
        """`apart` are pairs of sets of senses that must not be joined."""
        self._top: dict[str, str] = {}
        self._marks: dict[str, set[tuple[int, int]]] = defaultdict(set)
        for number, sides in enumerate(apart):
            for side, senses in enumerate(sides):
                for sense in senses:
                    self._marks[sense].add((number, side))
        self.joined: list[Edge] = []

    def top(self, sense: str) -> str:
        """The sense that stands for the set."""
        while sense in self._top:
            sense = self._top[sense]
        return sense

    def join(self, edges: Iterable[Edge], *, forced: bool = False) -> None:
        """Join what the edges say, in their sorted order. Two catalogue ids are joined only when `forced` by a decision."""
        for edge in sorted(edges):
            first, second = sorted((self.top(edge[0]), self.top(edge[1])), key=lambda s: (not s.startswith("c:"), s))
            if first == second or (second.startswith("c:") and not forced):
                continue
            if any((number, 1 - side) in self._marks[second] for number, side in self._marks[first]):
                continue
            self._top[second] = first
            self._marks[first] |= self._marks[second]
            self.joined.append(edge)

    def tops(self) -> list[tuple[str, str]]:
        """(sense, the sense that stands for its set) for every joined sense, sorted."""
        return sorted((sense, self.top(sense)) for sense in self._top)
