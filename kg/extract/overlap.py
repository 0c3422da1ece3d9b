"""Where a mention begins and ends, and the rule which of overlapping mentions stays."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from kg.model import Mention, Span

_EDGES = " \t\n\"“”„«»‘’'`´,;:.!?"
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def trim(mention: Mention) -> Mention | None:
    """A mention without the quotes, stops and single brackets at its edges; None when nothing is left.

    >>> from kg.model import EntityType
    >>> trim(Mention(Span(3, 12), '"Kites" (', EntityType.METHOD, "a", 0.9)).surface
    'Kites'
    """
    surface = mention.surface
    if surface[:1].isalnum() and surface[-1:].isalnum():
        return mention
    begin, end = 0, len(surface)
    while begin < end and (surface[begin] in _EDGES or surface[begin] in ")]}" or _opens_alone(surface[begin:end])):
        begin += 1
    while begin < end and (surface[end - 1] in _EDGES or surface[end - 1] in "([{" or _closes_alone(surface[begin:end])):
        end -= 1
    if begin == end:
        return None
    if (begin, end) == (0, len(surface)):
        return mention
    return replace(mention, span=Span(mention.span.start + begin, mention.span.start + end), surface=surface[begin:end])


def _opens_alone(surface: str) -> bool:
    return surface[0] in _PAIRS and _PAIRS[surface[0]] not in surface


def _closes_alone(surface: str) -> bool:
    opening = next((a for a, b in _PAIRS.items() if b == surface[-1]), None)
    return opening is not None and opening not in surface


def settle(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Mentions of which no two overlap.

    The longer one stays, for a name inside a longer name is not listed; among equally long ones the surer one, then the one that came first.

    >>> from kg.model import EntityType, Span
    >>> settle([Mention(Span(0, 4), "BERT", EntityType.MODEL, "a", 0.9), Mention(Span(0, 9), "BERT-base", EntityType.MODEL, "b", 0.8)])[0].surface
    'BERT-base'
    """
    mentions = list(mentions)
    ordered = sorted(mentions, key=lambda m: (m.span.start, m.span.end, m.type))
    if all(first.span.end <= second.span.start for first, second in pairwise(ordered)):
        return tuple(ordered)
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.span.start - m.span.end, -m.score)):
        clash = [other for other in kept if other.span.overlaps(mention.span)]
        if not clash:
            kept.append(mention)
    return tuple(sorted(kept, key=lambda m: (m.span.start, m.span.end, m.type)))
