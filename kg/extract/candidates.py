"""From what a tagger believes of each word to the names that the paper may hold, each seen over the whole paper.

A tagger looks at places; a card lists names. So every span that the tagger half believes in becomes a candidate, candidates of one name are put
together, and `trees` judges the name by all its places at once: the agreement within the paper that a tagger of sentences lacks.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kg.extract.features import SLOTS, TYPES, Hit, Seen
from kg.model import Text
from kg.surface import is_acronym, is_named, key

Beliefs = NDArray[np.float32]
"""Words × 11: the probability of O, then of B and I for each type in the order of EntityType."""

_START = 0.04
_KEEP = 0.02
_SPREAD = 0.15
_LONGEST = 14
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


class Known(NamedTuple):
    """A name of the catalogue that stands in the text: [start, end) in words, its type's number, and how it stands there."""

    start: int
    end: int
    type: int
    exact: bool
    ambiguous: bool
    prior: float


@dataclass(slots=True)
class Place:
    """A span of words that may be a name: [start, end), the probability of each type, and of the best overlapping span that is longer and shorter."""

    start: int
    end: int
    types: NDArray[np.float64]
    total: float
    longer: float = 0.0
    shorter: float = 0.0
    crossing: float = 0.0
    belief: float = 0.0


@dataclass(slots=True)
class Group:
    """The places of one name in one paper; `forms` are its comparison keys, an acronym's and its expansion's together."""

    forms: tuple[str, ...]
    places: list[Place] = field(default_factory=list)

    @property
    def types(self) -> NDArray[np.float64]:
        """What the tagger believes of each type, over all places; the sum is 1."""
        total = np.sum([p.types for p in self.places], axis=0) + 1e-9
        out: NDArray[np.float64] = total / total.sum()
        return out


def _chain(beliefs: Beliefs, start: int, end: int) -> NDArray[np.float64]:
    value = beliefs[start, 1::2].astype(np.float64)
    if end - start > 1:
        value = value * beliefs[start + 1 : end, 2::2].prod(axis=0)
    if end < len(beliefs):
        value = value * (1.0 - beliefs[end, 2::2])
    out: NDArray[np.float64] = value
    return out


def _proposed(beliefs: Beliefs) -> dict[tuple[int, int], NDArray[np.float64]]:
    found = {}
    begin = beliefs[:, 1::2]
    inside = beliefs[:, 2::2]
    for start in np.flatnonzero(begin.sum(axis=1) > _START).tolist():
        run = begin[start].astype(np.float64)
        for end in range(start + 1, min(len(beliefs), start + _LONGEST) + 1):
            value = run * (1.0 - inside[end]) if end < len(beliefs) else run
            if value.sum() > _KEEP:
                found[start, end] = value
            if end == len(beliefs):
                break
            run = run * inside[end]
            if run.sum() < _KEEP:
                break
    return found


def known_names(seen: Seen, text: Text) -> list[Known]:
    """The names of the catalogue in use that stand in the text."""
    from kg.extract.catalogue import hits

    starts = {word.start: at for at, word in enumerate(seen.tokens)}
    ends = {word.end: at + 1 for at, word in enumerate(seen.tokens)}
    return [
        Known(starts[h.start], ends[h.end], TYPES.index(h.row.type), h.exact_case, h.ambiguous, -1.0 if h.prior is None else h.prior)
        for h in hits(text.clean)
        if h.start in starts and h.end in ends
    ]


def places(seen: Seen, text: Text, beliefs: Beliefs, known: Sequence[Known]) -> dict[str, list[Place]]:
    """Every span worth a thought, under its comparison key: what the tagger half believes, names of lexicon and catalogue, defined short and long
    forms, and each further occurrence of a form that is believed somewhere.
    """
    found = _proposed(beliefs)
    extra = [(h.start, h.end) for h in (*seen.typed, *known)] + [s for a, b, c, d in seen.defined for s in ((a, b), (c, d))]
    for span in extra:
        if span not in found and span[0] < span[1]:
            found[span] = _chain(beliefs, *span)
    _spread(seen, found, beliefs)
    grouped: dict[str, list[Place]] = defaultdict(list)
    for (start, end), value in sorted(found.items()):
        form = key(text.clean[seen.tokens[start].start : seen.tokens[end - 1].end])
        if form:
            grouped[form].append(Place(start, end, value, float(value.sum())))
    _compare([p for group in grouped.values() for p in group])
    return grouped


def _spread(seen: Seen, found: dict[tuple[int, int], NDArray[np.float64]], beliefs: Beliefs) -> None:
    lowers = [w.surface.lower() for w in seen.tokens]
    at: dict[str, list[int]] = defaultdict(list)
    for index, word in enumerate(lowers):
        at[word].append(index)
    forms = {tuple(lowers[a:b]) for (a, b), value in found.items() if value.sum() > _SPREAD}
    for form in sorted(forms):
        for start in at[form[0]]:
            span = start, start + len(form)
            if span not in found and tuple(lowers[slice(*span)]) == form:
                found[span] = _chain(beliefs, *span)


def _compare(all_places: list[Place]) -> None:
    order = sorted(all_places, key=lambda p: (p.start, p.end))
    for number, place in enumerate(order):
        for other in order[number + 1 :]:
            if other.start >= place.end:
                break
            if other.start == place.start or other.end <= place.end:
                small, large = (place, other) if place.end - place.start < other.end - other.start else (other, place)
                small.longer = max(small.longer, large.total)
                large.shorter = max(large.shorter, small.total)
            else:
                place.crossing = max(place.crossing, other.total)
                other.crossing = max(other.crossing, place.total)


