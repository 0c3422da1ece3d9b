"""What a paper introduces: "we propose X", "X, a new framework …", "a method called X", and a title "X: …"."""

import re
from collections.abc import Iterator
from functools import lru_cache

from kg.extract.acronyms import extract as aliases
from kg.extract.shapes import NAME, WORD, is_proper, type_of
from kg.model import EntityType, Mention, Span, Text
from kg.surface import is_named

_VERB = (
    r"(?:propos|present|introduc|develop|describ|design|releas|construct|build|built|creat|devis|contribut|establish|publish|offer|provid|formulat|curat|collect|coin|investigat|stud)"
    r"(?:e|es|ed|ing|s|y|ies|ied)?"
)
_INTRODUCES = re.compile(
    rf"\b(?:[Ww]e|[Pp]aper|[Ww]ork|[Aa]rticle|[Rr]eport|[Ss]tudy|[Tt]his|[Aa]uthors)\b[^.;]{{0,60}}?"
    rf"\b{_VERB}\s+(?:(?:the|a|an|our)\s+)?[\"“]?(?P<name>{NAME})[\"”]?"
    r"(?=\s*(?:\(|,|:|—|–|\.|\bto\b|\bfor\b|\bthat\b|\bwhich\b|\bas\b|\bby\b|\busing\b|\bwith\b|\bin\b|\bon\b|\band\b|[a-z-]+))"
)
_CALLED = re.compile(
    rf"\b(?:called|named|dubbed|termed|coined|denoted|nicknamed|christened|titled|entitled|refer to as|referred to as|refer to it as|"
    rf"call it|call this|name it|namely|"
    rf"abbreviated as|"
    rf"which we (?:call|name|term|dub|refer to as)|"
    rf"we (?:call|name|term|dub)(?: (?:this|it|our|the|them|the resulting|the proposed)(?: [a-z-]+){{0,3}})?)"
    rf"\s+(?:as\s+)?(?:the\s+|a\s+|an\s+)?(?P<quote>[\"“'‘])?(?P<name>{NAME})"
)
_APPOSED = re.compile(rf"(?<![\w-])(?P<name>{NAME})(?:\s*\([^()]{{2,60}}\))?,\s+(?:an?|the first|our|the)\s+(?P<what>[a-z][^.;]{{4,160}})")
_IS = re.compile(rf"(?<![\w-])(?P<name>{NAME})(?:\s*\([^()]{{2,60}}\))?\s+is\s+an?\s+(?P<what>[a-z][^.;]{{4,160}})")
_APPOSED_END = re.compile(r",\s+(?:an?|the first|our|the)\s+[a-z]")
_IS_END = re.compile(r"\sis\s+an?\s+[a-z]")
_CALLING = ("call", "name", "dub", "term", "coin", "denot", "christen", "titl", "refer", "abbreviat")
"""One of these stands in every text that `_CALLED` fits."""
_TITLE = re.compile(rf"^[\"“]?(?P<name>{NAME}|[A-Z][\w-]+)[\"”]?\s*(?::|--|—|–)\s+(?P<what>.+)$")
_OWN = re.compile(r"(?:we|our|paper|work|this|novel|new|first|propose|introduc|present|simple|efficient)", re.IGNORECASE)
_NEW = re.compile(
    r"\b(?:novel|new|first|simple|efficient|proposed|effective|unified|large-scale|general|powerful|flexible|lightweight|scalable|open-source|generic|principled)\b"
)
_NOT = re.compile(
    r"^(?:We|This|The|In|Our|It|Here|However|Moreover|Furthermore|Finally|Experiments?|Results?|Then|First|Second|To|For|A|An|On|By|As|Based|Given|Recent(?:ly)?|Specifically|Unlike|Inspired|Instead|While|When|With|These|Such|Both|Each|Also|I|II|III|AI|ML|NLP|RL|SOTA|CV|GPU|3D|2D)$"
)


_VERB_BEFORE = re.compile(rf"\b{_VERB}\s+(?:(?:the|a|an|our|novel|new|simple|efficient|effective|and|[a-z]+ly)\s+){{0,4}}$")
_AFTER = re.compile(r"(?:s\b)?(?!\w)(?!-[A-Z0-9])")
_WHOLE = re.compile(r"(?!\w)")
_BESIDE = re.compile(r"(?:\s*\([^()]{2,60}\))? (?P<noun>[a-z][a-z -]{3,40})")


