"""Numbers in a text, as they are written and as they are meant: 8.5×, 58% → 67%, 5-5.5×, 12 of 14, an order of magnitude, O(n log n)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from kg.model import Span

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
_TIGHT = r"%|x(?![\w])|×(?!\s*\d)|-?fold\b|[kKMB](?!\w)|dB\b|ms\b|s\b(?!')|fps\b|FPS\b|Hz\b|GB\b|MB\b|pp\b|p\.p\.|cm\b|mm\b|m\b|km\b|W\b|°"
_LOOSE = (
    r"percentage points?|percent points?|absolute points?|points?|percent|pp\b|p\.p\.|[x×](?![\w])|times\b|folds?\b|orders? of magnitude|"
    r"dB\b|ms\b|milliseconds?|seconds?|secs?\b|s\b(?!')|minutes?|mins?\b|hours?|days?|weeks?|months?|years?|fps\b|FPS\b|[kMG]?Hz\b|[KMGT]B\b|cm\b|mm\b|km/h\b|km\b|m/s\b|m\b|"
    r"Watts?|W\b|kWh\b|million|billion|trillion|[gG]ain|BLEU points?|F1 points?"
)
_UNIT = rf"(?:(?:{_TIGHT})|[ -](?:{_LOOSE}))"
_SIGN = r"(?:[+\-−±<>≤≥]\s?)?"
_ONE = rf"{_SIGN}(?:{_NUMBER})(?:{_UNIT})?"
_SMALL = r"one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty|hundred|several|an|a"
_DIGITAL = re.compile(
    rf"""
    (?P<share>\d+\s?/\s?\d+(?![\d/]|\.\d)|\d+(?:th|st|nd|rd)?\s(?:out\sof|of)\s(?:the\s|all\s)?\d+(?![\d.]*\d))
  | (?P<change>{_ONE}(?:\s\w+)?\s?(?:→|->|-->|⇒|\sto\s(?:only\s|just\s|less\sthan\s|over\s)?)\s?{_ONE})
  | (?P<spread>(?:(?<=between\s){_ONE}\sand\s{_ONE})|{_ONE}\s?[-–—~]\s?{_ONE})
  | (?P<error>{_ONE}\s?(?:±|\+/-)\s?(?:{_NUMBER})%?)
  | (?P<one>{_ONE})
    """,
    re.VERBOSE,
)
_GROWTH = r"[OΩΘ𝒪](?:\*|̃)?\s?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_WORD = (
    rf"(?:(?:{_SMALL})(?:\s(?:to|or)\s(?:{_SMALL}))?[\s-])?orders?\sof\smagnitudes?|"
    rf"(?:{_SMALL})[\s-](?:times|fold|points?|percent|percentage\spoints?)|(?:{_SMALL})fold|"
    r"twice|double[sd]?|half|halves|thrice|triple[sd]?|quadruple[sd]?"
)
# Where a number can begin; only there are the readings tried.
_DIGIT_PLACE = re.compile(rf"(?<![\w.]){_SIGN}\.?\d")
_GROWTH_PLACE = re.compile(_GROWTH)
_WORD_PLACE = re.compile(rf"\b(?:{_WORD})\b")
_IN_WORDS = ("magnitude", "times", "fold", "point", "percent", "twice", "double", "half", "halves", "thrice", "triple", "quadruple")
"""What stands in every number in words."""
_RUN = re.compile(r"\d+")
_DIGITS = re.compile(_NUMBER)
_UNIT_AT_END = re.compile(rf"(?:{_UNIT})$")
_UNITS_IN_WORDS = "zero one two three four five six seven eight nine ten"
_WORDS = {word: float(n) for n, word in enumerate(_UNITS_IN_WORDS.split())} | {
    "twelve": 12.0, "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0, "fifty": 50.0, "hundred": 100.0, "an": 1.0, "a": 1.0,
    "twice": 2.0, "double": 2.0, "doubles": 2.0, "doubled": 2.0, "half": 0.5, "halves": 0.5, "triple": 3.0, "triples": 3.0, "tripled": 3.0,
    "thrice": 3.0, "quadruple": 4.0, "quadruples": 4.0, "quadrupled": 4.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it stands in a text: `form` is the pattern that it matched, `values` what it was parsed to, `unit` "" when it has none."""

    span: Span
    value: str
    form: str
    values: tuple[float, ...]
    unit: str


def find_numbers(clean: str) -> tuple[Number, ...]:
    """Every number of a clean text that could be a result, in order, the longest reading of each place.

    >>> [(n.value, n.form, n.values, n.unit) for n in find_numbers("It cuts steps from 256 to 30, is 5-5.5× faster and gains 1.5 points.")]
    [('256 to 30', 'change', (256.0, 30.0), ''), ('5-5.5×', 'spread', (5.0, 5.5), '×'), ('1.5 points', 'one', (1.5,), 'points')]
    """
    return tuple(_numbers(clean))


def _places(clean: str) -> list[tuple[int, str, re.Match[str]]]:
    """Where numbers may begin, in order, each with its form. The slow pattern of numbers in words is spared where no such word stands."""
    found = [(m.start(), "growth", m) for m in _GROWTH_PLACE.finditer(clean)]
    if any(word in clean for word in _IN_WORDS):
        found += [(m.start(), "word", m) for m in _WORD_PLACE.finditer(clean)]
    last = 0
    for run in _RUN.finditer(clean):
        first = run.start()
        if digit := _DIGIT_PLACE.search(clean, max(last, first - 3), first + 1):  # a sign, a space and a point may go before a digit
            found.append((digit.start(), "digit", digit))
        last = run.end()
    return sorted(found, key=itemgetter(0))


def _numbers(clean: str) -> Iterator[Number]:
    end = looked = 0
    for start, kind, place in _places(clean):
        if start < looked:
            continue
        looked = place.end()
        if start < end:
            continue
        match = _DIGITAL.match(clean, start) or place if kind == "digit" else place
        form = match.lastgroup or "one" if kind == "digit" else kind
        value = match[0]
        end = match.end()
        span = Span(match.start(), end)
        if value.isdigit() and len(value) < 3 and clean[end : end + 1] == ")" and clean[max(0, span.start - 1) : span.start] in {"", " ", "(", "\n"}:
            continue  # (1) and 2) are the numbers of a list
        if form == "growth":
            yield Number(span, value, form, (), "")
        elif form == "word":
            yield Number(span, value, form, _word_values(value), _word_unit(value))
        else:
            yield Number(span, value, form, tuple(float(d.replace(",", "")) for d in _DIGITS.findall(value)), _unit(value))


def _unit(value: str) -> str:
    found = _UNIT_AT_END.search(value)
    unit = found[0].strip(" -") if found else "%" if "%" in value else ""
    return "×" if unit in {"x", "times", "fold"} else unit


def _word_values(value: str) -> tuple[float, ...]:
    return tuple(_WORDS[w] for w in re.split(r"[\s-]|(?<=\w)(?=fold\b)", value) if w in _WORDS)


def _word_unit(value: str) -> str:
    if "magnitude" in value:
        return "orders of magnitude"
    return "points" if "point" in value else "%" if "percent" in value else "×"
