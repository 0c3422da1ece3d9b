"""The rule which of overlapping mentions stays."""

from collections.abc import Iterable

from kg.model import Mention


def settle(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Mentions of which no two overlap.

    The longer one stays, for a name inside a longer name is not listed; among equally long ones the surer one, then the one that came first.

    >>> from kg.model import EntityType, Span
    >>> settle([Mention(Span(0, 4), "BERT", EntityType.MODEL, "a", 0.9), Mention(Span(0, 9), "BERT-base", EntityType.MODEL, "b", 0.8)])[0].surface
    'BERT-base'
    """
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.span.start - m.span.end, -m.score)):
        clash = [other for other in kept if other.span.overlaps(mention.span)]
        if not clash:
            kept.append(mention)
    return tuple(sorted(kept, key=lambda m: (m.span.start, m.span.end, m.type)))