def extract(text: Text) -> Iterator[Mention]:
    """The names that a paper introduces, each at every place where the text holds it.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> text = read_text(Paper("p", "", "We propose FoSS, a new decoding framework. FoSS is fast.", ()))
    >>> [(m.surface, m.type.value, m.span.start) for m in extract(text)]
    [('FoSS', 'Method', 11), ('FoSS', 'Method', 43)]
    """
    found: dict[str, tuple[EntityType, float]] = {}
    for name, kind, score in _definitions(text):
        if name not in found or score > found[name][1]:
            found[name] = (kind, score)
    pairs = [(text.clean[a.short.start : a.short.end], a.long) for a in aliases(text)]
    for name, (kind, score) in found.items():
        for start in _starts(text.clean, name, fold=is_named(name) and len(name) > 3):
            end = start + len(name)
            surface = text.clean[start:end]
            if _AFTER.match(text.clean, end) and (surface == name or sum(map(str.isupper, surface)) > 1):
                yield Mention(Span(start, end), surface, kind, "definitions", score)
        for short, long in pairs:
            if short == name:
                yield Mention(long, text.clean[long.start : long.end], kind, "definitions", score)


def _definitions(text: Text) -> Iterator[tuple[str, EntityType, float]]:
    """Name, type and score of each introduction."""
    clean = text.clean
    if text.title_end and (match := _TITLE.match(clean[: text.title_end])):
        name = match["name"]
        in_text = any(start > text.title_end and _WHOLE.match(clean, start + len(name)) for start in _starts(clean, name))
        if in_text and len(name.split()) <= 4:
            yield name, _described(clean, name) or type_of(match["what"].lower()) or EntityType.METHOD, 0.75 if is_proper(name) else 0.6
    for match in _INTRODUCES.finditer(clean):
        if _good(match["name"]) and is_proper(match["name"]):
            after = clean[match.end() : match.end() + 160]
            yield match["name"], _described(clean, match["name"]) or type_of(after.lstrip(" ,:—–")) or EntityType.METHOD, 0.8
    for match in _CALLED.finditer(clean) if any(word in clean for word in _CALLING) else ():
        if _good(match["name"]):
            before = clean[max(0, match.start() - 120) : match.start()]
            yield (
                match["name"],
                _described(clean, match["name"]) or _before(before) or type_of(clean[match.end() :].lstrip()) or EntityType.METHOD,
                0.8,
            )
    for name, what in _apposed(clean):
        kind = type_of(what)
        if kind and _good(name) and is_proper(name) and _NEW.search(what[:60]):
            yield name, kind, 0.75
    for pair in aliases(text):
        before = clean[max(0, pair.long.start - 60) : pair.long.start]
        if _VERB_BEFORE.search(before):
            name = clean[pair.short.start : pair.short.end]
            long = clean[pair.long.start : pair.long.end]
            after = clean[max(pair.short.end, pair.long.end) + 1 :].lstrip()
            yield name, _described(clean, name) or type_of(long.lower()) or type_of(after) or EntityType.METHOD, 0.75


def _starts(clean: str, name: str, *, fold: bool = False) -> Iterator[int]:
    """Where a name stands that no word or hyphen goes before, with `fold` in any case."""
    lower = clean.lower()
    if fold and len(lower) == len(clean):
        clean, name = lower, name.lower()
    at = clean.find(name)
    while at >= 0:
        if not at or not (clean[at - 1].isalnum() or clean[at - 1] in "_-"):
            yield at
        at = clean.find(name, at + 1)


@lru_cache(maxsize=32)
def _apposed(clean: str) -> tuple[tuple[str, str], ...]:
    """Every "X, a new framework": the name and what it is said to be. Asked for once a name, so the last texts' are kept."""
    return _stated(_APPOSED, _APPOSED_END, clean)


@lru_cache(maxsize=32)
def _identified(clean: str) -> tuple[tuple[str, str], ...]:
    """Every "X is a benchmark": the name and what it is said to be."""
    return _stated(_IS, _IS_END, clean)


def _stated(pattern: re.Pattern[str], needed: re.Pattern[str], clean: str) -> tuple[tuple[str, str], ...]:
    """The names and descriptions that a pattern finds; names are slow to look for, so it is asked first whether what must follow one is there."""
    return tuple((match["name"], match["what"]) for match in pattern.finditer(clean)) if needed.search(clean) else ()


def _described(clean: str, name: str) -> EntityType | None:
    """The type that a text gives a name outright: "X, a new framework", "X is a benchmark", "the X model"."""
    for stated in (_apposed, _identified):
        for other, what in stated(clean):
            if other == name and (kind := type_of(what)):
                return kind
    beside = next(filter(None, (_BESIDE.match(clean, start + len(name)) for start in _starts(clean, name))), None)
    return type_of(beside["noun"].split(" is ")[0]) if beside else None


def _before(before: str) -> EntityType | None:
    """The type of what stands before "called": its last noun phrase."""
    start = max((before.rfind(f" {article} ") for article in ("a", "an", "the", "our")), default=-1)
    return type_of(before[start + 1 :].split(" ", 1)[-1].rstrip(" ,(")) if start >= 0 else None


def _good(name: str) -> bool:
    """Whether a name is no word that a sentence begins with."""
    return not _NOT.match(name) and not (" " not in name and name.lower() == name) and bool(re.fullmatch(rf"{WORD}.*", name))
