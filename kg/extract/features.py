"""What both trained extractors see of a text: its words, and for each word a row of small category numbers (`SLOTS`)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
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
LONGEST = 9
"""The longest lexicon term, in words, hyphens not counted."""


class Word(NamedTuple):
    """A word or a single sign, with its offsets in the clean text."""

    start: int
    end: int
    surface: str


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


def words(text: str) -> list[Word]:
    """The words and signs of a text; a hyphen, slash or bracket is a word of its own, so that every name can begin and end at one.

    >>> [w.surface for w in words("DIV2K (o3-mini)")]
    ['DIV2K', '(', 'o3', '-', 'mini', ')']
    """
    return [Word(m.start(), m.end(), m[0]) for m in _WORD.finditer(text)]


@lru_cache(maxsize=1 << 16)
def _plain(word: str) -> str:
    return word.lower()


@lru_cache(maxsize=1 << 16)
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


class Lexicon:
    """The terms that the model was trained with and the words of the corpus; both belong to the weights, not to the catalogue.

    `terms` are matched without case, hyphens, spaces and plural ending. `known` maps a lower-case word to its bin of
    frequency and capitals (1 to 27).
    """

    def __init__(self, terms: Sequence[Term], known: Mapping[str, int]) -> None:
        self.known = known
        self._opens: dict[str, bool] = {}
        self._terms: dict[str, Term | None] = {}
        for term in reversed(terms):
            run = ""
            parts = [_plain(w) for w in re.findall(r"\d+|[A-Z]?[^\W\dA-Z]+|[A-Z]+(?![^\W\dA-Z])|\w|[^\w\s]", term.surface) if w not in _JOINERS]
            for part in parts:
                run += part
                self._terms.setdefault(run, None)
            self._terms[_single(run)] = term
            self._terms.setdefault(run, term)

    def _may_open(self, lower: str) -> bool:
        """Whether a term can begin with a word, remembered."""
        if len(self._opens) > _REMEMBERED:
            self._opens.clear()
        self._opens[lower] = opens = lower in self._terms or _single(lower) in self._terms
        return opens

    def hits(self, tokens: Sequence[Word]) -> tuple[list[Hit], list[Hit]]:
        """The terms with a type, longest first from the left, and the terms known to be no entity where none with a type is."""
        typed: list[Hit] = []
        other: list[Hit] = []
        lowers = [_plain(w.surface) for w in tokens]
        table = self._terms
        free = 0
        free_other = 0
        opens = self._opens
        for at, lower in enumerate(lowers):
            if not (opens[lower] if lower in opens else self._may_open(lower)):
                continue
            best: Hit | None = None
            fallback: Hit | None = None
            run = ""
            for end in range(at, min(len(lowers), at + 2 * LONGEST)):
                word = lowers[end]
                if word in _JOINERS:
                    continue
                run += word
                term = table.get(run, self)
                if term is self or term is None:
                    single = table.get(_single(run))
                    if single is None and term is self:
                        break
                    term = single
                if isinstance(term, Term):
                    if term.type:
                        best = Hit(at, end + 1, term)
                    else:
                        fallback = Hit(at, end + 1, term)
            if best is not None and at >= free:
                typed.append(best)
                free = best.end
            elif fallback is not None and at >= free_other:
                other.append(fallback)
                free_other = fallback.end
        covered = {w for hit in typed for w in range(hit.start, hit.end)}
        return typed, [hit for hit in other if not covered.intersection(range(hit.start, hit.end))]


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


def acronyms(text: str, tokens: Sequence[Word]) -> list[tuple[int, int, int, int]]:
    """The definitions "long form (SF)": first and past-last word of the long form, then of the short form.

    >>> text = "the masked diffusion models (MDMs) work"
    >>> acronyms(text, words(text))
    [(1, 4, 5, 6)]
    """
    found = []
    for at, token in enumerate(tokens):
        if token.surface != "(" or not at:
            continue
        close = next((k for k in range(at + 2, min(at + 9, len(tokens))) if tokens[k].surface in {")", ",", ";"}), 0)
        short = text[tokens[at + 1].start : tokens[close - 1].end] if close else ""
        if not (is_acronym(short) or (is_named(short) and 2 <= len(short) <= 12 and " " not in short)):
            continue
        size = sum(c.isalnum() for c in short.removesuffix("s"))
        first = at
        count = 0
        while first and count < min(size + 5, 2 * size) and tokens[first - 1].surface not in {".", ")", "(", ";", ":"}:
            first -= 1
            count += tokens[first].surface not in _JOINERS
        offset = tokens[first].start
        begin = _fit(short.removesuffix("s"), text[offset : tokens[at - 1].end])
        if begin is not None:
            found.append((next(k for k in range(first, at) if tokens[k].end > offset + begin), at, at + 1, close))
    return found


@dataclass(frozen=True, slots=True)
class Seen:
    """A text as the extractors see it: `rows` holds a value for each of SLOTS for each word."""

    tokens: list[Word]
    rows: list[tuple[int, ...]]
    typed: list[Hit]
    other: list[Hit]
    defined: list[tuple[int, int, int, int]]


def _term_value(hit: Hit, at: int, exact: bool) -> int:
    return 1 + (hit.term.type - 1) * 8 + (at == hit.start) * 4 + exact * 2 + hit.term.ambiguous


def _mark_hits(columns: dict[str, list[int]], clean: str, tokens: Sequence[Word], typed: list[Hit], other: list[Hit]) -> None:
    for hit in typed:
        surface = clean[tokens[hit.start].start : tokens[hit.end - 1].end]
        exact = surface[1:].startswith(hit.term.surface[1:])
        size = 1 + (hit.term.papers >= 10) + (hit.term.papers >= 100)
        for at in range(hit.start, hit.end):
            columns["term"][at] = _term_value(hit, at, exact)
            columns["share"][at] = 1 + min(4, hit.term.share // 2) * 3 + size - 1
            columns["also"][at] = hit.term.also
    for hit in other:
        for at in range(hit.start, hit.end):
            columns["other"][at] = 1 + (at > hit.start)


def _mark_acronyms(column: list[int], lowers: Sequence[str], defined: Sequence[tuple[int, int, int, int]]) -> None:
    shorts = {tuple(lowers[a:b]) for *_, a, b in defined}
    shorts |= {(*s[:-1], s[-1].removesuffix("s")) for s in shorts} | {(*s[:-1], s[-1] + "s") for s in shorts}
    longs = {tuple(lowers[a:b]) for a, b, *_ in defined}
    for values, first in ((longs, 7), (shorts, 5)):
        for form in sorted(values):
            for at in range(len(lowers) - len(form) + 1):
                if lowers[at] == form[0] and tuple(lowers[at : at + len(form)]) == form:
                    column[at : at + len(form)] = [first, *[first + 1] * (len(form) - 1)]
    for a, b, c, d in defined:
        column[a:b] = [1, *[2] * (b - a - 1)]
        column[c:d] = [3, *[4] * (d - c - 1)]


def _forms(tokens: Sequence[Word], starts: frozenset[int]) -> list[int]:
    out = []
    first = True
    for token in tokens:
        first = first or token.start in starts
        form = shape(token.surface)
        out.append(form + 9 * (first and form < 9))
        first = first and token.surface in _OPENERS
    return out


def see(text: Text, lexicon: Lexicon) -> Seen:
    """The words of a text with their categories: form, lexicon, definitions, repeats within the text, frequency in the corpus."""
    tokens = words(text.clean)
    lowers = [_plain(w.surface) for w in tokens]
    typed, other = lexicon.hits(tokens)
    defined = acronyms(text.clean, tokens)
    columns = {name: [0] * len(tokens) for name in SLOTS}
    columns["shape"] = [v if v < 17 else 17 for v in _forms(tokens, frozenset(s.start for s in text.sentences))]
    _mark_hits(columns, text.clean, tokens, typed, other)
    _mark_acronyms(columns["acronym"], lowers, defined)
    counts = Counter(lowers)
    title = {low for low, token in zip(lowers, tokens, strict=True) if token.end <= text.title_end}
    where = {low: (2 if low in title else 1) if text.title_end else 0 for low in counts}
    repeats = {low: (count - 1 if count < 4 else 3) * 3 + where[low] for low, count in counts.items()}
    columns["repeats"] = [repeats[low] for low in lowers]
    columns["known"] = [lexicon.known.get(low, 0) for low in lowers]
    return Seen(tokens, list(zip(*(columns[name] for name in SLOTS), strict=True)), typed, other, defined)
