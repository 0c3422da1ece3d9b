"""Gold cards as the later stages would see them: entities with mentions in a text, relations by index."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from kg.given import gold_entities
from kg.model import Found, Paper, RelationKind, Role, Text
from kg.text import read_text

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


def with_roles(item: Example, roles: Sequence[int]) -> Example:
    """The same example with other roles, as a model predicted them."""
    return replace(item, entities=tuple(replace(e, role=ROLES[r]) for e, r in zip(item.entities, roles, strict=True)))


def split(items: Sequence[Example], number: int) -> tuple[list[Example], list[Example]]:
    """The examples of all folds but one, and those of that one."""
    return [i for i in items if fold(i.id) != number], [i for i in items if fold(i.id) == number]
