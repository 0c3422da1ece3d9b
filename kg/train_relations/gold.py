"""Gold cards as the later stages would see them: entities with mentions in a text, relations by index."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from kg.model import EntityType, Found, Mention, Paper, RelationKind, Role, Span, Text
from kg.text import clean, read_text

CardObject = dict[str, Any]
FOLDS = 5
ROLES = tuple(Role)
KINDS = tuple(RelationKind)


@dataclass(frozen=True, slots=True)
class Example:
    """A gold card as the later stages would see it: its text, its entities with gold roles, its relations by index.

    Figures and thresholds are taken from the papers of the `reference`; the others are only learnt from.
    """

    id: str
    text: Text
    entities: tuple[Found, ...]
    relations: dict[tuple[int, int], int]
    stated: int
    card: CardObject
    reference: bool = True


def fold(identifier: str) -> int:
    """The fold of a paper: fold 0 is the one that every stage holds out."""
    return crc32(identifier.encode()) % FOLDS


def example(card: CardObject, *, reference: bool = True) -> Example:
    """Turn a gold card into entities with mentions at every place where one of their surface forms stands."""
    text = read_text(Paper(card["id"], card.get("title") or "", card["abstract"], ()))
    entities = gold_entities(text, card["entities"])
    index = {entity["name"]: k for k, entity in enumerate(card["entities"])}
    relations: dict[tuple[int, int], int] = {}
    stated = {(index[h], RelationKind(kind), index[t]) for h, kind, t in card.get("relations", ()) if h in index and t in index}
    for head, kind, tail in sorted(stated):
        relations.setdefault((head, tail), KINDS.index(kind) + 1)
    return Example(card["id"], text, entities, relations, len(stated), card, reference)


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


def with_roles(item: Example, roles: Sequence[int]) -> Example:
    """The same example with other roles, as a model predicted them."""
    return replace(item, entities=tuple(replace(e, role=ROLES[r]) for e, r in zip(item.entities, roles, strict=True)))


def split(items: Sequence[Example], number: int) -> tuple[list[Example], list[Example]]:
    """The examples of all folds but one, and those of that one."""
    return [i for i in items if fold(i.id) != number], [i for i in items if fold(i.id) == number]
