"""What the judge knows of a candidate: the taggers' beliefs over all its places, its form, lexicon, catalogue, and how often and where it stands."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kg.extract.candidates import ADVISERS, Advice, Beliefs, Chances, Group, Known, Place
from kg.extract.features import SLOTS, TYPES, Hit, Seen
from kg.model import Text
from kg.surface import is_acronym, is_named

Floats = NDArray[np.float64]
_REPEATS, _KNOWN = list(SLOTS).index("repeats"), list(SLOTS).index("known")
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


def _word_features(seen: Seen, text: Text, place: Place) -> list[float]:
    first, last = seen.tokens[place.start], seen.tokens[place.end - 1]
    surface = text.clean[first.start : last.end]
    rows = seen.rows[place.start : place.end]
    before = seen.rows[place.start - 1] if place.start else (0,) * len(SLOTS)
    after = seen.rows[place.end] if place.end < len(seen.rows) else (0,) * len(SLOTS)
    return [
        place.end - place.start,
        len(surface),
        is_named(surface),
        is_acronym(surface),
        surface[:1].isupper(),
        surface.islower(),
        rows[0][0],
        rows[-1][0],
        min(r[_KNOWN] for r in rows),
        rows[0][_KNOWN],
        rows[-1][_KNOWN],
        max(r[_REPEATS] for r in rows),
        before[0],
        after[0],
        _HEAD.get(last.surface.lower(), 0),
        "-" in surface,
    ]


def _lexicon_features(hits: dict[tuple[int, int], Hit], others: set[tuple[int, int]], spans: list[tuple[int, int]]) -> list[float]:
    hit = next((hits[s] for s in spans if s in hits), None)
    other = any(s in others for s in spans)
    if hit is None:
        inside = sum(any(a <= h.start and h.end <= b for h in hits.values()) for a, b in spans[:1])
        return [0, 0, 0, -1, -1, other, inside]
    term = hit.term
    return [term.type, term.also, term.ambiguous, term.share, math.log1p(term.papers), other, 0]


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
        self.starts = np.array([p.start for p in self.places])
        self.ends = np.array([p.end for p in self.places])

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
    longer, shorter, crossing = (np.array([getattr(p, name) for p in flat.places]) for name in ("longer", "shorter", "crossing"))
    total = flat.sum(totals)
    columns = [
        flat.max(totals),
        flat.second(totals),
        total / flat.sizes,
        total,
        flat.sum((totals > 0.5).astype(np.float64)),
        flat.sum((totals < 0.1).astype(np.float64)),
        flat.sizes,
        flat.max(table),
        flat.sum(table) / (total + 1e-6)[:, None],
        flat.max(longer),
        -flat.max(-longer),
        flat.max(shorter),
        flat.max(crossing),
        flat.sum((longer > totals).astype(np.float64)) / flat.sizes,
    ]
    return np.column_stack(columns)


def _source_features(flat: _Flat, beliefs: Beliefs) -> Floats:
    table = Chances(beliefs).of(flat.starts.tolist(), flat.ends.tolist())
    totals = table.sum(axis=1)
    decoded = {(start, end): kind for start, end, kind in decode(beliefs)}
    kinds = np.array([decoded.get((p.start, p.end), -1) for p in flat.places])
    votes = np.zeros((len(flat.sizes), len(TYPES)))
    np.add.at(votes, (flat.owners[kinds >= 0], kinds[kinds >= 0]), 1.0)
    agreed = votes.sum(axis=1)
    common = np.where(agreed > 0, votes.argmax(axis=1), -1)
    return np.column_stack([flat.max(totals), flat.sum(totals) / flat.sizes, flat.max(table), agreed, agreed / flat.sizes, common])


def _known_features(names: dict[tuple[int, int], Known], spans: list[tuple[int, int]]) -> list[float]:
    found = [names[s] for s in spans if s in names]
    if not found:
        return [-1, 0, 0, -1, 0]
    best = found[0]
    return [best.type, any(k.exact for k in found), best.ambiguous, max(k.prior for k in found), len(found)]


def _advice_features(flat: _Flat, advice: Sequence[Advice]) -> Floats:
    """For each adviser the type that it gives, plus 1, the best score and in how many places."""
    places: dict[tuple[int, int], list[int]] = {}
    for at, place in enumerate(flat.places):
        places.setdefault((place.start, place.end), []).append(at)
    out = np.zeros((len(flat.sizes), len(ADVISERS), 3))
    for item in advice:
        for at in places.get((item.start, item.end), ()):
            cell = out[flat.owners[at], item.adviser]
            if item.score > cell[1]:
                cell[0], cell[1] = item.type + 1, item.score
            cell[2] += 1
    return out.reshape(len(out), -1)


def describe(
    seen: Seen, text: Text, candidates: Sequence[Group], sources: Sequence[Beliefs], known: Sequence[Known], advice: Sequence[Advice]
) -> Floats:
    """The features of each candidate, candidates × features; `sources` are the taggers' beliefs, the ones that made the candidates first."""
    flat = _Flat(candidates)
    parts = [_belief_features(flat), _name_features(seen, text, candidates, known), _advice_features(flat, advice)]
    return np.hstack([*parts, *(_source_features(flat, source) for source in sources)])


def _name_features(seen: Seen, text: Text, candidates: Sequence[Group], known: Sequence[Known]) -> Floats:
    names = {(k.start, k.end): k for k in known}
    hits = {(h.start, h.end): h for h in seen.typed}
    others = {(h.start, h.end) for h in seen.other}
    count = len(seen.tokens)
    sure = sum(max(p.total for p in group.places) > 0.5 for group in candidates)
    rows = []
    for group in candidates:
        ordered = sorted(group.places, key=lambda p: (-p.total, p.start))
        spans = [(p.start, p.end) for p in ordered]
        in_title = [p.total for p in group.places if seen.tokens[p.end - 1].end <= text.title_end]
        rows.append(
            [
                *_word_features(seen, text, ordered[0]),
                *_lexicon_features(hits, others, spans),
                *_known_features(names, spans),
                len(group.forms),
                len({text.clean[seen.tokens[a].start : seen.tokens[b - 1].end] for a, b in spans}),
                max(in_title, default=-1.0 if text.title_end else -2.0),
                min(start for start, _ in spans) / count,
                max(start for start, _ in spans) / count,
                sure,
                count,
            ]
        )
    return np.array(rows, dtype=np.float64)
