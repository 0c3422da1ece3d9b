"""Short forms that a text expands: "Full Name (FN)", "FN (Full Name)", "FN, Full Name, …", "FN: Full Name".

After A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text" (PSB 2003): the long form
ends at the bracket and is the shortest run of words before it that holds the letters of the short form in order. Added here: several short forms in
a bracket, plurals, hyphens, names whose capitals lie inside words (FlowNet), and the other order.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from kg.model import Alias, Span, Text
from kg.surface import is_acronym, is_named

_BRACKET = re.compile(r"\(([^()]{2,120})\)|\[([^\[\]]{2,40})\]")
_PART = re.compile(
    r"\s*(?:[;,]|\bor\b|\baka\b|\ba\.k\.a\.?|\bi\.e\.|\be\.g\.|\babbreviated(?: as| to)?\b|\bdubbed\b|\bdenoted(?: as| by)?\b|\bcalled\b)\s*,?\s*"
)
_SHORT = re.compile(r"[^\W_][\w\-‐‑–.+/*@²³]{0,14}")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_APPOSED = re.compile(r"\b([A-Z][\w\-‐‑]{1,14})(?:, (?:an? |the )?|: |,? (?:or|short for|stands for|which stands for|for)[:,]? )(?=[^\W\d_])")
_STOP = frozenset(
    ("a", "an", "the", "of", "for", "and", "in", "on", "to", "with", "by", "from", "via", "as", "at", "or", "is", "are", "we", "our", "its")
)
_BREAK = re.compile(r"[.;:!?()\[\]]\s|, (?!and\b)|\n")
_LONGEST = 12


def extract(text: Text) -> Iterator[Alias]:
    """The pairs of short and long form that a text states.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> clean = (text := read_text(Paper("p", "", "We use any-subset autoregressive models (AS-ARMs).", ()))).clean
    >>> [(clean[a.short.start:a.short.end], clean[a.long.start:a.long.end]) for a in extract(text)]
    [('AS-ARMs', 'any-subset autoregressive models')]
    """
    yield from _stated(text.clean)


@lru_cache(maxsize=32)
def _stated(clean: str) -> tuple[Alias, ...]:
    """The pairs of a clean text; several extractors ask for them in turn, so the last ones are kept."""
    return (*_bracketed(clean), *_apposed(clean))


def _bracketed(clean: str) -> Iterator[Alias]:
    for match in _BRACKET.finditer(clean):
        inner = 1 if match[1] is not None else 2
        begin, end = match.span(inner)
        long = _first_long(clean, match.start(), begin, end)
        if long:
            yield from long
        elif alias := _reversed(clean, match.start(), begin, end):
            yield alias


def _first_long(clean: str, bracket: int, begin: int, end: int) -> list[Alias]:
    """The short forms inside a bracket, each with the words before it that it abbreviates."""
    found = []
    for start, stop in _parts(clean, begin, end):
        short = clean[start:stop]
        if _SHORT.fullmatch(short) and is_short(short):
            long = _long_before(clean, bracket, short)
            if long:
                found.append(Alias(Span(start, stop), long))
        else:
            break
    return found


def _parts(clean: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    at = begin
    for match in _PART.finditer(clean, begin, end):
        if match.start() > at:
            yield at, match.start()
        at = match.end()
    if at < end:
        stripped = clean[at:end].strip(" \"“”'‘’")
        start = clean.index(stripped, at) if stripped else at
        yield start, start + len(stripped)


def is_short(form: str) -> bool:
    """Whether a string has the shape of a short form: a capital or digit inside, no plain word, no number.

    >>> [is_short(form) for form in ("FOSS", "AS-ARMs", "FlowNet", "k-NN", "2021", "left", "Left", "e.g.", "3D")]
    [True, True, True, True, False, False, False, False, True]
    """
    if len(form) < 2 or not any(map(str.isalpha, form)) or form.endswith("."):
        return False
    return is_acronym(form) or is_named(form) or (form[1:] != form[1:].lower()) or (any(map(str.isdigit, form)) and form[0].isupper())


def _long_before(clean: str, bracket: int, short: str) -> Span | None:
    """The shortest run of words before a bracket that a short form abbreviates, by its letters in order and its first letter at a word's start."""
    letters = _letters(short)
    stop = len(clean[:bracket].rstrip())
    window = max(0, stop - 140)
    for edge in _BREAK.finditer(clean, window, stop):
        window = edge.end()
    words = list(_WORD.finditer(clean, window, stop))[-min(_LONGEST, len(letters) + 5) :]
    if not words or stop - words[-1].end() > 1 or (stop > words[-1].end() and clean[stop - 1] not in "\"”'’"):
        return None
    for first in range(len(words) - 1, -1, -1):
        if words[first][0].lower() in _STOP and words[first][0][0].lower() != letters[0]:
            continue
        span = Span(words[first].start(), words[-1].end())
        if _fits(letters, _lowered(words[first:])):
            return None if clean[span.start : span.end].replace(" ", "").lower() == short.lower() else span
    return None


