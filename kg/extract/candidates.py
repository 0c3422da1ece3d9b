"""From what a tagger believes of each word to the names that the paper may hold, each seen over the whole paper.

A tagger looks at places; a card lists names. So every span that the tagger half believes in becomes a candidate, candidates of one name are put
together, and `trees` judges the name by all its places at once: the agreement within the paper that a tagger of sentences lacks.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kg.extract.features import TYPES, Seen
from kg.model import Mention, Text
from kg.surface import key

if TYPE_CHECKING:
    from kg.extract import Extractor

Beliefs = NDArray[np.float32]
"""Words × 11: the probability of O, then of B and I for each type in the order of EntityType."""

_START = 0.04
_KEEP = 0.02
_SPREAD = 0.15
_LONGEST = 14
_TINY = 1e-9
_ADDED_WEIGHT = 20.0
_NO_START = frozenset("-–—/,.;:)]}'’”?!")
_NO_END = frozenset("-–—/,.;:([{'’“")


class Known(NamedTuple):
    """A name of the catalogue in the text: [start, end) in words, its type's number, how it stands there, and whether the user added it."""

    start: int
    end: int
    type: int
    exact: bool
    ambiguous: bool
    prior: float
    added: bool = False


class Advice(NamedTuple):
    """What an extractor of rules says: [start, end) in words, the number of the type, its score, and the extractor's place in ADVISERS."""

    start: int
    end: int
    type: int
    score: float
    adviser: int


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


@dataclass(slots=True)
class Group:
    """The places of one name in one paper; `forms` are its comparison keys, an acronym's and its expansion's together."""

    forms: tuple[str, ...]
    places: list[Place] = field(default_factory=list)
    defined: dict[int, float] = field(default_factory=dict)
    added: bool = False

    @property
    def types(self) -> NDArray[np.float64]:
        """What the tagger believes of each type, over all places, and what a definition in the text ("X, a benchmark for") says; the sum is 1."""
        total = np.sum([p.types for p in self.places], axis=0) + 1e-9
        total /= total.sum()
        for kind, score in self.defined.items():
            total[kind] += score
        out: NDArray[np.float64] = total / total.sum()
        return out


class Chances:
    """The probability of every span under one tagger's beliefs, from sums of logarithms over the words."""

    def __init__(self, beliefs: Beliefs) -> None:
        wide = beliefs.astype(np.float64)
        self._begin = wide[:, 1::2]
        self._inside = np.zeros((len(wide) + 1, len(TYPES)))
        np.cumsum(np.log(wide[:, 2::2] + _TINY), axis=0, out=self._inside[1:])
        self._after = np.ones((len(wide) + 1, len(TYPES)))
        self._after[:-1] = 1.0 - wide[:, 2::2]

    def of(self, starts: Sequence[int], ends: Sequence[int]) -> NDArray[np.float64]:
        """Spans × types: it begins with that type, goes on with it and ends."""
        first, last = np.asarray(starts, dtype=np.intp), np.asarray(ends, dtype=np.intp)
        out: NDArray[np.float64] = self._begin[first] * np.exp(self._inside[last] - self._inside[first + 1]) * self._after[last]
        return out

    def likely(self) -> dict[tuple[int, int], NDArray[np.float64]]:
        """The spans that the tagger half believes in."""
        found: dict[tuple[int, int], NDArray[np.float64]] = {}
        first = np.flatnonzero(self._begin.sum(axis=1) > _START)
        for size in range(1, _LONGEST + 1):
            first = first[first + size <= len(self._begin)]
            run = self._begin[first] * np.exp(self._inside[first + size] - self._inside[first + 1])
            alive = run.sum(axis=1) > _KEEP
            first, run = first[alive], run[alive]
            if not len(first):
                break
            values = run * self._after[first + size]
            for at in np.flatnonzero(values.sum(axis=1) > _KEEP).tolist():
                found[int(first[at]), int(first[at]) + size] = values[at]
        return found


ADVISERS = ("definitions",)
"""The extractors of rules that the judge hears; their order is part of the trained judge."""


@cache
def _advisers() -> "tuple[Extractor, ...]":
    from kg.extract import extractors

    return extractors(ADVISERS)


