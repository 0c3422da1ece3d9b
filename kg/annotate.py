"""Cards to correct by hand, and what is wrong with a file of them."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from kg.model import Card, EntityType, RelationKind, Role

FIELDS = ("name", "type", "also", "role", "mentions")
_TYPES = frozenset(map(str, EntityType))
_ROLES = frozenset(map(str, Role))
_KINDS = frozenset(map(str, RelationKind))


class Fault(NamedTuple):
    """What is wrong in a line of a file of cards; lines count from 1."""

    line: int
    paper: str
    message: str

    def __str__(self) -> str:
        return f"line {self.line}{f' ({self.paper})' if self.paper else ''}: {self.message}"


def prefill(card: Card) -> dict[str, Any]:
    """The card of a paper in the form of gold, with title and abstract, so that it can be corrected and learnt from.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> paper = Paper("p1", "A title", "Some abstract.", ())
    >>> prefill(Card(paper, read_text(paper)))["abstract"]
    'Some abstract.'
    """
    from kg.cards import from_card

    made = from_card(card)
    entities = [{field: entity[field] for field in FIELDS} for entity in made["entities"]]
    text = {"id": card.paper.id, "title": card.paper.title, "abstract": card.paper.abstract}
    return {**text, "entities": entities, "relations": made["relations"], "results": made["results"]}


def check(lines: Iterable[str]) -> Iterator[Fault]:
    """The faults of a file of cards, line by line: what is no card, no legal value, not in the text, or there twice.

    >>> [fault.message for fault in check(['{"id": "p", "abstract": "We use X.", "entities": [{"name": "Y", "type": "Thing", "mentions": ["Y"]}]}'])]
    ["Y: no type 'Thing'", 'Y: no role None', "Y: not in the text: 'Y'"]
    """
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            card = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield Fault(number, "", f"not JSON: {error}")
            continue
        if not isinstance(card, dict) or not isinstance(card.get("id"), str) or not isinstance(card.get("abstract"), str):
            yield Fault(number, "", "a card has an id and an abstract")
            continue
        if card["id"] in seen:
            yield Fault(number, card["id"], "this paper is there twice")
        seen.add(card["id"])
        for message in _card_faults(card):
            yield Fault(number, card["id"], message)


def _card_faults(card: dict[str, Any]) -> Iterator[str]:
    entities = card.get("entities")
    if not isinstance(entities, list) or not all(isinstance(e, dict) and isinstance(e.get("name"), str) and e["name"] for e in entities):
        yield "entities is a list of objects, each with a name"
        return
    text = _comparable(f"{card.get('title') or ''}\n{card['abstract']}")
    for entity in entities:
        for message in _entity_faults(entity, text):
            yield f"{entity['name']}: {message}"
    for name, count in Counter(e["name"] for e in entities).items():
        if count > 1:
            yield f"{name}: {count} entities of that name"
    yield from _relation_faults(card.get("relations", []), {e["name"] for e in entities})
    yield from _result_faults(card.get("results", []))


def _entity_faults(entity: dict[str, Any], text: str) -> Iterator[str]:
    if entity.get("type") not in _TYPES:
        yield f"no type {entity.get('type')!r}"
    if entity.get("role") not in _ROLES:
        yield f"no role {entity.get('role')!r}"
    also = entity.get("also", [])
    if not isinstance(also, list) or not set(map(str, also)) <= _TYPES:
        yield f"also is a list of types, not {also!r}"
    mentions = entity.get("mentions")
    if not isinstance(mentions, list) or not mentions or not all(isinstance(m, str) and m.strip() for m in mentions):
        yield "mentions is a list of surface forms, one or more"
        return
    for mention in mentions:
        if _comparable(mention) not in text:
            yield f"not in the text: {mention!r}"


def _relation_faults(relations: Any, names: set[str]) -> Iterator[str]:
    if not isinstance(relations, list):
        yield "relations is a list"
        return
    for relation in relations:
        if not isinstance(relation, list) or len(relation) != 3 or not all(isinstance(part, str) for part in relation):
            yield f"a relation is [head, relation, tail], not {relation!r}"
        elif relation[1] not in _KINDS:
            yield f"no relation {relation[1]!r}"
        elif missing := [name for name in (relation[0], relation[2]) if name not in names]:
            yield f"a relation between listed entities, but there is no {missing[0]!r}"


def _result_faults(results: Any) -> Iterator[str]:
    fields = ("subject", "metric", "value", "dataset", "comparator")
    if not isinstance(results, list) or not all(isinstance(r, dict) and all(isinstance(r.get(f), str) for f in fields) for r in results):
        yield f"results is a list of objects with the texts {', '.join(fields)}"


def _comparable(text: str) -> str:
    from kg.text import clean

    return " ".join(clean(text).lower().split())
