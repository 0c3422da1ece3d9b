"""What the judge knows of a candidate: the taggers' beliefs over all its places, its form, lexicon, catalogue, and how often and where it stands."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from kg.extract.candidates import ADVISERS, Advice, Beliefs, Chances, Group, Known
from kg.extract.features import TYPES, Seen
from kg.model import Text
from kg.surface import is_acronym, is_named

Floats = NDArray[np.float64]
HEADS = (
    "model", "models", "network", "networks", "learning", "task", "tasks", "problem", "problems", "method",
    "methods", "algorithm", "algorithms", "framework", "dataset", "datasets", "benchmark", "benchmarks", "accuracy", "error",
    "rate", "score", "loss", "function", "optimization", "estimation", "detection", "recognition", "segmentation", "classification",
    "generation", "prediction", "retrieval", "search", "inference", "process", "processes", "distance", "regret", "complexity",
    "time", "cost", "data", "training", "policy", "agent", "agents", "planning", "system", "systems",
    "image", "images", "graph", "graphs",
)  # fmt: skip
"""Last words that tell a type; their order is part of the trained judge."""
_HEAD = {word: number + 1 for number, word in enumerate(HEADS)}


def _word_features(seen: Seen, start: int, end: int) -> list[float]:
    surface, last = seen.tokens.between(start, end), seen.tokens.lowers[end - 1]
    shapes, known = seen.columns["shape"], seen.columns["known"]
    return [
        end - start,
        len(surface),
        is_named(surface),
        is_acronym(surface),
        surface[:1].isupper(),
        surface.islower(),
        shapes[start],
        shapes[end - 1],
        min(known[start:end]),
        known[start],
        known[end - 1],
        max(seen.columns["repeats"][start:end]),
        shapes[start - 1] if start else 0,
        shapes[end] if end < len(shapes) else 0,
        _HEAD.get(last, 0),
        "-" in surface,
    ]


class _Terms:
    """The lexicon's terms in a text, by span, and what they tell of a candidate."""

    def __init__(self, seen: Seen) -> None:
        self._typed = {(hit.start, hit.end): hit.term for hit in seen.typed}
        self._other = {(hit.start, hit.end) for hit in seen.other}
        self._starts = [hit.start for hit in seen.typed]
        self._ends = [hit.end for hit in seen.typed]

    def features(self, spans: Sequence[tuple[int, int]]) -> list[float]:
        """What is known of the first of the spans that is a term with a type; else whether the first span holds one."""
        other = not self._other.isdisjoint(spans)
        for span in spans:
            if term := self._typed.get(span):
                return [term.type, term.also, term.ambiguous, term.share, math.log1p(term.papers), other, 0]
        start, end = spans[0]
        after = bisect_left(self._starts, start)  # terms do not overlap, so the first that begins here is the first to end
        return [0, 0, 0, -1, -1, other, after < len(self._ends) and self._ends[after] <= end]


