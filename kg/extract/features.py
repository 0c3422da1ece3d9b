"""What both trained extractors see of a text: its words, and for each word a row of small category numbers (`SLOTS`)."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from kg.model import EntityType, Text
from kg.surface import is_acronym, is_named

_WORD = re.compile(r"\w+|[^\w\s]")
_JOINERS = frozenset("-–—/−")
_OPENERS = frozenset("\"“‘'([")
TYPES = tuple(EntityType)
_REMEMBERED = 1 << 17


@dataclass(frozen=True, slots=True)
class Words:
    """The words and single signs of a text, side by side: as they stand, in lower case, and their offsets. A text has hundreds: no object each."""

    text: str
    surfaces: list[str]
    lowers: list[str]
    starts: list[int]
    ends: list[int]

    def __len__(self) -> int:
        return len(self.surfaces)

    def beginning(self, offsets: Iterable[int]) -> Iterator[int]:
        """The words that begin at one of these offsets."""
        for offset in offsets:
            at = bisect_left(self.starts, offset)
            if at < len(self.starts) and self.starts[at] == offset:
                yield at

    def between(self, first: int, last: int) -> str:
        """The text from one word's start to the end of the word before `last`."""
        return self.text[self.starts[first] : self.ends[last - 1]]


class Term(NamedTuple):
    """A row of the model's lexicon: `type` and `also` count from 1 in the order of EntityType, 0 is none; `share` is in tenths of its papers."""

    surface: str
    type: int
    also: int
    ambiguous: bool
    share: int
    papers: int


class Hit(NamedTuple):
    """A lexicon term found in the words: [start, end) counts words."""

    start: int
    end: int
    term: Term


SLOTS: Mapping[str, int] = {"shape": 18, "term": 49, "other": 3, "share": 16, "also": 6, "acronym": 9, "repeats": 12, "known": 28}
"""The category slots of a word and how many values each has; 0 always means "nothing known"."""

OFFSETS: Mapping[str, int] = {name: sum(list(SLOTS.values())[:at]) for at, name in enumerate(SLOTS)}
WIDTH = sum(SLOTS.values())


def words(text: str) -> Words:
    """The words and signs of a text; a hyphen, slash or bracket is a word of its own, so that every name can begin and end at one.

    >>> words("DIV2K (o3-mini)").surfaces
    ['DIV2K', '(', 'o3', '-', 'mini', ')']
    """
    surfaces = _WORD.findall(text)
    starts, ends, end = [], [], 0
    for surface in surfaces:  # only spaces stand between two words, so each begins where it is next found
        start = text.index(surface, end)
        end = start + len(surface)
        starts.append(start)
        ends.append(end)
    return Words(text, surfaces, [surface.lower() for surface in surfaces], starts, ends)


