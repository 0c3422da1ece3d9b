"""Invented abstracts with their entities marked: `[[surface|Type]]`, the same name and type being one entity."""

import re
from collections.abc import Collection
from dataclasses import replace

from kg.model import EntityType, Found, Mention, Paper, Role, Span, Text
from kg.surface import key
from kg.text import read_text

_MARK = re.compile(r"\[\[([^|\]]+)\|([A-Za-z]+)(?:\|([^\]]+))?\]\]")


def marked(abstract: str, title: str = "", roles: dict[str, Role] | None = None, known: Collection[str] = ()) -> tuple[Text, tuple[Found, ...]]:
    """The text without marks, and its entities in order of first mention; a third field of a mark is the entity's name.

    `known` are the names that the catalogue is taken to know.
    """
    plain = [_MARK.sub(lambda m: m[1], part) for part in (title, abstract)]
    text = read_text(Paper("invented", plain[0], plain[1], ()))
    found: dict[str, Found] = {}
    cursor = 0
    catalogued = frozenset(known)
    for surface, kind, given in _MARK.findall(f"{title}\n{abstract}"):
        start = text.clean.index(surface, cursor)
        cursor = start + len(surface)
        mention = Mention(Span(start, cursor), surface, EntityType(kind), "test", 1.0)
        name = given or surface
        before = found.get(key(name))
        entity = (
            replace(before, mentions=(*before.mentions, mention))
            if before
            else Found(name, EntityType(kind), (mention,), 1.0, "test", catalogue="x" * (name in catalogued))
        )
        found[key(name)] = entity
    return text, tuple(replace(e, role=(roles or {}).get(e.name, e.role)) for e in found.values())