def decode(beliefs: Beliefs) -> list[tuple[int, int, int]]:
    """The spans of the likeliest label at each word, with the number of their type; a word that goes on with nothing is no name.

    >>> beliefs = np.full((3, 11), 0.01, dtype=np.float32)
    >>> beliefs[[0, 1, 2], [3, 4, 0]] = 0.9
    >>> decode(beliefs)
    [(0, 2, 1)]
    """
    labels = beliefs.argmax(axis=1)
    found = []
    for start in np.flatnonzero(labels % 2).tolist():
        end = start + 1
        while end < len(labels) and labels[end] == labels[start] + 1:
            end += 1
        found.append((start, end, int(labels[start]) // 2))
    return found


class _Flat:
    """The places of all candidates in one row, and sums and maxima over each candidate's part of it."""

    def __init__(self, candidates: Sequence[Group]) -> None:
        self.places = [place for group in candidates for place in group.places]
        self.sizes = np.array([len(group.places) for group in candidates])
        self.firsts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        self.owners = np.repeat(np.arange(len(candidates)), self.sizes)
        self.spans = [(place.start, place.end) for place in self.places]

    def sum(self, values: Floats) -> Floats:
        out: Floats = np.add.reduceat(values, self.firsts, axis=0)
        return out

    def max(self, values: Floats) -> Floats:
        out: Floats = np.maximum.reduceat(values, self.firsts, axis=0)
        return out

    def second(self, values: Floats) -> Floats:
        """The second largest value of each candidate, -1 when it has one place."""
        order = np.lexsort((-values, self.owners))
        at = np.minimum(self.firsts + 1, len(values) - 1)
        out: Floats = np.where(self.sizes > 1, values[order][at], -1.0)
        return out


def _belief_features(flat: _Flat) -> Floats:
    table = np.array([p.types for p in flat.places])
    totals = table.sum(axis=1)
    others = np.array([(p.longer, -p.longer, p.shorter, p.crossing) for p in flat.places])
    sums = flat.sum(np.column_stack([totals, totals > 0.5, totals < 0.1, others[:, 0] > totals, table]))
    best = flat.max(np.column_stack([totals, table, others]))
    sizes, total = flat.sizes[:, None], sums[:, :1]
    return np.hstack(
        [
            best[:, :1],
            flat.second(totals)[:, None],
            total / sizes,
            sums[:, :3],
            sizes,
            best[:, 1:6],
            sums[:, 4:] / (total + 1e-6),
            best[:, 6:7],
            -best[:, 7:8],
            best[:, 8:],
            sums[:, 3:4] / sizes,
        ]
    )


def _source_features(flat: _Flat, source: Chances) -> Floats:
    table = source.of(*zip(*flat.spans, strict=True))
    totals = table.sum(axis=1)
    decoded = {(start, end): kind for start, end, kind in decode(source.beliefs)}
    kinds = np.array([decoded.get(span, -1) for span in flat.spans])
    votes = np.zeros((len(flat.sizes), len(TYPES)))
    np.add.at(votes, (flat.owners[kinds >= 0], kinds[kinds >= 0]), 1.0)
    agreed = votes.sum(axis=1)
    common = np.where(agreed > 0, votes.argmax(axis=1), -1)
    return np.column_stack([flat.max(totals), flat.sum(totals) / flat.sizes, flat.max(table), agreed, agreed / flat.sizes, common])


def _known_features(names: dict[tuple[int, int], Known], spans: list[tuple[int, int]]) -> list[float]:
    found = [names[span] for span in spans if span in names]
    if not found:
        return [-1, 0, 0, -1, 0]
    best = found[0]
    return [best.type, any(k.exact for k in found), best.ambiguous, max(k.prior for k in found), len(found)]


def _advice_features(flat: _Flat, advice: Sequence[Advice]) -> Floats:
    """For each adviser the type that it gives, plus 1, the best score and in how many places."""
    out = np.zeros((len(flat.sizes), len(ADVISERS), 3))
    places: dict[tuple[int, int], list[int]] = {}
    for at, span in enumerate(flat.spans if advice else ()):
        places.setdefault(span, []).append(at)
    for item in advice:
        for at in places.get((item.start, item.end), ()):
            cell = out[flat.owners[at], item.adviser]
            if item.score > cell[1]:
                cell[0], cell[1] = item.type + 1, item.score
            cell[2] += 1
    return out.reshape(len(out), -1)


def describe(
    seen: Seen, text: Text, candidates: Sequence[Group], sources: Sequence[Chances], known: Sequence[Known], advice: Sequence[Advice]
) -> Floats:
    """The features of each candidate, candidates × features; `sources` are the taggers, the one that made the candidates first."""
    flat = _Flat(candidates)
    parts = [_belief_features(flat), _name_features(seen, text, candidates, known), _advice_features(flat, advice)]
    return np.hstack([*parts, *(_source_features(flat, source) for source in sources)])


def _name_features(seen: Seen, text: Text, candidates: Sequence[Group], known: Sequence[Known]) -> Floats:
    names = {(k.start, k.end): k for k in known}
    terms = _Terms(seen)
    count = len(seen.tokens)
    titled = bisect_right(seen.tokens.ends, text.title_end)
    sure = sum(any(p.total > 0.5 for p in group.places) for group in candidates)
    rows = []
    for group in candidates:
        places = group.places
        ordered = sorted(places, key=lambda p: (-p.total, p.start)) if len(places) > 1 else places
        spans = [(p.start, p.end) for p in ordered]
        starts = [start for start, _ in spans]
        rows.append(
            [
                *_word_features(seen, *spans[0]),
                *terms.features(spans),
                *_known_features(names, spans),
                len(group.forms),
                len({seen.tokens.between(*span) for span in spans}) if len(spans) > 1 else 1,
                max((p.total for p in places if p.end <= titled), default=-1.0 if text.title_end else -2.0),
                min(starts) / count,
                max(starts) / count,
                sure,
                count,
            ]
        )
    return np.fromiter(chain.from_iterable(rows), np.float64).reshape(len(rows), -1)