def _single(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=1 << 16)
def shape(word: str) -> int:
    """The class of a word's form, 1 to 9: lower, Capital, X, ALLCAPS, plural acronym, inner capital, digits, mixed with digits, sign.

    >>> [shape(w) for w in ("model", "Adam", "K", "BERT", "GANs", "FoSS", "256", "GPT2", "(")]
    [1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    if not word[0].isalnum():
        return 9
    if word.isdigit():
        return 7
    if any(c.isdigit() for c in word):
        return 8
    if not any(c.isupper() for c in word):
        return 1
    if len(word) == 1:
        return 3
    if word.isupper():
        return 4
    if word[-1] == "s" and word[:-1].isupper():
        return 5
    return 6 if any(c.isupper() for c in word[1:]) else 2


class _Readings(dict[str, "Term | bool | None"]):
    """What a run of words means, joined without spaces: a term, None when one may go on from there, False when none begins so.

    Plural endings are seen through, which takes several look-ups in `terms`; so what they gave is remembered, up to a bound.
    """

    def __init__(self, terms: Mapping[str, Term | None]) -> None:
        super().__init__()
        self._terms = terms

    def __missing__(self, run: str) -> "Term | bool | None":
        if len(self) > _REMEMBERED:
            self.clear()
        found = self._terms.get(run)
        if found is None:
            found = self._terms.get(_single(run))
        self[run] = out = found if found is not None or run in self._terms else False
        return out


class Lexicon:
    """The terms that the model was trained with and the words of the corpus; both belong to the weights, not to the catalogue.

    `terms` are matched without case, hyphens, spaces and plural ending. `known` maps a lower-case word to its bin of
    frequency and capitals (1 to 27).
    """

    def __init__(self, terms: Sequence[Term], known: Mapping[str, int]) -> None:
        self.known = known
        table: dict[str, Term | None] = {}
        for term in reversed(terms):
            run = ""
            parts = [w.lower() for w in re.findall(r"\d+|[A-Z]?[^\W\dA-Z]+|[A-Z]+(?![^\W\dA-Z])|\w|[^\w\s]", term.surface) if w not in _JOINERS]
            for part in parts:
                run += part
                table.setdefault(run, None)
            table[_single(run)] = term
            table.setdefault(run, term)
        self._readings = _Readings(table)

    def hits(self, lowers: Sequence[str]) -> tuple[list[Hit], list[Hit]]:
        """The terms with a type, longest first from the left, and the terms known to be no entity where none with a type is.

        `lowers` are the words of the text in lower case.
        """
        typed: list[Hit] = []
        other: list[Hit] = []
        kept = [at for at, lower in enumerate(lowers) if lower not in _JOINERS]
        words = [lowers[at] for at in kept]
        firsts = map(self._readings.__getitem__, words)
        free = 0
        free_other = 0
        for number, (at, first) in enumerate(zip(kept, firsts, strict=True)):
            if first is False or (at < free and at < free_other):
                continue
            best, fallback = self._longest(words, number)
            if best is not None and at >= free:
                free = kept[best[0]] + 1
                typed.append(Hit(at, free, best[1]))
            elif fallback is not None and at >= free_other:
                free_other = kept[fallback[0]] + 1
                other.append(Hit(at, free_other, fallback[1]))
        covered = {w for hit in typed for w in range(hit.start, hit.end)}
        return typed, [hit for hit in other if covered.isdisjoint(range(hit.start, hit.end))]

    def _longest(self, words: Sequence[str], first: int) -> tuple[tuple[int, Term] | None, tuple[int, Term] | None]:
        """The longest term with a type that begins at a word, and the longest that is known to be no entity, each with its last word."""
        readings = self._readings
        best: tuple[int, Term] | None = None
        fallback: tuple[int, Term] | None = None
        run = ""
        for last in range(first, len(words)):
            run += words[last]
            term = readings[run]
            if term is False:
                break
            if isinstance(term, Term):
                if term.type:
                    best = last, term
                else:
                    fallback = last, term
        return best, fallback


def _fit(short: str, long: str) -> int | None:
    """Where in `long` the expansion of `short` starts, by the rule of Schwartz and Hearst (PSB 2003)."""
    at = len(long)
    letters = [c for c in short.lower() if c.isalnum()]
    lower = long.lower()
    for index in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and (lower[at] != letters[index] or (index == 0 and at > 0 and lower[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
    return at


def acronyms(tokens: Words) -> list[tuple[int, int, int, int]]:
    """The definitions "long form (SF)": first and past-last word of the long form, then of the short form.

    >>> acronyms(words("the masked diffusion models (MDMs) work"))
    [(1, 4, 5, 6)]
    """
    found = []
    surfaces = tokens.surfaces
    for at in every_place(surfaces, "("):
        close = next((k for k in range(at + 2, min(at + 9, len(surfaces))) if surfaces[k] in {")", ",", ";"}), 0)
        short = tokens.between(at + 1, close) if close and at else ""
        if not (is_acronym(short) or (is_named(short) and 2 <= len(short) <= 12 and " " not in short)):
            continue
        size = sum(c.isalnum() for c in short.removesuffix("s"))
        first = at
        count = 0
        while first and count < min(size + 5, 2 * size) and surfaces[first - 1] not in {".", ")", "(", ";", ":"}:
            first -= 1
            count += surfaces[first] not in _JOINERS
        begin = _fit(short.removesuffix("s"), tokens.between(first, at))
        if begin is not None:
            begin += tokens.starts[first]
            found.append((next(k for k in range(first, at) if tokens.ends[k] > begin), at, at + 1, close))
    return found


def every_place(items: Sequence[str], wanted: str) -> Iterator[int]:
    """Where something stands in a list."""
    at = -1
    for _ in range(items.count(wanted)):
        at = items.index(wanted, at + 1)
        yield at


@dataclass(frozen=True, slots=True)
class Seen:
    """A text as the extractors see it: `rows` holds a value for each of SLOTS for each word, `columns` the same by slot."""

    tokens: Words
    columns: dict[str, list[int]]
    rows: list[tuple[int, ...]]
    typed: list[Hit]
    other: list[Hit]
    defined: list[tuple[int, int, int, int]]


def _mark_hits(columns: dict[str, list[int]], tokens: Words, typed: list[Hit], other: list[Hit]) -> None:
    terms, shares, also, others = (columns[name] for name in ("term", "share", "also", "other"))
    for start, end, term in typed:
        exact = tokens.between(start, end)[1:].startswith(term.surface[1:])
        inside = 1 + (term.type - 1) * 8 + exact * 2 + term.ambiguous
        size, share = end - start, 1 + min(4, term.share // 2) * 3 + (term.papers >= 10) + (term.papers >= 100)
        terms[start:end] = [inside + 4, *[inside] * (size - 1)]
        shares[start:end] = [share] * size
        also[start:end] = [term.also] * size
    for start, end, _ in other:
        others[start:end] = [1, *[2] * (end - start - 1)]


def _mark_acronyms(column: list[int], lowers: Sequence[str], defined: Sequence[tuple[int, int, int, int]]) -> None:
    shorts = {tuple(lowers[a:b]) for *_, a, b in defined}
    shorts |= {(*s[:-1], s[-1].removesuffix("s")) for s in shorts} | {(*s[:-1], s[-1] + "s") for s in shorts}
    longs = {tuple(lowers[a:b]) for a, b, *_ in defined}
    for values, first in ((longs, 7), (shorts, 5)):
        for form in sorted(values):
            for at in every_place(lowers, form[0]):
                if tuple(lowers[at : at + len(form)]) == form:
                    column[at : at + len(form)] = [first, *[first + 1] * (len(form) - 1)]
    for a, b, c, d in defined:
        column[a:b] = [1, *[2] * (b - a - 1)]
        column[c:d] = [3, *[4] * (d - c - 1)]


def _forms(tokens: Words, sentences: Iterable[int]) -> list[int]:
    """The class of each word's form, 9 more where a sentence begins; quotes and brackets before its first word are passed over."""
    out = list(map(shape, tokens.surfaces))
    for first in {0, *tokens.beginning(sentences)}:
        for at in range(first, len(out)):
            out[at] += 9 * (out[at] < 9)
            if tokens.surfaces[at] not in _OPENERS:
                break
    return out


def see(text: Text, lexicon: Lexicon) -> Seen:
    """The words of a text with their categories: form, lexicon, definitions, repeats within the text, frequency in the corpus."""
    tokens = words(text.clean)
    lowers = tokens.lowers
    typed, other = lexicon.hits(lowers)
    defined = acronyms(tokens)
    columns = {name: [0] * len(tokens) for name in SLOTS}
    columns["shape"] = _forms(tokens, [s.start for s in text.sentences])
    _mark_hits(columns, tokens, typed, other)
    if defined:
        _mark_acronyms(columns["acronym"], lowers, defined)
    title = set(lowers[: bisect_right(tokens.ends, text.title_end)])
    outside = 1 if text.title_end else 0
    repeats = {low: (count if count < 4 else 4) * 3 - 3 + (2 if low in title else outside) for low, count in Counter(lowers).items()}
    columns["repeats"] = [repeats[low] for low in lowers]
    columns["known"] = [lexicon.known.get(low, 0) for low in lowers]
    return Seen(tokens, columns, list(zip(*columns.values(), strict=True)), typed, other, defined)
