"""Text → mentions and aliases. Each extractor is a function in a module of its own; `EXTRACTORS` lists them in their order.

Others are added from outside by an entry point of the group `kg.extractors` that names such a function.
"""

import importlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.metadata import version as package_version
from typing import NamedTuple

from kg.errors import KgError
from kg.model import Alias, Mention, Text
from kg.ontology import load

Extractor = Callable[[Text], Iterable[Mention | Alias]]
"""Takes the clean text of one paper; gives mentions, which name this extractor, and pairs of a short and a long form, in any order."""

GROUP = "kg.extractors"
EXTRACTORS: tuple[tuple[str, str], ...] = (
    ("acronyms", "kg.extract.acronyms:extract"),
    ("definitions", "kg.extract.definitions:extract"),
    ("versions", "kg.extract.versions:extract"),
    ("catalogue", "kg.extract.catalogue:extract"),
    ("cues", "kg.extract.cues:extract"),
    ("crf", "kg.extract.crf:extract"),
    ("tagger", "kg.extract.tagger:extract"),
)
"""Name and function, imported when it is used. Where mentions overlap and nothing else decides, the earlier extractor's stays."""


TIERS: dict[str, tuple[str, ...]] = {
    "default": ("acronyms", "tagger"),
    "fast": ("acronyms", "crf"),
    "rules": ("acronyms", "definitions", "versions", "catalogue", "cues"),
}
"""The extractors of each tier, by name; other packages' come on top."""


class Extracted(NamedTuple):
    """What the extractors found in one text, by position."""

    mentions: tuple[Mention, ...]
    aliases: tuple[Alias, ...]


def _outside() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def extractors(names: Sequence[str] | None = None) -> tuple[Extractor, ...]:
    """The functions of the named extractors; by default those of the default tier, then those of other packages by name.

    Raises KgError for a name that nothing has, and for an extractor of another package that cannot be imported.

    >>> len(extractors(["catalogue", "versions"]))
    2
    """
    own, outside = dict(EXTRACTORS), _outside()
    found: list[Extractor] = []
    for name in (*TIERS["default"], *outside) if names is None else names:
        if name in own:
            module, _, function = own[name].partition(":")
            found.append(getattr(importlib.import_module(module), function))
        elif name in outside:
            try:
                found.append(outside[name].load())
            except (ImportError, AttributeError) as error:
                raise KgError(f"the extractor {name!r} ({outside[name].value}) cannot be loaded: {error}") from error
        else:
            raise KgError(f"no extractor {name!r}", hint="one of " + ", ".join([*own, *outside]))
    return tuple(found)


@cache
def _tier(tier: str) -> tuple[Extractor, ...]:
    if tier not in TIERS:
        raise KgError(f"no tier {tier!r}", hint="one of " + ", ".join(TIERS))
    return extractors([*TIERS[tier], *_outside()])


def run(text: Text, tier: str = "default") -> Extracted:
    """What the extractors of a tier find in a text."""
    return extract(text, _tier(tier))


def version(tier: str) -> str:
    """What must stay the same for an extraction to be kept: the program, the tier, its model, the catalogue, and other packages' extractors."""
    others = [f"{name}={point.dist.version if point.dist else ''}" for name, point in _outside().items()]
    model = [f"model={_model()}"] if {"crf", "tagger"} & set(TIERS.get(tier, ())) else []
    return " ".join([f"kg={package_version('kg')}", f"tier={tier}", *model, f"catalogue={load().catalogue.version}", *others])


def _model() -> str:
    from hashlib import sha256

    from kg.extract.judge import home

    recorded = sorted(home().glob("*.json"))
    return sha256(b"".join(path.read_bytes() for path in recorded if path.name != "tokenizer.json")).hexdigest()[:12]


def extract(text: Text, using: Sequence[Extractor]) -> Extracted:
    """Run extractors over a text and apply the overlap rule to what they find.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> found = extract(read_text(Paper("p", "", "We train on GSM8K.", ())), extractors(["catalogue"]))
    >>> [(mention.surface, mention.type.value) for mention in found.mentions]
    [('GSM8K', 'Dataset')]
    """
    from kg.extract.overlap import settle, trim

    mentions: list[Mention] = []
    aliases: dict[Alias, None] = {}
    for extractor in using:
        for item in extractor(text):
            if isinstance(item, Alias):
                aliases[item] = None
            elif trimmed := trim(item):
                mentions.append(trimmed)
    return Extracted(settle(mentions), tuple(sorted(aliases, key=lambda a: (a.long.start, a.long.end, a.short.start, a.short.end))))
