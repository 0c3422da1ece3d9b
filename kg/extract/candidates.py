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

from kg.extract.features import TYPES, Seen, every_place
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


def types(found: Sequence[Group]) -> NDArray[np.float64]:
    """Groups × types: what the tagger believes over all places, and what a definition in the text ("X, a benchmark for") says; a row's sum is 1."""
    firsts = np.cumsum([0, *(len(group.places) for group in found[:-1])])
    total = np.add.reduceat(np.array([place.types for group in found for place in group.places]), firsts, axis=0) + 1e-9
    total /= total.sum(axis=1, keepdims=True)
    for row, group in enumerate(found):
        for kind, score in group.defined.items():
            total[row, kind] += score
    out: NDArray[np.float64] = total / total.sum(axis=1, keepdims=True)
    return out


class Chances:
    """The probability of every span under one tagger's `beliefs`, from sums of logarithms over the words."""

    def __init__(self, beliefs: Beliefs) -> None:
        self.beliefs = beliefs
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

    def likely(self) -> tuple[list[tuple[int, int]], NDArray[np.float64]]:
        """The spans that the tagger half believes in, and what it believes of each, spans × types. Every length is tried in one go."""
        first = np.flatnonzero(self._begin.sum(axis=1) > _START)[:, None]
        size = np.arange(1, _LONGEST + 1)
        fits = first + size <= len(self._begin)
        last = np.where(fits, first + size, first + 1)
        run = self._begin[first] * np.exp(self._inside[last] - self._inside[first + 1])
        alive = np.logical_and.accumulate(fits & (run.sum(axis=2) > _KEEP), axis=1)
        run *= self._after[last]
        rows, sizes = np.nonzero(alive & (run.sum(axis=2) > _KEEP))
        starts = first[rows, 0]
        return list(zip(starts.tolist(), (starts + sizes + 1).tolist(), strict=True)), run[rows, sizes]


ADVISERS = ("definitions",)
"""The extractors of rules that the judge hears; their order is part of the trained judge."""


@cache
def _advisers() -> "tuple[Extractor, ...]":
    from kg.extract import extractors

    return extractors(ADVISERS)


def hear(seen: Seen, text: Text) -> tuple[list[Known], list[Advice]]:
    """The names of the catalogue in use that stand in the text, and what the extractors of rules say."""
    from kg.extract.catalogue import hits

    starts = dict(zip(seen.tokens.starts, range(len(seen.tokens)), strict=True))
    ends = dict(zip(seen.tokens.ends, range(1, len(seen.tokens) + 1), strict=True))
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


def places(seen: Seen, chances: Chances, known: Sequence[Known | Advice]) -> dict[str, list[Place]]:
    """Every span worth a thought, under its comparison key: what the tagger half believes, names of lexicon, catalogue and rules, defined short
    and long forms, and each further occurrence of a form that is believed somewhere.
    """
    spans, values = chances.likely()
    extra = [(h.start, h.end) for h in (*seen.typed, *known)] + [s for a, b, c, d in seen.defined for s in ((a, b), (c, d))]
    likely = set(spans)
    missing = sorted({span for span in extra if span not in likely and span[0] < span[1]} | _repeats(seen, spans, values.sum(axis=1).tolist()))
    if missing:
        spans += missing
        values = np.concatenate([values, chances.of(*zip(*missing, strict=True))])
    rows = _trimmed(seen, spans, values)
    totals = values.sum(axis=1).tolist()
    grouped: dict[str, list[Place]] = defaultdict(list)
    found = []
    for (start, end), row in sorted(rows.items()):
        form = key(seen.tokens.between(start, end))
        if form:
            place = Place(start, end, values[row], totals[row])
            found.append(place)
            grouped[form].append(place)
    _compare(found)
    return grouped


def _trimmed(seen: Seen, spans: Sequence[tuple[int, int]], values: NDArray[np.float64]) -> dict[tuple[int, int], int]:
    """The spans without signs at their borders that no name has there, each with its row of `values`.

    What was believed of "transformer-" is added to "transformer".
    """
    surfaces = seen.tokens.surfaces
    out: dict[tuple[int, int], int] = {}
    for (start, end), row in sorted(zip(spans, range(len(spans)), strict=True)):
        first, last = start, end
        while first < last and surfaces[first] in _NO_START:
            first += 1
        while first < last and surfaces[last - 1] in _NO_END:
            last -= 1
        if first < last and out.setdefault((first, last), row) != row:
            values[out[first, last]] += values[row]
    return out


def _repeats(seen: Seen, spans: Sequence[tuple[int, int]], totals: Sequence[float]) -> set[tuple[int, int]]:
    """The other places where the words of a likely span stand."""
    lowers, again = seen.tokens.lowers, seen.columns["repeats"]
    likely = set(spans)
    forms = {tuple(lowers[a:b]) for (a, b), total in zip(spans, totals, strict=True) if total > _SPREAD and again[a] > 2}
    return {
        (start, start + len(form))
        for form in forms
        for start in every_place(lowers, form[0])
        if (start, start + len(form)) not in likely and tuple(lowers[start : start + len(form)]) == form
    }


def _compare(order: list[Place]) -> None:
    """Tell each place of the likeliest other that holds it, lies in it or crosses it; they come in the order of their starts and ends."""
    for number, place in enumerate(order, 1):
        start, end = place.start, place.end
        for other in order[number:]:
            if other.start >= end:
                break
            if other.start == start or other.end <= end:
                small, large = (place, other) if end - start < other.end - other.start else (other, place)
                small.longer = max(small.longer, large.total)
                large.shorter = max(large.shorter, small.total)
            else:
                place.crossing = max(place.crossing, other.total)
                other.crossing = max(other.crossing, place.total)


def groups(seen: Seen, chances: Chances, known: Sequence[Known | Advice]) -> list[Group]:
    """The candidates of one paper, in the order of their first place."""
    by_form = places(seen, chances, known)
    added = {(k.start, k.end): k.type for k in known if isinstance(k, Known) and k.added and (k.exact or not k.ambiguous)}
    told = {(k.start, k.end): (k.type, k.score) for k in known if isinstance(k, Advice) and ADVISERS[k.adviser] == "definitions"}
    partner: dict[str, str] = {}
    for a, b, c, d in seen.defined:
        long, short = key(seen.tokens.between(a, b)), key(seen.tokens.between(c, d))
        if long in by_form and short in by_form and long != short and short not in partner and long not in partner:
            partner[short] = long
    out: dict[str, Group] = {}
    for form, found in by_form.items():
        main = partner.get(form, form)
        group = out.setdefault(main, Group(()))
        group.forms = (*group.forms, form)
        group.places.extend(found)
        for place in found if told or added else ():
            span = place.start, place.end
            if span in told:
                kind, score = told[span]
                group.defined[kind] = max(score, group.defined.get(kind, 0.0))
            if span in added:
                group.added = True
                group.defined[added[span]] = _ADDED_WEIGHT
    return list(out.values())
