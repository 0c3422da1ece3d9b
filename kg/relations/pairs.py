"""Which relation an ordered pair of a paper's entities holds: the features of a pair."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kg.model import Found, Role, Text
from kg.relations.linear import Linear, Matrix
from kg.relations.roles import bucket
from kg.relations.scene import Scene
from kg.surface import is_named, key

_BETWEEN = 12
# Type pairs that hold a relation in about one case of a hundred or fewer in the training cards; leaving them out halves the work.
_NEVER = frozenset(
    (
        "Task>Method",
        "Task>Model",
        "Task>Dataset",
        "Metric>Method",
        "Metric>Model",
        "Metric>Dataset",
        "Dataset>Method",
        "Dataset>Model",
        "Dataset>Task",
    )
)
_ROLES = {role: role.value[0] for role in Role}


@dataclass(frozen=True, slots=True)
class _View:
    """What the features of all pairs of one entity share."""

    type: str
    role: str
    named: bool
    key: str
    words: frozenset[str]
    last: str
    at: tuple[int, ...]
    sentences: frozenset[int]
    rank: int
    own: tuple[str, ...]


def _views(entities: Sequence[Found], scene: Scene, titled: bool) -> list[_View]:
    seen: dict[tuple[str, str], int] = {}
    ranks = [0] * len(entities)
    for index in sorted(range(len(entities)), key=lambda e: (scene.at[e][0] if scene.at[e] else len(scene.words), e)):
        slot = (entities[index].type.value, entities[index].role.value)
        ranks[index] = seen.get(slot, 0)
        seen[slot] = ranks[index] + 1
    views = []
    for index, entity in enumerate(entities):
        at = scene.at[index]
        words = entity.name.lower().replace("-", " ").split()
        named = is_named(entity.name)
        title = titled and bool(at) and scene.sentence[at[0]] == 0
        kind, role = entity.type.value, _ROLES[entity.role]
        count = seen[(kind, entity.role.value)]
        own = (f"{kind}{role}", f"rank{kind}{role}{min(ranks[index], 3)}", f"of{kind}{role}{bucket(count)}", f"title{title}", f"n{bucket(len(at))}",
               f"named{named}", f"last {words[-1] if words else ''}", *_cues(scene, at))  # fmt: skip
        views.append(_View(kind, role, named, key(entity.name), frozenset(words), words[-1] if words else "", at,
                           frozenset(scene.sentence[a] for a in at), ranks[index], own))  # fmt: skip
    return views


def _cues(scene: Scene, at: tuple[int, ...]) -> Iterator[str]:
    for a in at[:3]:
        number = scene.sentence[a]
        begin, stop = scene.begins[number], scene.stops[number]
        yield f"l {scene.words[a - 1] if a > begin else '^'}"
        yield f"r {scene.words[a + 1] if a + 1 < stop else '$'}"


@dataclass(frozen=True, slots=True)
class PairCases:
    """The candidate pairs of a paper. A pair has the features of the `whole` paper, of its head, of its tail and its `own`, made when asked for."""

    pairs: tuple[tuple[int, int], ...]
    whole: list[str]
    heads: list[list[str]]
    tails: list[list[str]]
    views: list[_View]
    scene: Scene

    def own(self, head: int, tail: int) -> list[str]:
        """What only this pair has."""
        return list(_pair(self.views[head], self.views[tail], self.scene))

    def joined(self) -> list[list[str]]:
        """The features of each pair in one list, as training needs them."""
        return [[*self.whole, *self.heads[h], *self.tails[t], *self.own(h, t)] for h, t in self.pairs]

    def scores(self, model: Linear, limit: float = math.inf) -> tuple[list[tuple[int, int]], Matrix]:
        """The pairs worth a closer look and their scores, shape (pairs, labels); each shared part is scored once.

        A pair is left out when its shared parts and its types and roles alone speak for "none" by more than `limit`.
        """
        count = len(self.heads)
        types = list(dict.fromkeys(_types(self.views[h], self.views[t]) for h, t in self.pairs))
        row_of = {name: 1 + 2 * count + row for row, name in enumerate(types)}
        parts = model.scores([self.whole, *self.heads, *self.tails, *([name] for name in types)])
        shared = parts[0] + parts[[1 + h for h, _ in self.pairs]] + parts[[1 + count + t for _, t in self.pairs]]
        kind = parts[[row_of[_types(self.views[h], self.views[t])] for h, t in self.pairs]]
        margin = (shared + kind)[:, 0] - (shared + kind)[:, 1:].max(axis=1)
        near = [row for row, value in enumerate(margin.tolist()) if value <= limit]
        if not near:
            return [], shared[:0]
        kept = [self.pairs[row] for row in near]
        total: Matrix = shared[near] + model.scores([self.own(h, t) for h, t in kept])
        return kept, total


def pair_features(text: Text, entities: Sequence[Found], scene: Scene) -> PairCases:
    """The ordered pairs of different entities that may hold a relation, and the features of each, as strings."""
    views = _views(entities, scene, bool(text.title_end))
    have: dict[str, int] = {}
    for view in views:
        have[view.type + view.role] = have.get(view.type + view.role, 0) + 1
    whole = ["bias", *(f"d {slot}{bucket(n)}" for slot, n in have.items())]
    whole += [f"d no {slot}" for slot in ("Methodp", "Modelp", "Datasetp", "Taske", "Methode", "Methodu") if slot not in have]
    ends = range(len(views))
    pairs = tuple((h, t) for h in ends for t in ends if h != t and f"{views[h].type}>{views[t].type}" not in _NEVER)
    return PairCases(pairs, whole, [[f"h {o}" for o in v.own] for v in views], [[f"t {o}" for o in v.own] for v in views], views, scene)


def _types(head: _View, tail: _View) -> str:
    return f"{head.type}{head.role}>{tail.type}{tail.role}"


def _pair(head: _View, tail: _View, scene: Scene) -> Iterator[str]:
    types = _types(head, tail)
    yield types
    yield f"{head.type}>{tail.type}"
    yield f"{types} {min(head.rank, 2)}{min(tail.rank, 2)}"
    yield f"{types} n{bucket(len(head.at))} {bucket(len(tail.at))}"
    common = head.sentences & tail.sentences
    yield f"{types} same{min(len(common), 2)}"
    yield f"same{bucket(len(common))}"
    yield f"{types} title{0 in common}"
    yield from _names(head, tail, types)
    if head.at and tail.at:
        yield f"{types} first{head.at[0] < tail.at[0]}"
        gap = min(abs(a - b) for a in head.sentences for b in tail.sentences)
        yield f"gap{bucket(gap)}"
        yield f"{types} gap{min(gap, 3)}"
    if common:
        yield from _between(head, tail, scene, types)


def _names(head: _View, tail: _View, types: str) -> Iterator[str]:
    if tail.key and tail.key in head.key:
        yield "name in"
        yield f"name in {head.type}>{tail.type}"
        yield f"name end {head.key.endswith(tail.key)}"
        yield f"name start {head.key.startswith(tail.key)}"
    elif head.key and head.key in tail.key:
        yield "name out"
        yield f"name out {head.type}>{tail.type}"
    shared = head.words & tail.words
    if shared:
        yield f"shared{len(shared)} {len(head.words) - len(shared)} {len(tail.words) - len(shared)}"
        yield f"shared last{head.last == tail.last} {types}"
    yield f"named{head.named}{tail.named} {types}"


def _between(head: _View, tail: _View, scene: Scene, types: str) -> Iterator[str]:
    best = sorted((abs(a - b), a, b) for a in head.at for b in tail.at if scene.sentence[a] == scene.sentence[b])
    kinds = f"{head.type}>{tail.type}"
    for nth, (distance, a, b) in enumerate(best[:2]):
        forward = a < b
        low, high = (a, b) if forward else (b, a)
        way = ">" if forward else "<"
        words = scene.words[low + 1 : high]
        number = scene.sentence[a]
        before = scene.words[low - 1] if low > scene.begins[number] else "^"
        after = scene.words[high + 1] if high + 1 < scene.stops[number] else "$"
        if nth == 0:
            yield f"{way}d{bucket(distance)}"
            yield f"{types} {way}d{min(distance, 6)}"
            if distance == 0:
                yield f"{kinds} together"
        joined = " ".join(words[:6]) if len(words) <= 6 else ""
        if joined:
            yield f"{way}w {joined}"
            yield f"{way}w {joined} {kinds}"
        if len(words) <= _BETWEEN:
            for word in words:
                yield f"{way}b {word}"
                yield f"{way}b {word} {kinds}"
            for pair in pairwise(words):
                yield f"{way}bb {pair[0]} {pair[1]}"
        else:
            for word in (*words[:4], *words[-4:]):
                yield f"{way}f {word}"
        yield f"{way}pre {before}"
        yield f"{way}post {after}"
        yield f"{way}pre {before} {kinds}"
        yield f"{way}post {after} {kinds}"
        if words:
            yield f"{way}edge {words[0]} {words[-1]}"
            yield f"{way}head {' '.join(words[:2])}"
            yield f"{way}tail {' '.join(words[-2:])}"