def _lowered(words: list[re.Match[str]]) -> list[str]:
    """The words in lower case; one that is written eXtreme begins with its capital."""
    return [(word[0][1:] if word[0][:1].islower() and word[0][1:2].isupper() else word[0]).lower() for word in words]


def _letters(short: str) -> list[str]:
    """The letters and digits of a short form, without its plural s."""
    return [c for c in (short.lower().removesuffix("s") if _plural(short) else short.lower()) if c.isalnum()]


def _plural(short: str) -> bool:
    return len(short) > 2 and short.endswith("s") and short[-2].isupper()


def _fits(letters: list[str], words: list[str]) -> bool:
    """Whether the letters are found in the words in order: the first starts the first word, and each word but small ones gives one.

    A letter is taken from the start of a word where it can be; two of three letters at least must start a word or follow another taken one.
    """
    if not letters or not words[0].startswith(letters[0]):
        return False
    return _assign(letters, words, 0, 0, 0)


def _assign(letters: list[str], words: list[str], at: int, word: int, skipped: int) -> bool:
    if at == len(letters):
        return all(rest in _STOP for rest in words[word:])
    if word == len(words) or skipped > 1:
        return False
    current = words[word]
    if current[0] == letters[at]:
        for taken in _runs(letters, current, at):
            if _assign(letters, words, at + taken, word + 1, skipped):
                return True
    return _assign(letters, words, at, word + 1, skipped + (current not in _STOP))


def _runs(letters: list[str], word: str, at: int) -> Iterator[int]:
    """How many of the letters one word can give, its first and then others in order, the fewest first."""
    yield 1
    position = 0
    taken = 1
    while at + taken < len(letters):
        position = word.find(letters[at + taken], position + 1)
        if position < 0:
            return
        taken += 1
        yield taken


def _reversed(clean: str, bracket: int, begin: int, end: int) -> Alias | None:
    """The pair of "FN (Full Name)": the bracket holds the words, the word before it the short form."""
    before = re.search(r"[^\s(]+$", clean[max(0, bracket - 30) : bracket].rstrip())
    if not before:
        return None
    short = before[0].strip("\"“”'‘’,")
    start = max(0, bracket - 30) + before.start() + before[0].index(short)
    return _long_after(clean, Span(start, start + len(short)), begin, end) if short else None


def _long_after(clean: str, short: Span, begin: int, end: int) -> Alias | None:
    """The words from `begin` that a short form abbreviates, when they reach `end` or a comma."""
    form = clean[short.start : short.end]
    if not (is_short(form) and _SHORT.fullmatch(form)):
        return None
    letters = _letters(form)
    cut = re.search(r"[,;:.()]", clean[begin:end])
    words = list(_WORD.finditer(clean, begin, begin + cut.start() if cut else end))[:_LONGEST]
    if len(words) < 2:
        return None
    if words[0][0].lower() in ("a", "an", "the") and len(words) > 2:
        words = words[1:]
    if _fits(letters, _lowered(words)):
        return Alias(short, Span(words[0].start(), words[-1].end()))
    return None


def _apposed(clean: str) -> Iterator[Alias]:
    """The pairs of "FN, Full Name, …" and "FN: Full Name".

    The long form must end where the letters do, at a sign or before a word that no name goes on with.
    """
    for match in _APPOSED.finditer(clean):
        if not is_acronym(match[1]):
            continue
        letters = _letters(match[1])
        stop = re.search(r"[,.;:()]|\s(?:is|are|that|which|was|has|to)\b|$", clean[match.end() :])
        words = list(_WORD.finditer(clean, match.end(), match.end() + (stop.start() if stop else 0)))
        if 2 <= len(words) <= len(letters) + 3 and _fits(letters, _lowered(words)):
            yield Alias(Span(*match.span(1)), Span(words[0].start(), words[-1].end()))
