"""Gold's own entities in a text, as the stages after extraction would get them."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from kg.model import EntityType, Found, Mention, Role, Span, Text
from kg.text import clean

CardObject = dict[str, Any]


def gold_entities(text: Text, entities: Sequence[CardObject]) -> tuple[Found, ...]:
    """The entities of a gold card as resolution would hand them on. A mention inside a longer one of another entity is left to that one."""
    spans = sorted(
        {(a, b, k) for k, e in enumerate(entities) for m in e["mentions"] for a, b in _occurrences(clean(m), text.clean)},
        key=lambda s: (s[0] - s[1], s),
    )
    kept: list[tuple[int, int, int]] = []
    for span in spans:
        if not any(other[0] < span[1] and span[0] < other[1] and other[:2] != span[:2] for other in kept):
            kept.append(span)
    return tuple(_gold_found(text, entity, [s for s in kept if s[2] == k] or [s for s in spans if s[2] == k]) for k, entity in enumerate(entities))


def _gold_found(text: Text, entity: CardObject, spans: Iterable[tuple[int, int, int]]) -> Found:
    from kg import ontology
    from kg.resolve.known import certain

    kind = EntityType(entity["type"])
    mentions = tuple(Mention(Span(a, b), text.clean[a:b], kind, "gold", 1.0) for a, b, _ in sorted(spans))
    catalogue = ontology.load().catalogue
    rows = [row for name in (entity["name"], *entity["mentions"]) if (row := certain(catalogue, clean(name)))]
    also = EntityType(entity["also"][0]) if entity.get("also") else None
    return Found(entity["name"], kind, mentions, 1.0, "gold", Role(entity["role"]), also, catalogue=rows[0].id if rows else "")


def _occurrences(surface: str, text: str) -> list[tuple[int, int]]:
    if not surface:
        return []
    pattern = (r"(?<!\w)" if surface[0].isalnum() else "") + re.escape(surface) + (r"(?!\w)" if surface[-1].isalnum() else "")
    for flags, form in ((0, pattern), (re.IGNORECASE, pattern), (re.IGNORECASE, re.escape(surface))):
        if spans := [match.span() for match in re.finditer(form, text, flags)]:
            return spans
    return []