def hear(seen: Seen, text: Text) -> tuple[list[Known], list[Advice]]:
    """The names of the catalogue in use that stand in the text, and what the extractors of rules say."""
    from kg.extract.catalogue import hits

    starts = {word.start: at for at, word in enumerate(seen.tokens)}
    ends = {word.end: at + 1 for at, word in enumerate(seen.tokens)}
    advice = [
        Advice(starts[m.span.start], ends[m.span.end], TYPES.index(m.type), m.score, number)
        for number, extractor in enumerate(_advisers())
        for m in extractor(text)
        if isinstance(m, Mention) and m.span.start in starts and m.span.end in ends
    ]
    known = [
        Known(starts[h.start], ends[h.end], TYPES.index(h.row.type), h.exact_case, h.ambiguous, -1.0 if h.prior is None else h.prior, h.row.added)
        for h in hits(text.clean)
        if h.start in starts and h.end in ends
    ]
    return known, advice


def places(seen: Seen, text: Text, beliefs: Beliefs, known: Sequence[Known | Advice]) -> dict[str, list[Place]]:
    """Every span worth a thought, under its comparison key: what the tagger half believes, names of lexicon, catalogue and rules, defined short
    and long forms, and each further occurrence of a form that is believed somewhere.
    """
    chances = Chances(beliefs)
    found = chances.likely()
    extra = [(h.start, h.end) for h in (*seen.typed, *known)] + [s for a, b, c, d in seen.defined for s in ((a, b), (c, d))]
    missing = sorted({span for span in extra if span not in found and span[0] < span[1]} | _repeats(seen, found))
    if missing:
        found.update(zip(missing, chances.of(*zip(*missing, strict=True)), strict=True))
    found = _trimmed(seen, found)
    grouped: dict[str, list[Place]] = defaultdict(list)
    for (start, end), value in sorted(found.items()):
        form = key(text.clean[seen.tokens[start].start : seen.tokens[end - 1].end])
        if form:
            grouped[form].append(Place(start, end, value, float(value.sum())))
    _compare([p for group in grouped.values() for p in group])
    return grouped


def _trimmed(seen: Seen, found: dict[tuple[int, int], NDArray[np.float64]]) -> dict[tuple[int, int], NDArray[np.float64]]:
    """The spans without signs at their borders that no name has there; what was believed of "transformer-" goes to "transformer"."""
    out: dict[tuple[int, int], NDArray[np.float64]] = {}
    for (start, end), value in sorted(found.items()):
        first, last = start, end
        while first < last and seen.tokens[first].surface in _NO_START:
            first += 1
        while first < last and seen.tokens[last - 1].surface in _NO_END:
            last -= 1
        if first < last:
            out[first, last] = out[first, last] + value if (first, last) in out else value
    return out


def _repeats(seen: Seen, found: dict[tuple[int, int], NDArray[np.float64]]) -> set[tuple[int, int]]:
    lowers = [w.surface.lower() for w in seen.tokens]
    at: dict[str, list[int]] = defaultdict(list)
    for index, word in enumerate(lowers):
        at[word].append(index)
    forms = {tuple(lowers[a:b]) for (a, b), value in found.items() if value.sum() > _SPREAD and len(at[lowers[a]]) > 1}
    return {
        (start, start + len(form))
        for form in forms
        for start in at[form[0]]
        if (start, start + len(form)) not in found and tuple(lowers[start : start + len(form)]) == form
    }


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


def groups(seen: Seen, text: Text, beliefs: Beliefs, known: Sequence[Known | Advice]) -> list[Group]:
    """The candidates of one paper, in the order of their first place."""
    by_form = places(seen, text, beliefs, known)
    added = {(k.start, k.end): k.type for k in known if isinstance(k, Known) and k.added and (k.exact or not k.ambiguous)}
    told = {(k.start, k.end): (k.type, k.score) for k in known if isinstance(k, Advice) and ADVISERS[k.adviser] == "definitions"}
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
        for place in found:
            span = place.start, place.end
            if span in told:
                kind, score = told[span]
                group.defined[kind] = max(score, group.defined.get(kind, 0.0))
            if span in added:
                group.added = True
                group.defined[added[span]] = _ADDED_WEIGHT
    return sorted(out.values(), key=lambda g: min((p.start, p.end) for p in g.places))