def groups(seen: Seen, text: Text, beliefs: Beliefs, known: Sequence[Known]) -> list[Group]:
    """The candidates of one paper, in the order of their first place."""
    by_form = places(seen, text, beliefs, known)
    partner: dict[str, str] = {}
    for a, b, c, d in seen.defined:
        long = key(text.clean[seen.tokens[a].start : seen.tokens[b - 1].end])
        short = key(text.clean[seen.tokens[c].start : seen.tokens[d - 1].end])
        if long in by_form and short in by_form and long != short and short not in partner and long not in partner:
            partner[short] = long
    out: dict[str, Group] = {}
    for form, found in by_form.items():
        main = partner.get(form, form)
        group = out.setdefault(main, Group(()))
        group.forms = (*group.forms, form)
        group.places.extend(found)
    return sorted(out.values(), key=lambda g: min((p.start, p.end) for p in g.places))


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


def _belief_features(group: Group) -> list[float]:
    table = np.array([p.types for p in group.places])
    totals = table.sum(axis=1)
    best = table.max(axis=0)
    size = len(group.places)
    order = np.sort(totals)[::-1]
    longer = [p.longer for p in group.places]
    return [
        float(order[0]),
        float(order[1]) if size > 1 else -1.0,
        float(totals.mean()),
        float(totals.sum()),
        float((totals > 0.5).sum()),
        float((totals < 0.1).sum()),
        size,
        *best.tolist(),
        *(table.sum(axis=0) / (totals.sum() + 1e-6)).tolist(),
        max(longer),
        min(longer),
        max(p.shorter for p in group.places),
        max(p.crossing for p in group.places),
        sum(value > p.total for value, p in zip(longer, group.places, strict=True)) / size,
    ]


def decode(sources: Sequence[Beliefs]) -> list[dict[tuple[int, int], int]]:
    """For each source the likeliest sequence of legal labels, as spans with the number of their type (A. J. Viterbi, 1967).

    >>> beliefs = np.full((3, 11), 0.01, dtype=np.float32)
    >>> beliefs[[0, 1, 2], [3, 4, 0]] = 0.9
    >>> decode([beliefs])
    [{(0, 2): 1}]
    """
    scores = np.log(np.stack(sources).astype(np.float64) + 1e-9)
    count = scores.shape[1]
    own = np.arange(11)
    rows = np.arange(len(sources))[:, None]
    best = scores[:, 0].copy()
    best[:, 2::2] = -1e9
    back = np.empty((count, len(sources), 11), dtype=np.intp)
    for at in range(1, count):
        origin = np.repeat(best.argmax(axis=1)[:, None], 11, axis=1)
        origin[:, 2::2] = np.where(best[:, 1::2] >= best[:, 2::2], own[1::2], own[2::2])
        best = best[rows, origin] + scores[:, at]
        back[at] = origin
    paths = np.empty((count, len(sources)), dtype=np.intp)
    paths[-1] = best.argmax(axis=1)
    for at in range(count - 1, 0, -1):
        paths[at - 1] = back[at][rows[:, 0], paths[at]]
    return [_spans(paths[:, number].tolist()) for number in range(len(sources))]


def _spans(labels: list[int]) -> dict[tuple[int, int], int]:
    found = {}
    start = 0
    while start < len(labels):
        end = start + 1
        if labels[start] % 2:
            while end < len(labels) and labels[end] == labels[start] + 1:
                end += 1
            found[start, end] = labels[start] // 2
        start = end
    return found


def _source_features(group: Group, source: Beliefs, decoded: dict[tuple[int, int], int]) -> list[float]:
    table = np.array([_chain(source, p.start, p.end) for p in group.places])
    totals = table.sum(axis=1)
    kinds = [decoded[p.start, p.end] for p in group.places if (p.start, p.end) in decoded]
    common = max(sorted(set(kinds)), key=kinds.count) if kinds else -1
    return [float(totals.max()), float(totals.mean()), *table.max(axis=0).tolist(), len(kinds), len(kinds) / len(group.places), common]


def _known_features(names: dict[tuple[int, int], Known], spans: list[tuple[int, int]]) -> list[float]:
    found = [names[s] for s in spans if s in names]
    if not found:
        return [-1, 0, 0, -1, 0]
    best = found[0]
    return [best.type, any(k.exact for k in found), best.ambiguous, max(k.prior for k in found), len(found)]


def describe(seen: Seen, text: Text, candidates: list[Group], sources: Sequence[Beliefs], known: Sequence[Known]) -> NDArray[np.float64]:
    """The features of each candidate, candidates × features; `sources` are the taggers' beliefs, the ones that made the candidates first."""
    names = {(k.start, k.end): k for k in known}
    decoded = decode(sources)
    hits = {(h.start, h.end): h for h in seen.typed}
    others = {(h.start, h.end) for h in seen.other}
    rows = []
    count = len(seen.tokens)
    sure = sum(max(p.total for p in g.places) > 0.5 for g in candidates)
    for group in candidates:
        ordered = sorted(group.places, key=lambda p: (-p.total, p.start))
        best = ordered[0]
        spans = [(p.start, p.end) for p in ordered]
        in_title = [p.total for p in group.places if seen.tokens[p.end - 1].end <= text.title_end]
        rows.append(
            [
                *_belief_features(group),
                *_word_features(seen, text, best),
                *_lexicon_features(hits, others, spans),
                *_known_features(names, spans),
                len(group.forms),
                len({text.clean[seen.tokens[a].start : seen.tokens[b - 1].end] for a, b in spans}),
                max(in_title, default=-1.0 if text.title_end else -2.0),
                min(s[0] for s in spans) / count,
                max(s[0] for s in spans) / count,
                sure,
                count,
                *(value for source, spans_of in zip(sources, decoded, strict=True) for value in _source_features(group, source, spans_of)),
            ]
        )
    return np.array(rows, dtype=np.float64)
